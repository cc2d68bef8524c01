import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import cluster from "node:cluster"
import type { StartupError, UsageError } from "../StartupError.ts"
import { requestMetrics, send, type WorkerMessage } from "./WorkerMessage.ts"

const numberVariable = "HEADGATE_WORKER"
const portVariable = "HEADGATE_WORKER_PORT"

/** What the supervisor assigns to a worker. */
export interface WorkerIdentity {
  /** From 1. A worker that replaces another gets its number. */
  readonly number: number
  /** The port that all workers share. For `--port 0`, the one that the supervisor found. */
  readonly port: number
}

/** The environment variables that give a worker its identity. */
export const workerEnvironment = ({ number, port }: WorkerIdentity) => ({
  [numberVariable]: String(number),
  [portVariable]: String(port)
})

/** The identity of this process, if it is a worker. */
export const workerIdentity = (): Option.Option<WorkerIdentity> => {
  const { [numberVariable]: number, [portVariable]: port } = process.env
  return cluster.isWorker && number !== undefined && port !== undefined
    ? Option.some({ number: Number(number), port: Number(port) })
    : Option.none()
}

const ended = Effect.callback<void>((resume) => {
  const listener = ({ _tag }: WorkerMessage) => {
    if (_tag === "End") resume(Effect.void)
  }
  process.on("message", listener)
  return Effect.sync(() => process.off("message", listener))
})

const sent = (message: WorkerMessage) =>
  Effect.callback<void>((resume) => send(process, message, () => resume(Effect.void)))

/** Serves until the supervisor sends `End`. A failed start is reported to the supervisor, which prints it. */
export const runWorker = (serving: Effect.Effect<never, StartupError | UsageError>) =>
  Effect.raceFirst(serving, ended).pipe(
    Effect.catch(({ message }) => sent({ _tag: "Failed", message })),
    // The open channel would keep the process alive.
    Effect.ensuring(Effect.sync(() => process.connected && process.disconnect()))
  )

/** Tells the supervisor that this worker takes requests. */
export const reportReady = (url: string) => sent({ _tag: "Ready", url })

/**
 * Sends this worker's metrics to the supervisor on request. Returns an effect that gets the metrics of all workers from
 * the supervisor, or this worker's alone if the supervisor does not answer.
 */
export const metricsOfAllWorkers = Effect.fnUntraced(function* (own: Effect.Effect<string>) {
  const run = Effect.runForkWith(yield* Effect.context<never>())
  process.on("message", ({ _tag }: WorkerMessage) => {
    if (_tag === "MetricsRequest") run(Effect.map(own, (text) => send(process, { _tag: "Metrics", text })))
  })
  return Effect.catch(requestMetrics(process, "5 seconds"), () => own)
})
