import type { PipeId } from "@headgate/core"
import type { PipeMetrics } from "@headgate/core/adapter"
import type { LedgerError } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { mover, encodeMetrics, readLag, readSavedMetrics } from "../pipe/metrics.ts"
import type { LivePipe } from "../pipe/LivePipe.ts"
import type { MoverStore } from "../pipe/MoverContext.ts"
import { monotonicMillis } from "./monotonicMillis.ts"

/** The metrics are kept so often, in milliseconds: a source is asked for its lag each time. */
const keepInterval = 3000

/** How many sources are asked for their lag at the same time. */
const atOnce = 8

/** Keeps the metrics of pipes in the store, for other processes and later movers. */
export interface MetricsKeeper {
  /** Keeps those that have changed, as they are now. */
  readonly save: (lives: ReadonlyArray<LivePipe>) => Effect.Effect<void, LedgerError>
  /** Keeps those of the pipes of this process that were not kept for some time, and asks their sources for the lag before. */
  readonly saveDue: (running: ReadonlyMap<PipeId, LivePipe>) => Effect.Effect<void, LedgerError>
  /** What was last kept of a pipe; nothing if it begins anew, which is stored first. */
  readonly begin: (pipeId: PipeId, isNew: boolean) => Effect.Effect<PipeMetrics, LedgerError>
}

export const makeMetricsKeeper = Effect.fnUntraced(function* ({ leases, metrics }: MoverStore, leaseName: string) {
  const keeping = yield* Semaphore.make(1)

  // One after the other: none replaces a later one.
  const save: MetricsKeeper["save"] = (lives) =>
    Effect.gen(function* () {
      const at = yield* monotonicMillis
      const found = lives.map((live) => ({ live, id: live.record.pipe.id, text: encodeMetrics(live) }))
      const changed = found.filter(({ live, text }) => text !== live.kept?.metrics)
      if (changed.length > 0) yield* metrics.saveMetrics(leaseName, new Map(changed.map(({ id, text }) => [id, text])))
      for (const { live, text } of found) live.kept = { metrics: text, at }
    }).pipe(keeping.withPermit)

  const keeper: MetricsKeeper = {
    save,
    saveDue: Effect.fnUntraced(function* (running) {
      const now = yield* monotonicMillis
      const due = Array.from(running.values()).filter(({ kept }) => kept === undefined || now - kept.at >= keepInterval)
      // Only other processes read it from there.
      if (leases !== undefined) yield* Effect.forEach(due, readLag, { concurrency: atOnce, discard: true })
      yield* save(due.filter((live) => running.get(live.record.pipe.id) === live && live.end?._tag !== "Superseded"))
    }),
    begin: Effect.fnUntraced(function* (pipeId, isNew) {
      if (isNew) {
        // Before the state says that the pipe has begun anew.
        yield* metrics.saveMetrics(leaseName, new Map([[pipeId, JSON.stringify({ mover })]]))
        return {}
      }
      const saved = (yield* metrics.savedMetrics([pipeId])).get(pipeId)
      return saved === undefined ? {} : readSavedMetrics(saved)
    })
  }
  return keeper
})
