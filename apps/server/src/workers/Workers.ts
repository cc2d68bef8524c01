import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as RateLimiter from "effect/persistence/RateLimiter"
import cluster from "node:cluster"
import type { Worker } from "node:cluster"
import { setTimeout } from "node:timers"
import { StartupError } from "../StartupError.ts"
import type { EndingTimes } from "../http/Shutdown.ts"
import { type Question, send, type ToPrimary } from "./Primary.ts"
import { mergeMetrics } from "./workerMetrics.ts"

/** How long a worker's metrics may take, in milliseconds: one that is busy for longer is left out. */
const metricsPatience = 1000

/** How long a worker may take to end beyond what it may take to finish what runs. */
const endPatience = Duration.seconds(5)

// A worker that dies is replaced after this long, and twice as long each time it does not live for `healthyAfter`.
const firstPause = 100
const longestPause = 10_000
const healthyAfter = 10_000

const numberVariable = "HEADGATE_WORKER"
const portVariable = "HEADGATE_WORKER_PORT"

/** What the supervising process tells a worker as it starts it. */
export interface WorkerIdentity {
  /** Which worker it is, from 1. One that is replaced leaves its number to the next. */
  readonly number: string
  /** Where it listens: `--port`, or what was found for 0, so that those who come later listen there too. */
  readonly port: number
}

/** Which worker this process is; none if it is no worker. */
export const workerIdentity = (): Option.Option<WorkerIdentity> => {
  const { [numberVariable]: number, [portVariable]: port } = process.env
  // In this order: node:cluster is loaded where it is asked for, and hardly anybody has these variables.
  return number !== undefined && port !== undefined && cluster.isWorker
    ? Option.some({ number, port: Number(port) })
    : Option.none()
}

/** How workers are supervised. */
interface Supervision {
  /** Where all of them listen. */
  readonly port: number
  readonly ending: EndingTimes
  /** Whether a SIGHUP goes on to every worker. */
  readonly passOnHangup: boolean
}

/**
 * Processes that serve, and one that sees to it that there are as many as there should be. Answers the URL of them all,
 * once every one takes requests.
 */
export const superviseWorkers = Effect.fnUntraced(function* (
  count: number,
  { ending, passOnHangup, port }: Supervision
) {
  const windows = yield* RateLimiter.RateLimiterStore
  const run = Effect.runForkWith(yield* Effect.context<never>())
  const ready = new Map<number, Worker>()
  const alive = new Set<Worker>()
  const collecting = new Map<number, (text: string) => void>()
  const state = { isEnding: false, deaths: 0, asked: 0, hangups: 0 }

  const own = () =>
    [
      "# HELP headgate_workers Processes that serve requests",
      "# TYPE headgate_workers gauge",
      `headgate_workers ${ready.size}`,
      "# HELP headgate_worker_deaths_total Processes that ended without being told to",
      "# TYPE headgate_worker_deaths_total counter",
      `headgate_worker_deaths_total ${state.deaths}`,
      ""
    ].join("\n")

  const metricsOf = (worker: Worker) =>
    new Promise<string>((resolve) => {
      const id = ++state.asked
      const timer = setTimeout(() => done(""), metricsPatience)
      const done = (text: string) => {
        clearTimeout(timer)
        collecting.delete(id)
        resolve(text)
      }
      collecting.set(id, done)
      send(worker.process, { _tag: "TellMetrics", id })
    })

  const answer = (worker: Worker, id: number, question: Question) => {
    switch (question._tag) {
      case "Metrics":
        return Effect.promise(() => Promise.all(Array.from(ready.values(), metricsOf))).pipe(
          Effect.map((texts) => send(worker.process, { _tag: "Metrics", id, text: mergeMetrics([own(), ...texts]) }))
        )
      case "Window": {
        const { key, limit, refillMillis, tokens } = question
        return windows.fixedWindow({ key, limit, tokens, refillRate: Duration.millis(refillMillis) }).pipe(
          Effect.map(([count, millisLeft]) => send(worker.process, { _tag: "Window", id, count, millisLeft })),
          // Memory does not fail.
          Effect.orDie
        )
      }
    }
  }

  /** Runs one worker until it is gone, and answers why it went; `started` learns how its start went. */
  const runWorker = (slot: number, started: Deferred.Deferred<string, StartupError>) =>
    Effect.callback<string>((resume) => {
      let why: string | undefined
      const { hangups } = state
      const worker = cluster.fork({ [numberVariable]: String(slot), [portVariable]: String(port) })
      alive.add(worker)
      worker.on("message", (message: ToPrimary) => {
        switch (message._tag) {
          case "Ready":
            ready.set(slot, worker)
            // Told to end while it started.
            if (state.isEnding) send(worker.process, { _tag: "End" })
            // Too early to be told then.
            if (state.hangups !== hangups) worker.process.kill("SIGHUP")
            run(Deferred.succeed(started, message.url))
            return
          case "Failed":
            why = message.message
            run(Deferred.fail(started, new StartupError({ message: message.message })))
            return
          case "FailedLogin":
            for (const other of ready.values()) if (other !== worker) send(other.process, message)
            return
          case "Ask":
            run(answer(worker, message.id, message.question))
            return
          case "MetricsOfWorker":
            collecting.get(message.id)?.(message.text)
        }
      })
      worker.once("exit", (code, signal) => {
        alive.delete(worker)
        ready.delete(slot)
        resume(Effect.succeed(why ?? signal ?? `exit code ${code}`))
      })
    })

  /** Keeps one worker alive, for ever. */
  const keep = (slot: number, first: Deferred.Deferred<string, StartupError>) =>
    Effect.gen(function* () {
      let pause = firstPause
      let started = first
      for (;;) {
        const [lived, why] = yield* Effect.timed(runWorker(slot, started))
        yield* Deferred.fail(started, new StartupError({ message: `a worker ended as it started: ${why}` }))
        if (state.isEnding) return
        state.deaths++
        pause = Duration.toMillis(lived) > healthyAfter ? firstPause : pause
        yield* Effect.logWarning(`worker ${slot} is gone (${why}): another takes its place in ${pause} ms`)
        yield* Effect.sleep(pause)
        pause = Math.min(pause * 2, longestPause)
        started = yield* Deferred.make<string, StartupError>()
      }
    })

  const start = Effect.fnUntraced(function* (slot: number) {
    const started = yield* Deferred.make<string, StartupError>()
    yield* Effect.forkScoped(keep(slot, started))
    return yield* Deferred.await(started)
  })

  const end = Effect.callback<void>((resume) => {
    const done = () => {
      if (alive.size === 0) resume(Effect.void)
    }
    for (const worker of alive) {
      worker.once("exit", done)
      send(worker.process, { _tag: "End" })
    }
    done()
  })
  const kill = Effect.sync(() => {
    for (const worker of alive) worker.process.kill("SIGKILL")
  })
  yield* Effect.addFinalizer(() => {
    state.isEnding = true
    return Effect.interruptible(end).pipe(
      Effect.timeoutOrElse({
        duration: Duration.sum(Duration.sum(ending.delay, ending.grace), endPatience),
        orElse: () => kill
      })
    )
  })

  if (passOnHangup) {
    const passOn = () => {
      state.hangups++
      for (const worker of ready.values()) worker.process.kill("SIGHUP")
    }
    yield* Effect.acquireRelease(
      Effect.sync(() => process.on("SIGHUP", passOn)),
      () => Effect.sync(() => process.off("SIGHUP", passOn))
    )
  }

  // One first: what is wrong with a start is wrong with all of them.
  const url = yield* start(1)
  yield* Effect.forEach(Array.from({ length: count - 1 }), (_, index) => start(index + 2), { concurrency: "unbounded" })

  return url
})
