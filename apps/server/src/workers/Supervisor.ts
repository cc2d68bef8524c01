import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import cluster from "node:cluster"
import { StartupError } from "../StartupError.ts"
import { workerEnvironment } from "./Worker.ts"
import { type Peer, requestMetrics, send, type WorkerMessage } from "./WorkerMessage.ts"
import { mergeMetrics } from "./mergeMetrics.ts"

// In milliseconds. The pause before a restart doubles for each worker that does not live for `healthyAfter`.
const firstPause = 100
const longestPause = 10_000
const healthyAfter = 10_000

export interface SupervisorOptions {
  readonly workers: number
  /** The port that all workers share. */
  readonly port: number
  /** Workers that still run this long after `End` are killed. */
  readonly shutdownTimeout: Duration.Duration
  /** Whether to send SIGHUP on to the workers. */
  readonly forwardHangup: boolean
}

interface Child {
  readonly process: Peer & { readonly kill: (signal: NodeJS.Signals) => boolean }
  isReady: boolean
  /** A SIGHUP arrived while the worker was starting: it may have read the old certificate. */
  missedHangup: boolean
}

/**
 * Starts the workers and replaces each one that ends. Returns the URL that they share, as soon as all of them take
 * requests. Fails with `StartupError` if one does not start. Ends the workers when the scope closes.
 */
export const superviseWorkers = Effect.fnUntraced(function* (options: SupervisorOptions) {
  const run = Effect.runForkWith(yield* Effect.context<never>())
  const children = new Set<Child>()
  let deaths = 0
  let isEnding = false

  const allMetrics = Effect.suspend(() => {
    const ready = Array.from(children).filter(({ isReady }) => isReady)
    const own = [
      "# HELP headgate_workers Processes that serve requests",
      "# TYPE headgate_workers gauge",
      `headgate_workers ${ready.length}`,
      "# HELP headgate_worker_deaths_total Worker processes that ended unexpectedly",
      "# TYPE headgate_worker_deaths_total counter",
      `headgate_worker_deaths_total ${deaths}`
    ].join("\n")
    // A worker that is too busy to answer is left out.
    const text = ({ process }: Child) => Effect.catch(requestMetrics(process, "1 second"), () => Effect.succeed(""))
    return Effect.map(Effect.forEach(ready, text, { concurrency: "unbounded" }), (texts) =>
      mergeMetrics([own, ...texts])
    )
  })

  /** Runs one worker until its process ends. Returns how it ended, and why its start failed, if it did. */
  const runProcess = (number: number, started: Deferred.Deferred<string, StartupError>) =>
    Effect.callback<{ readonly exit: string; readonly failure: string | undefined }>((resume) => {
      const { process } = cluster.fork(workerEnvironment({ number, port: options.port }))
      const child: Child = { process, isReady: false, missedHangup: false }
      let failure: string | undefined
      children.add(child)
      process.on("message", (message: WorkerMessage) => {
        if (message._tag === "Ready") {
          child.isReady = true
          if (child.missedHangup) process.kill("SIGHUP")
          // It was not listening yet when `End` was sent.
          if (isEnding) send(process, { _tag: "End" })
          run(Deferred.succeed(started, message.url))
        }
        if (message._tag === "Failed") failure = message.message
        if (message._tag === "MetricsRequest") {
          run(Effect.map(allMetrics, (text) => send(process, { _tag: "Metrics", text })))
        }
      })
      process.once("exit", (code, signal) => {
        children.delete(child)
        resume(Effect.succeed({ exit: signal ?? `exit code ${code}`, failure }))
      })
    })

  const keepRunning = Effect.fnUntraced(function* (number: number, started: Deferred.Deferred<string, StartupError>) {
    let pause = firstPause
    for (;;) {
      const [lifetime, { exit, failure }] = yield* Effect.timed(runProcess(number, started))
      const message = failure ?? `a worker ended while it started: ${exit}`
      const isFirstStart = yield* Deferred.fail(started, new StartupError({ message }))
      if (isFirstStart) return
      deaths++
      if (Duration.toMillis(lifetime) > healthyAfter) pause = firstPause
      yield* Effect.logWarning(`worker ${number} ended (${failure ?? exit}): it is restarted in ${pause} ms`)
      yield* Effect.sleep(pause)
      pause = Math.min(pause * 2, longestPause)
    }
  })

  const start = Effect.fnUntraced(function* (number: number) {
    const started = yield* Deferred.make<string, StartupError>()
    yield* Effect.forkScoped(keepRunning(number, started))
    return yield* Deferred.await(started)
  })

  const end = Effect.callback<void>((resume) => {
    isEnding = true
    const resumeIfNoneLeft = () => {
      if (children.size === 0) resume(Effect.void)
    }
    for (const { process } of children) {
      process.once("exit", resumeIfNoneLeft)
      send(process, { _tag: "End" })
    }
    resumeIfNoneLeft()
  })
  const kill = Effect.sync(() => {
    for (const { process } of children) process.kill("SIGKILL")
  })
  // The scope interrupts `keepRunning` first, so that no worker is restarted from here on.
  yield* Effect.addFinalizer(() =>
    Effect.interruptible(end).pipe(Effect.timeoutOrElse({ duration: options.shutdownTimeout, orElse: () => kill }))
  )

  if (options.forwardHangup) {
    const forward = () => {
      for (const child of children) {
        if (child.isReady) child.process.kill("SIGHUP")
        else child.missedHangup = true
      }
    }
    yield* Effect.acquireRelease(
      Effect.sync(() => process.on("SIGHUP", forward)),
      () => Effect.sync(() => process.off("SIGHUP", forward))
    )
  }

  // The first worker starts alone: what keeps it from starting is reported once.
  const url = yield* start(1)
  const others = Array.from({ length: options.workers - 1 }, (_, index) => index + 2)
  yield* Effect.forEach(others, start, { concurrency: "unbounded" })
  return url
})
