import { MovedPipes } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { Metrics } from "../observability/Metrics.ts"
import { StartupError } from "../StartupError.ts"
import { externalResources } from "./externalResources.ts"

/** The pipes that are to move, to warehouses that this server does not have. They keep their states. */
const waitingPipes = (moved: MovedPipes["Service"], served: ReadonlySet<string>) =>
  Effect.map(moved.changes(), ({ pipes }) => pipes.filter(({ warehouse }) => !served.has(warehouse)))

// A line of the log names no more.
const mostSlots = 20

/** Logs how many pipes wait for a warehouse that this server does not have, and which slots they hold meanwhile. */
export const reportWaiting = Effect.fnUntraced(
  function* (served: ReadonlySet<string>) {
    const moved = yield* MovedPipes
    const waiting = yield* waitingPipes(moved, served)
    if (waiting.length === 0) return
    const names = Array.from(new Set(waiting.map(({ warehouse }) => JSON.stringify(warehouse)))).slice(0, mostSlots)
    const held = (yield* Effect.forEach(waiting.slice(0, mostSlots), ({ address }) =>
      moved.read(address).pipe(
        Effect.flatMap(({ pipe }) => externalResources(pipe.id, pipe.source)),
        Effect.catchCause(() => Effect.succeed(undefined))
      )
    )).filter(Predicate.isNotUndefined)
    const slots = held.length === 0 ? "" : `. Meanwhile their sources keep their logs for them: ${held.join("; ")}`
    yield* Effect.logWarning(
      `${waiting.length} pipes wait for a server with the warehouse ${names.join(", ")}: start one with --warehouse, or with --warehouses and a file that names it${slots}`
    )
  },
  Effect.mapError(({ message }) => new StartupError({ message: `the pipes could not be read: ${message}` }))
)

/** Adds the number of pipes that wait to the metrics. */
export const addWaitingMetric = Effect.fnUntraced(function* (served: ReadonlySet<string>) {
  const [metrics, moved] = [yield* Metrics, yield* MovedPipes]
  const name = "headgate_waiting_pipes"
  metrics.add(
    waitingPipes(moved, served).pipe(
      Effect.map(({ length }) =>
        [
          `# HELP ${name} Pipes that wait for a server with their warehouse, which this one does not have`,
          `# TYPE ${name} gauge`,
          `${name} ${length}`,
          ""
        ].join("\n")
      ),
      // The store has logged why it does not answer.
      Effect.orElseSucceed(() => "")
    )
  )
})

/** Logs how many deleted pipes are left to be cleaned up: for a server that moves none. */
export const reportDeleted = Effect.gen(function* () {
  const { length: count } = yield* MovedPipes.use((moved) => moved.deleted())
  if (count === 0) return
  yield* Effect.logWarning(
    `${count} deleted pipes have left something in their sources: a server with their warehouse removes it (headgate-server cleanup list)`
  )
}).pipe(Effect.mapError(({ message }) => new StartupError({ message: `the pipes could not be read: ${message}` })))
