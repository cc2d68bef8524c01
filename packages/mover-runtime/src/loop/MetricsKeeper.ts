import type { PipeId } from "@headgate/core"
import type { PipeMetrics } from "@headgate/core/adapter"
import type { LedgerError } from "@headgate/mover"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { hasChanged } from "../pipe/hasChanged.ts"
import { encodeMetrics, mover, readLag, readStoredMetrics } from "../pipe/metrics.ts"
import type { LivePipe } from "../pipe/LivePipe.ts"
import type { MoverStore } from "../pipe/MoverContext.ts"
import { monotonicMillis } from "./monotonicMillis.ts"

/** The metrics of a pipe that moves are kept so often at most, in milliseconds: a source is asked for its lag each time. */
const keepInterval = 10_000

/** How many sources are asked for their lag at the same time. */
const atOnce = 8

/** Keeps the metrics of pipes in the store, for other processes and later movers. */
export interface MetricsKeeper {
  /** The session that takes pipes now. */
  readonly session: () => string
  /** Keeps those that have changed, as they are now. */
  readonly save: (lives: ReadonlyArray<LivePipe>) => Effect.Effect<void, LedgerError>
  /**
   * Keeps those of the pipes of this process that were not kept for some time, if a figure has changed by more than 1 %, or anything else
   * has changed. Their sources are asked for the lag before.
   */
  readonly saveDue: (running: ReadonlyMap<PipeId, LivePipe>) => Effect.Effect<void, LedgerError>
  /** What was last kept of a pipe, with the counts of the ledger; nothing if it begins anew, which is stored first. */
  readonly begin: (session: string, pipeId: PipeId, isNew: boolean) => Effect.Effect<PipeMetrics, LedgerError>
}

/** `session`: the session that takes pipes now. */
export const makeMetricsKeeper = Effect.fnUntraced(function* (
  { leases, ledger, metrics }: MoverStore,
  session: () => string
) {
  const keeping = yield* Semaphore.make(1)

  // One after the other: none replaces a later one.
  const saveIf = (lives: ReadonlyArray<LivePipe>, isDifferent: (before: string | undefined, now: string) => boolean) =>
    Effect.gen(function* () {
      const at = yield* monotonicMillis
      const found = lives.map((live) => {
        const now = encodeMetrics(live)
        return { live, now, isChanged: isDifferent(live.kept?.metrics, now) }
      })
      const changed = Arr.groupBy(
        found.filter(({ isChanged }) => isChanged),
        ({ live }) => live.session
      )
      for (const [id, group] of Object.entries(changed)) {
        const texts = group.map(({ live, now }) => [live.record.pipe.id, now] as const)
        yield* metrics.saveMetrics(id, new Map(texts))
      }
      for (const { isChanged, live, now } of found) {
        live.kept = { metrics: isChanged ? now : (live.kept?.metrics ?? now), at }
      }
    }).pipe(keeping.withPermit)

  const keeper: MetricsKeeper = {
    session,
    save: (lives) => saveIf(lives, (before, now) => before !== now),
    saveDue: Effect.fnUntraced(function* (running) {
      const now = yield* monotonicMillis
      const due = Array.from(running.values()).filter(({ kept }) => kept === undefined || now - kept.at >= keepInterval)
      // Only other processes read it from there.
      if (leases !== undefined) yield* Effect.forEach(due, readLag, { concurrency: atOnce, discard: true })
      const moved = due.filter((live) => running.get(live.record.pipe.id) === live && live.end?._tag !== "Superseded")
      yield* saveIf(moved, hasChanged)
    }),
    begin: Effect.fnUntraced(function* (id, pipeId, isNew) {
      if (isNew) {
        // Before the state says that the pipe has begun anew.
        yield* metrics.saveMetrics(id, new Map([[pipeId, JSON.stringify({ mover })]]))
        return {}
      }
      return (yield* readStoredMetrics({ ledger, metrics }, [pipeId])).get(pipeId) ?? {}
    })
  }
  return keeper
})
