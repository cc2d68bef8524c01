import * as Effect from "effect/Effect"
import type { ChangeSource, CopiedTable } from "../port/ChangeSource.ts"
import type { Generation, Ledger, LedgerState, Owner } from "../port/Ledger.ts"
import type { RangeLimits } from "../port/Source.ts"
import type { VersionedTables } from "../port/VersionedTables.ts"
import { addDelivered, type DeliveredRows, nothingDelivered, type Position, type Range } from "../range/Range.ts"
import { rejectedText } from "../rule/copyPlan.ts"
import { positionsOf } from "../rule/copyRounds.ts"
import type { Attempts, MoverOptions } from "./runAttempts.ts"

/** What `copyPipe` copies, and how much at once. */
export interface CopyOptions extends MoverOptions {
  /** The most that one insert holds, and for how long changes wait for more of them. */
  readonly limits: RangeLimits
  /** Parts of a snapshot that are read and inserted at the same time. Memory is bounded by this times twice `limits.bytes`. */
  readonly inFlight: number
  /** Parts of one table that are read at the same time, and tables that are: fewer than `inFlight` allows. */
  readonly partsAtOnce?: number
  readonly tablesAtOnce?: number
}

/** A table that is being copied, with the parts of its snapshot that are left. `plan` is pending in the ledger. */
export interface Copying {
  readonly table: CopiedTable
  readonly round: number
  readonly plan: Range
  readonly parts: ReadonlyArray<readonly [number, string]>
}

/** Marks a range as done, after the log of the warehouse has it. */
export const finishRange = (
  tables: VersionedTables["Service"],
  ledger: Ledger["Service"],
  owner: Owner,
  range: Range,
  delivered: DeliveredRows
) => Effect.andThen(tables.log(range), ledger.markDone(owner, range, delivered))

/** What the phases of an attempt to copy a pipe share. */
export const makeCopyContext = (given: {
  readonly options: CopyOptions
  readonly source: ChangeSource["Service"]
  readonly tables: VersionedTables["Service"]
  readonly ledger: Ledger["Service"]
  readonly owner: Owner
  readonly attempts: Attempts
  readonly state: LedgerState
  readonly generation: Generation
}) => {
  const { attempts, generation, ledger, options, owner, state, tables } = given
  /** Where each partition stands. It is kept true for the partitions of tables. */
  const positions = new Map(positionsOf(state))
  const rangeOf = (partition: string, to: Position): Range => ({
    pipeId: options.pipeId,
    generation: generation.generation,
    source: generation.source,
    partition,
    from: positions.get(partition) ?? "",
    to
  })
  const finish = (range: Range, delivered: DeliveredRows = nothingDelivered) =>
    finishRange(tables, ledger, owner, range, delivered)
  return {
    ...given,
    positions,
    rangeOf,
    finish,
    /** Records what is in the tables already. */
    note: (range: Range, delivered: DeliveredRows = nothingDelivered) => {
      const { bytes, rejected, rows } = delivered
      const noted = { ...range, rows, bytes, ...(rejected === 0 ? {} : { detail: rejectedText(rejected) }) }
      return Effect.andThen(ledger.record(owner, noted), finish(noted, delivered))
    },
    recover: attempts.recover(owner, "exactly once"),
    count: (rows: number, bytes: number, rejectedRows: number) =>
      attempts.report((status) => ({
        ranges: status.ranges + 1,
        rows: status.rows + rows,
        bytes: status.bytes + bytes,
        rejectedRows: status.rejectedRows + rejectedRows,
        delivered: addDelivered(status.delivered ?? nothingDelivered, { rows, rejected: rejectedRows, bytes })
      }))
  }
}

export type CopyContext = ReturnType<typeof makeCopyContext>
