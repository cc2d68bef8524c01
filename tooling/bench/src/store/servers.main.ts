// Some of the simulated servers of `bench:store`: they run the loop of a server over a store, and move nothing.
import { startMover } from "@headgate/harness/startMover"
import type { LivePipe } from "@headgate/mover-runtime"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import * as Tracer from "effect/Tracer"
import type { Started, Watched } from "./messages.ts"
import { connectors, countRows, makeEngine } from "./countingPipes.ts"

/** How often rows are counted, in milliseconds. */
const counted = 1000

/** The durations of the spans of leases since they were read last, by the span, in milliseconds. */
const durations = new Map<string, Array<number>>()

class TimedSpan extends Tracer.NativeSpan {
  override end(...[endTime, exit]: Parameters<Tracer.NativeSpan["end"]>): void {
    super.end(endTime, exit)
    const kept = durations.get(this.name) ?? []
    durations.set(this.name, kept)
    kept.push(Number(endTime - this.startTime) / 1e6)
  }
}

const tracer = Tracer.make({
  span: (options) => (options.name.startsWith("SqlLeases.") ? new TimedSpan(options) : new Tracer.NativeSpan(options))
})

const servers: Array<ReadonlyMap<string, LivePipe>> = []
/** What each server moved when it was looked at last. */
let before: ReadonlyArray<ReadonlyMap<string, LivePipe>> = []
let lost = 0

/** A pipe that a server moved, and does not move any more or moves anew, was lost: nobody stops a pipe or a server. */
const look = () => {
  servers.forEach((running, index) => {
    for (const [id, live] of before[index] ?? []) if (running.get(id) !== live) lost += 1
    for (const live of running.values()) countRows(live, 100)
  })
  before = servers.map((running) => new Map(running))
}

const start = ({ connections, count, historyDays, url }: Started) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const parts = { url: Redacted.make(url), connections, connectors, engine: makeEngine(), historyDays }
    // As an operator starts a server again that did not start on a busy database.
    const one = Scope.provide(startMover(parts), scope).pipe(
      Effect.retry(Schedule.spaced("1 seconds")),
      Effect.map((running) => servers.push(running))
    )
    yield* Effect.all(Arr.replicate(one, count), { concurrency: 4, discard: true })
  }).pipe(Effect.withTracer(tracer), Effect.provide(Logger.layer([])), Effect.runPromise)

const read = (): Watched => {
  const held = servers.reduce((sum, { size }) => sum + size, 0)
  const { system, user } = process.cpuUsage()
  const watched = { held, lost, durations: Object.fromEntries(durations), cpu: (user + system) / 1e6 }
  lost = 0
  durations.clear()
  return watched
}

process.on("message", async (message: Started | "read") => {
  if (message === "read") return process.send?.(read())
  await start(message)
  setInterval(look, counted)
  process.send?.("started")
})
