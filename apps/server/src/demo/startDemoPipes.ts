import { type PipeId, Pipes, type PipeStatus } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { demoOrganizationId, demoPipeIds, demoServiceId } from "./demoContent.ts"

/** The topic `logs` loses what is older than 30 seconds. */
const untilLost = "31 seconds"

const addressOf = (pipeId: PipeId) => ({ organizationId: demoOrganizationId, serviceId: demoServiceId, pipeId })

/** Lets an imported pipe move rows. Returns whether it did: it does so once, and not if somebody has deleted the pipe. */
const adopt = (pipeId: PipeId) =>
  Pipes.use((pipes) => pipes.adopt(addressOf(pipeId))).pipe(
    Effect.as(true),
    Effect.catchTags({ Conflict: () => Effect.succeed(false), PipeNotFound: () => Effect.succeed(false) })
  )

const statusOf = (pipeId: PipeId) => Pipes.use((pipes) => pipes.status(addressOf(pipeId)))
const often = Schedule.spaced("200 millis")

const isAtRest = ({ state }: PipeStatus) => state === "Stopped" || state === "Failed"
const hasMoved = (status: PipeStatus) => isAtRest(status) || (status.state === "Running" && (status.rows ?? 0) > 0)

/** Waits for a pipe. */
const until = (pipeId: PipeId, holds: (status: PipeStatus) => boolean) =>
  Effect.repeat(statusOf(pipeId), { until: holds, schedule: often })

/** Lets an imported pipe move its first rows. Returns whether it did. */
const start = Effect.fnUntraced(function* (pipeId: PipeId) {
  const isAdopted = yield* adopt(pipeId)
  if (isAdopted) yield* until(pipeId, hasMoved)
  return isAdopted
})

const setState = Effect.fnUntraced(function* (pipeId: PipeId, command: "start" | "stop") {
  yield* Pipes.use((pipes) => pipes.setState(addressOf(pipeId), { command }))
  if (command === "stop") yield* until(pipeId, isAtRest)
})

/** The pipe `orders` is stopped. */
const startOrders = Effect.gen(function* () {
  if (yield* start(demoPipeIds.orders)) yield* setState(demoPipeIds.orders, "stop")
})

/** The pipe `logs` is stopped for longer than its topic holds rows, so that it fails when it is started again. */
const startLogs = Effect.gen(function* () {
  const { logs } = demoPipeIds
  if (!(yield* start(logs))) return
  yield* setState(logs, "stop")
  yield* Effect.sleep(untilLost)
  if ((yield* statusOf(logs)).state === "Stopped") yield* setState(logs, "start")
})

const orWarning = <A, E extends { readonly message: string }, R>(started: Effect.Effect<A, E, R>) =>
  Effect.catch(started, ({ message }) => Effect.logWarning(`a pipe of the demo could not be started: ${message}`))

/** Brings the pipes of a demo into the states in which they are shown, once, while the server runs. */
export const layer = Layer.effectDiscard(
  Effect.forkScoped(
    Effect.andThen(
      // Alone, so that its rows are there soon.
      orWarning(start(demoPipeIds.clicks)),
      Effect.all([orWarning(startOrders), orWarning(startLogs)], { concurrency: "unbounded", discard: true })
    )
  )
)
