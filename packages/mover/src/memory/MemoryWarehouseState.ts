import * as Effect from "effect/Effect"
import type { RejectedRangeRow, Destination, LoggedObjects, LoggedPositions } from "../port/Warehouse.ts"
import { WarehouseError } from "../range/MoveError.ts"
import type { Range } from "../range/Range.ts"

/** How the destination table behaves. */
export interface MemoryWarehouseOptions {
  readonly destination?: Destination
  /** How many tokens it remembers, as a user's own table that nobody may alter. Absent: as many as the pipe asks for. */
  readonly window?: number
  /**
   * Cuts the first inserts into blocks of so many rows, later ones not at all: what `Warehouse` forbids, and what the engine
   * does with the settings of its defaults. Tests use it to see a law broken.
   */
  readonly blockRows?: ReadonlyArray<number>
  /** The rows of an object by its key, those that are blank left out; `undefined` if there is none. Absent: it cannot read objects. */
  readonly objects?: (key: string) => ReadonlyArray<string> | undefined
  /** In which partition of the table a row is. By default all are in one. */
  readonly partOf?: (text: string) => string
  /** Why a row cannot be read; `undefined` for one that can. */
  readonly rejects?: (text: string) => string | undefined
  /** By what rows are rejected: another text says that other rows may be. */
  readonly checkedBy?: () => string
}

/** A row of the table, and where it came from. */
export interface TableRow {
  readonly generation: number
  readonly partition: string
  readonly text: string
}

/** What an owner has staged: the rows that are not moved yet, by the partition of the table. */
export interface Staging {
  readonly generation: number
  readonly partition: string
  readonly pipeId: string
  readonly epoch: number
  readonly ownerId: string
  readonly rows: Map<string, ReadonlyArray<string>>
}

/** What a backup of the warehouse has. */
export interface MemoryWarehouseData {
  rows: ReadonlyArray<TableRow>
  rejectedRows: ReadonlyArray<RejectedRangeRow>
  tokens: ReadonlyArray<string>
  logged: ReadonlyMap<string, LoggedPositions>
  objects: ReadonlyMap<string, LoggedObjects>
  inserts: number
  /** How many moves were interrupted, and left rows in the table and in the staging. */
  interrupted: number
  /** Tells the table from another one of its name. */
  table: number
}

/** A warehouse in memory: what its methods share. */
export interface MemoryWarehouseState {
  readonly options: MemoryWarehouseOptions
  readonly data: MemoryWarehouseData
  readonly stagings: Map<string, Staging>
  readonly rejected: Map<string, ReadonlyArray<RejectedRangeRow>>
  /** How many tokens the table remembers. */
  window: number
  /** After how many rows the next insert breaks off. */
  breaksAfter: number | undefined
  /** The statements that have inserted into one of the two tables, or tried to, and the inserts that were sent. */
  statements: number
  sent: number
}

/** Whether a token is new; from now on it is used. */
export const useToken = ({ data, window }: MemoryWarehouseState, token: string): boolean => {
  if (data.tokens.includes(token)) return false
  data.tokens = [...data.tokens, token].slice(-window)
  data.inserts += 1
  return true
}

export const insertBlocks = (
  state: MemoryWarehouseState,
  { generation, partition }: Range,
  token: string,
  rows: ReadonlyArray<string>
) =>
  Effect.suspend(() => {
    const breaks = state.breaksAfter
    state.breaksAfter = undefined
    const size = state.options.blockRows?.[state.sent] ?? Infinity
    state.sent += 1
    for (let from = 0, block = 0; from < rows.length; from += size, block += 1) {
      const to = Math.min(rows.length, from + size)
      // The connection ends in the middle of this block, so it is not committed.
      if (breaks !== undefined && to > breaks) {
        return Effect.fail(new WarehouseError({ message: "the connection was reset during an insert" }))
      }
      // Like the engine, which gives the blocks of an insert the insert's token and their number.
      if (!useToken(state, `${token} ${block}`)) continue
      state.data.rows = [...state.data.rows, ...rows.slice(from, to).map((text) => ({ generation, partition, text }))]
    }
    return Effect.void
  })
