import type { SourceTable } from "../port/ChangeSource.ts"
import type { LedgerState } from "../port/Ledger.ts"

// A round is one snapshot of a table and the changes that follow it. Rows of a later round have higher versions, whatever
// their place in the source's log, so that a resync replaces what is in the tables, also from another server.

// Ten bits of a version count rounds. The others are the place in the log, of which a server that writes 100 MB a second
// fills them in three years.
const roundBits = 53n

/** The most rounds that a pipe has. */
export const mostRounds = 1023

/** The version of the rows of the snapshot of a round. */
export const baseOf = (round: number): bigint => BigInt(round) << roundBits

/** The round of a version, also of one that no pipe has written: the versions of the rounds above are higher. */
export const roundOfVersion = (version: bigint): number => Number(version >> roundBits)

/** The partition of the ledger that holds how far changes are followed. */
export const changesPartition = "changes"

const tablePrefix = "table "

/** The partition of a table. Its positions are `copied N to TARGET` and `removed N to TARGET`, of round N. */
export const tablePartition = (name: string): string => `${tablePrefix}${name}`

/** Whether a partition is that of a table, whose ranges are plans. */
export const isTablePartition = (partition: string): boolean => partition.startsWith(tablePrefix)

/** The partition of a part of a table's snapshot. */
export const partPartition = (name: string, part: number): string => `part ${part} of ${name}`

export const copied = (round: number, target: string): string => `copied ${round} to ${target}`
export const removed = (round: number, target: string): string => `removed ${round} to ${target}`

/** Where a table stands in the ledger. */
export interface TableRound {
  readonly state: "copied" | "removed"
  readonly round: number
  /** The target that has its rows. */
  readonly target: string
}

const roundOf = (position: string): TableRound => {
  const [state, round, , ...target] = position.split(" ")
  return { state: state === "copied" ? "copied" : "removed", round: Number(round), target: target.join(" ") }
}

/** Whether a table is copied into its target, or is being copied. */
export const isCopied = (found: TableRound | undefined, { target }: SourceTable): found is TableRound =>
  found?.state === "copied" && found.target === target

/** The last recorded position of each partition, or where its generation begins it. */
export const positionsOf = ({ current, recorded }: LedgerState): ReadonlyMap<string, string> =>
  new Map([...(current?.starts ?? []), ...recorded])

/** The tables that the ledger knows, by their names, with their last recorded positions. */
export const tableRounds = (positions: ReadonlyMap<string, string>): ReadonlyMap<string, TableRound> =>
  new Map(
    Array.from(positions).flatMap(([partition, position]) =>
      isTablePartition(partition) ? [[partition.slice(tablePrefix.length), roundOf(position)] as const] : []
    )
  )

/** A round that no table of the pipe has had. */
export const nextRound = (positions: ReadonlyMap<string, string>): number =>
  1 + Math.max(-1, ...Array.from(tableRounds(positions).values(), ({ round }) => round))
