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

/** The partition of the ledger that holds how far changes are followed. */
export const changesPartition = "changes"

/** The partition whose start is the round of a generation. */
export const roundPartition = "round"

const tablePrefix = "table "

/** The partition of a table. Its positions are `copied N` and `removed N`, of round N. */
export const tablePartition = (name: string): string => `${tablePrefix}${name}`

/** The partition of a part of a table's snapshot. */
export const partPartition = (name: string, part: number): string => `part ${part} of ${name}`

export const copied = (round: number): string => `copied ${round}`
export const removed = (round: number): string => `removed ${round}`

/** Where a table stands in the ledger. */
export interface TableRound {
  readonly state: "copied" | "removed"
  readonly round: number
}

const roundOf = (position: string): TableRound => {
  const [state, round] = position.split(" ")
  return { state: state === "copied" ? "copied" : "removed", round: Number(round) }
}

/** The tables that the ledger knows, by their names, with their last recorded positions. */
export const tableRounds = (positions: ReadonlyMap<string, string>): ReadonlyMap<string, TableRound> =>
  new Map(
    Array.from(positions).flatMap(([partition, position]) =>
      partition.startsWith(tablePrefix) ? [[partition.slice(tablePrefix.length), roundOf(position)] as const] : []
    )
  )

/** The round of the tables that a generation begins with. */
export const firstRound = ({ current }: LedgerState): number => Number(current?.starts.get(roundPartition) ?? "0")

/** A round that no table of the pipe has had. */
export const nextRound = (state: LedgerState): number =>
  1 + Math.max(firstRound(state), ...Array.from(tableRounds(state.recorded).values(), ({ round }) => round))
