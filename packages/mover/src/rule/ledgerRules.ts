import type { Generation, Owner } from "../port/Ledger.ts"
import { LedgerChanged, OwnershipLost } from "../range/MoveError.ts"
import { type Position, Range, type RejectedRows, type Staged } from "../range/Range.ts"

/** A generation as a ledger compares it. */
type Current = Pick<Generation, "generation" | "source"> | undefined

const changed = (message: string) => new LedgerChanged({ message: `${message}: the ledger is read again` })

const isOf = (current: Current, { generation, source }: Range): boolean =>
  current?.generation === generation && current.source === source

/** What a ledger holds of the oldest pending range of a partition. */
interface LedgerPending extends Pick<Range, "from" | "to"> {
  readonly staged?: Staged
}

const isOldest = <Oldest extends Pick<Range, "from" | "to">>(
  current: Current,
  oldest: Oldest | undefined,
  range: Range
): oldest is Oldest => isOf(current, range) && oldest?.from === range.from && oldest.to === range.to

/** What a ledger holds of a partition: its oldest pending range, and the end of the last one that is done. */
interface LedgerPartition {
  readonly oldest: Pick<Range, "from" | "to"> | undefined
  readonly done: Position | undefined
}

/** The rules by which every `Ledger` accepts or refuses a write. They return why it is refused. */
export const ledgerRules = {
  /**
   * Why an owner may not write to a ledger that has given the pipe to `current`.
   *
   * Epochs tell the two cases apart: an epoch below the owner's is that of a backup from before the owner took the pipe. Ids
   * tell owners apart whose epochs are the same, because a backup was restored between them.
   *
   * @example
   * ```ts
   * import { PipeId } from "@headgate/core"
   * import { ledgerRules } from "@headgate/mover"
   *
   * const pipeId = PipeId.make("b1be0000-0000-4000-8000-000000000001")
   * const owner = { pipeId, epoch: 1, id: "one" }
   * console.log(ledgerRules.owner({ epoch: 1, id: "one" }, owner)) // undefined
   * console.log(ledgerRules.owner({ epoch: 2, id: "two" }, owner)?._tag) // OwnershipLost
   * ```
   */
  owner: (
    current: Pick<Owner, "epoch" | "id"> | undefined,
    { epoch, id }: Owner
  ): OwnershipLost | LedgerChanged | undefined => {
    const currentEpoch = current?.epoch ?? 0
    if (currentEpoch < epoch) return changed(`a backup was restored, of epoch ${currentEpoch}, and this is ${epoch}`)
    return current?.id === id
      ? undefined
      : new OwnershipLost({ message: `another mover took the pipe: epoch ${currentEpoch}, and this one has ${epoch}` })
  },

  /**
   * Why a generation may not begin.
   *
   * @example
   * ```ts
   * import { ledgerRules } from "@headgate/mover"
   *
   * const next = { generation: 2, source: "a topic id", starts: new Map<string, string>() }
   * console.log(ledgerRules.begin({ generation: 1, source: "a topic id" }, next)) // undefined
   * console.log(ledgerRules.begin({ generation: 2, source: "a topic id" }, next)?._tag) // LedgerChanged
   * ```
   */
  begin: (current: Current, { generation }: Generation): LedgerChanged | undefined =>
    generation > (current?.generation ?? 0) ? undefined : changed(`generation ${generation} has begun already`),

  /**
   * Why a range may not be recorded after `last`: the last recorded position of its partition, or where that begins.
   *
   * @example
   * ```ts
   * import { PipeId } from "@headgate/core"
   * import { ledgerRules, type Range } from "@headgate/mover"
   *
   * const current = { generation: 1, source: "a topic id" }
   * const pipeId = PipeId.make("b1be0000-0000-4000-8000-000000000001")
   * const range: Range = { ...current, pipeId, partition: "0", from: "100", to: "200" }
   * console.log(ledgerRules.record(current, "100", range)) // undefined
   * console.log(ledgerRules.record(current, "150", range)?._tag) // LedgerChanged
   * ```
   */
  record: (current: Current, last: Position | undefined, range: Range): LedgerChanged | undefined =>
    isOf(current, range) && (last === undefined || last === range.from)
      ? undefined
      : changed(`${Range.describe(range)} does not follow ${last ?? "the start"}`),

  /**
   * What to do with a range that is marked as done: it is `pending` and is done now, or is `done` already.
   *
   * @example
   * ```ts
   * import { PipeId } from "@headgate/core"
   * import { ledgerRules, type Range } from "@headgate/mover"
   *
   * const current = { generation: 1, source: "a topic id" }
   * const pipeId = PipeId.make("b1be0000-0000-4000-8000-000000000001")
   * const range: Range = { ...current, pipeId, partition: "0", from: "100", to: "200" }
   * console.log(ledgerRules.done(current, { oldest: range, done: "100" }, range)) // pending
   * console.log(ledgerRules.done(current, { oldest: undefined, done: "200" }, range)) // done
   * ```
   */
  done: (current: Current, { done, oldest }: LedgerPartition, range: Range): "pending" | "done" | LedgerChanged => {
    if (isOldest(current, oldest, range)) return "pending"
    if (isOf(current, range) && done === range.to) return "done"
    return changed(`${Range.describe(range)} is not the next pending one`)
  },

  /**
   * Why rows of a range may not be recorded as rejected. `found` is the pending range of that place, with what was recorded before.
   *
   * @example
   * ```ts
   * import { PipeId } from "@headgate/core"
   * import { ledgerRules, type Range } from "@headgate/mover"
   *
   * const current = { generation: 1, source: "a topic id" }
   * const pipeId = PipeId.make("b1be0000-0000-4000-8000-000000000001")
   * const range: Range = { ...current, pipeId, partition: "0", from: "100", to: "200" }
   * const rejected = { rows: [3, 7], checkedBy: "the columns" }
   * console.log(ledgerRules.rejected(current, range, range, rejected)) // undefined
   * console.log(ledgerRules.rejected(current, { ...range, rejected }, range, { ...rejected, rows: [3] })?._tag) // LedgerChanged
   * ```
   */
  rejected: (
    current: Current,
    found: (Pick<Range, "from" | "to"> & { readonly rejected?: RejectedRows }) | undefined,
    range: Range,
    { checkedBy, rows }: RejectedRows
  ): LedgerChanged | undefined => {
    if (!isOldest(current, found, range)) return changed(`${Range.describe(range)} is not pending`)
    const { rejected } = found
    const kept = new Set(rows)
    return rejected === undefined || rejected.checkedBy !== checkedBy || rejected.rows.every((row) => kept.has(row))
      ? undefined
      : changed(`${Range.describe(range)}: rows that were recorded as rejected are missing`)
  },

  /**
   * Why a range may not be recorded as staged.
   *
   * @example
   * ```ts
   * import { PipeId } from "@headgate/core"
   * import { ledgerRules, type Range } from "@headgate/mover"
   *
   * const current = { generation: 1, source: "https://files.example.com/logs/*.json" }
   * const pipeId = PipeId.make("b1be0000-0000-4000-8000-000000000001")
   * const range: Range = { ...current, pipeId, partition: "0", from: "", to: "logs/1.json" }
   * const staged = { staging: "staging_1", parts: [] }
   * console.log(ledgerRules.staged(current, range, range, staged)) // undefined
   * console.log(ledgerRules.staged(current, { ...range, staged }, range, { ...staged, staging: "staging_2" })?._tag) // LedgerChanged
   * ```
   */
  staged: (
    current: Current,
    oldest: LedgerPending | undefined,
    range: Range,
    { staging }: Staged
  ): LedgerChanged | undefined =>
    isOldest(current, oldest, range) && (oldest.staged?.staging ?? staging) === staging
      ? undefined
      : changed(`${Range.describe(range)} is not the next pending one, or is staged elsewhere`),

  /**
   * Why a part of a staged range may not be marked as moving or moved.
   *
   * @example
   * ```ts
   * import { PipeId } from "@headgate/core"
   * import { ledgerRules, type Range } from "@headgate/mover"
   *
   * const current = { generation: 1, source: "https://files.example.com/logs/*.json" }
   * const pipeId = PipeId.make("b1be0000-0000-4000-8000-000000000001")
   * const range: Range = { ...current, pipeId, partition: "0", from: "", to: "logs/1.json" }
   * const staged = { staging: "staging_1", parts: [{ part: "202601", rows: 10 }] }
   * console.log(ledgerRules.moved(current, { ...range, staged }, range, "202601")) // undefined
   * console.log(ledgerRules.moved(current, range, range, "202601")?._tag) // LedgerChanged
   * ```
   */
  moved: (current: Current, oldest: LedgerPending | undefined, range: Range, part: string): LedgerChanged | undefined =>
    isOldest(current, oldest, range) && oldest.staged?.parts.some((one) => one.part === part) === true
      ? undefined
      : changed(`${Range.describe(range)} is not the next pending one, or part ${part} is not staged`),

  /**
   * Why the objects of a range may not be recorded anew. `pending` is what the ledger holds of that range.
   *
   * @example
   * ```ts
   * import { PipeId } from "@headgate/core"
   * import { ledgerRules, type Range } from "@headgate/mover"
   *
   * const current = { generation: 1, source: "https://files.example.com/logs/*.json" }
   * const pipeId = PipeId.make("b1be0000-0000-4000-8000-000000000001")
   * const range: Range = { ...current, pipeId, partition: "0", from: "0", to: "1" }
   * console.log(ledgerRules.narrowed(current, range, range)) // undefined
   * console.log(ledgerRules.narrowed(current, undefined, range)?._tag) // LedgerChanged
   * ```
   */
  narrowed: (current: Current, pending: LedgerPending | undefined, range: Range): LedgerChanged | undefined =>
    isOldest(current, pending, range) && pending.staged === undefined
      ? undefined
      : changed(`${Range.describe(range)} is not pending, or is staged`)
}
