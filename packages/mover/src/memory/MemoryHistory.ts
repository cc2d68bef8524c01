import type { PipeId } from "@headgate/core"
import { historyRules, type PackedHistory } from "@headgate/core/adapter"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { History } from "../port/History.ts"
import type { DeliveredRows } from "../range/Range.ts"

interface Held extends DeliveredRows {
  readonly epoch: number
  /** The minute from which the notes count. */
  readonly since: number
  /** That of the last note. */
  readonly minute: number
  readonly notes: string
  readonly packed: ReadonlyArray<PackedHistory>
}

const empty: Held = { epoch: 0, rows: 0, rejected: 0, bytes: 0, since: 0, minute: 0, notes: "", packed: [] }

const minutesOfDay = 24 * 60

/** Of totals that fell, all of what they are now was delivered since. */
const since = (total: number, before: number): number => (total < before ? total : total - before)

/**
 * The history of pipes in memory. `totals`: the epoch of a pipe's owner and what it has ever delivered, as `MemoryLedger.make` returns
 * it.
 *
 * @example
 * ```ts
 * import { MemoryHistory, MemoryLedger } from "@headgate/mover/memory"
 *
 * const { ledger, totals } = MemoryLedger.make()
 * export const store = { ledger, history: MemoryHistory.make(totals) }
 * ```
 */
const make = (
  totals: (pipeId: PipeId) => (DeliveredRows & { readonly epoch: number }) | undefined
): History["Service"] => {
  const held = new Map<PipeId, Held>()
  const movers = new Map<number, number>()
  const now = Effect.map(Clock.currentTimeMillis, (millis) => Math.floor(millis / 60_000))

  const spansOf = ({ notes, since }: Held) => historyRules.spansOfNotes(historyRules.parseNotes(since, notes), movers)

  return {
    beat: (last) =>
      Effect.map(now, (minute) => {
        const pause = minute - (movers.get(last ?? 0) ?? 0)
        const mover = last !== undefined && pause >= 0 && pause <= historyRules.longestPause ? last : movers.size + 1
        movers.set(mover, minute)
        return mover
      }),
    note: (mover, notes, which) =>
      Effect.map(now, (current) => {
        const noted = new Set<PipeId>()
        for (const { epoch, lag, pipeId, state } of notes) {
          const total = totals(pipeId)
          const before = held.get(pipeId) ?? { ...empty, since: current }
          if (total?.epoch !== epoch || before.epoch > epoch) continue
          const minute = which === "this" || before.minute === current ? current : current - 1
          const delivered = [
            since(total.rows, before.rows),
            since(total.rejected, before.rejected),
            since(total.bytes, before.bytes)
          ]
          const fields = [
            minute - before.since,
            mover,
            ...(before.epoch < 0 ? [0, 0, 0] : delivered),
            lag ?? "-",
            historyRules.stateNumber(state)
          ]
          held.set(pipeId, { ...before, ...total, minute, notes: `${before.notes}${fields.join(" ")};` })
          noted.add(pipeId)
        }
        return noted
      }),
    tidy: (days) =>
      Effect.map(now, (minute) => {
        const oldest = minute - days * minutesOfDay
        for (const [pipeId, one] of held) {
          const isFull = one.notes.length > historyRules.mostNotes || one.since < minute - historyRules.fineFor
          const packed = isFull ? [...one.packed, ...packedOf(historyRules.pack(spansOf(one), 1))] : one.packed
          const notes = isFull ? historyRules.restOfNotes(one.since, one.notes, movers, minute) : one.notes
          const isOld = ({ ends, step }: PackedHistory) =>
            step === 1 && ends < minute - historyRules.fineFor - historyRules.coarseStep
          const thinned = [...packedOf(historyRules.thin(packed.filter(isOld))), ...packed.filter((p) => !isOld(p))]
          const kept = thinned.filter(({ ends }) => ends >= oldest)
          held.set(pipeId, { ...one, since: isFull ? minute : one.since, notes, packed: kept })
        }
      }),
    clear: Effect.sync(() => {
      for (const [pipeId, one] of held) held.set(pipeId, { ...one, epoch: -1, notes: "", packed: [] })
    }),
    read: (pipeId, from, to) =>
      Effect.sync(() => {
        const one = held.get(pipeId) ?? empty
        const packed = one.packed.filter(({ begins, ends }) => ends >= from && begins < to)
        return [...packed.flatMap(historyRules.unpack), ...spansOf(one)].filter(
          ({ at, minutes }) => at < to && at + minutes > from
        )
      })
  }
}

const packedOf = (packed: PackedHistory | undefined): ReadonlyArray<PackedHistory> =>
  packed === undefined ? [] : [packed]

/** The history of pipes in one process, for tests and for a server whose store is memory. */
export const MemoryHistory = { make }
