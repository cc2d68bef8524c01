import type { Generation, Owner } from "../port/Ledger.ts"
import { LedgerChanged, OwnershipLost } from "../range/MoveError.ts"
import { describeRange, type Position, type Range } from "../range/Range.ts"

// The rules by which every `Ledger` accepts or refuses a write. They return why it is refused.

/** A generation as a ledger compares it. */
type Current = Pick<Generation, "generation" | "source"> | undefined

const changed = (message: string) => new LedgerChanged({ message: `${message}: the ledger is read again` })

const isOf = (current: Current, { generation, source }: Range): boolean =>
  current?.generation === generation && current.source === source

/**
 * Why an owner may not write to a ledger that has given the pipe to `current`.
 *
 * Epochs tell the two cases apart: an epoch below the owner's is that of a backup from before the owner took the pipe. Ids
 * tell owners apart whose epochs are the same, because a backup was restored between them.
 *
 * @example
 * ```ts
 * import { PipeId } from "@headgate/core"
 * import { checkOwner } from "@headgate/mover"
 *
 * const pipeId = PipeId.make("b1be0000-0000-4000-8000-000000000001")
 * const owner = { pipeId, epoch: 1, id: "one" }
 * console.log(checkOwner({ epoch: 1, id: "one" }, owner)) // undefined
 * console.log(checkOwner({ epoch: 2, id: "two" }, owner)?._tag) // OwnershipLost
 * ```
 */
export const checkOwner = (
  current: Pick<Owner, "epoch" | "id"> | undefined,
  { epoch, id }: Owner
): OwnershipLost | LedgerChanged | undefined => {
  const currentEpoch = current?.epoch ?? 0
  if (currentEpoch < epoch) return changed(`a backup was restored, of epoch ${currentEpoch}, and this is ${epoch}`)
  return current?.id === id
    ? undefined
    : new OwnershipLost({ message: `another mover took the pipe: epoch ${currentEpoch}, and this one has ${epoch}` })
}

/**
 * Why a generation may not begin.
 *
 * @example
 * ```ts
 * import { checkBegin } from "@headgate/mover"
 *
 * const next = { generation: 2, source: "a topic id", starts: new Map<string, string>() }
 * console.log(checkBegin({ generation: 1, source: "a topic id" }, next)) // undefined
 * console.log(checkBegin({ generation: 2, source: "a topic id" }, next)?._tag) // LedgerChanged
 * ```
 */
export const checkBegin = (current: Current, { generation }: Generation): LedgerChanged | undefined =>
  generation > (current?.generation ?? 0) ? undefined : changed(`generation ${generation} has begun already`)

/**
 * Why a range may not be recorded after `last`: the last recorded position of its partition, or where that begins.
 *
 * @example
 * ```ts
 * import { PipeId } from "@headgate/core"
 * import { checkRecord, type Range } from "@headgate/mover"
 *
 * const current = { generation: 1, source: "a topic id" }
 * const pipeId = PipeId.make("b1be0000-0000-4000-8000-000000000001")
 * const range: Range = { ...current, pipeId, partition: "0", from: "100", to: "200" }
 * console.log(checkRecord(current, "100", range)) // undefined
 * console.log(checkRecord(current, "150", range)?._tag) // LedgerChanged
 * ```
 */
export const checkRecord = (current: Current, last: Position | undefined, range: Range): LedgerChanged | undefined =>
  isOf(current, range) && (last === undefined || last === range.from)
    ? undefined
    : changed(`${describeRange(range)} does not follow ${last ?? "the start"}`)

/** What a ledger holds of a partition: its oldest pending range, and the end of the last one that is done. */
export interface LedgerPartition {
  readonly oldest: Pick<Range, "from" | "to"> | undefined
  readonly done: Position | undefined
}

/**
 * What to do with a range that is marked as done: it is `pending` and is done now, or is `done` already.
 *
 * @example
 * ```ts
 * import { PipeId } from "@headgate/core"
 * import { checkDone, type Range } from "@headgate/mover"
 *
 * const current = { generation: 1, source: "a topic id" }
 * const pipeId = PipeId.make("b1be0000-0000-4000-8000-000000000001")
 * const range: Range = { ...current, pipeId, partition: "0", from: "100", to: "200" }
 * console.log(checkDone(current, { oldest: range, done: "100" }, range)) // pending
 * console.log(checkDone(current, { oldest: undefined, done: "200" }, range)) // done
 * ```
 */
export const checkDone = (
  current: Current,
  { done, oldest }: LedgerPartition,
  range: Range
): "pending" | "done" | LedgerChanged => {
  if (isOf(current, range)) {
    if (oldest?.from === range.from && oldest.to === range.to) return "pending"
    if (done === range.to) return "done"
  }
  return changed(`${describeRange(range)} is not the next pending one`)
}
