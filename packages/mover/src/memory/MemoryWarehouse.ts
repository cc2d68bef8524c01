import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { BadRow, Destination, LoggedPositions, Warehouse } from "../port/Warehouse.ts"
import { RowsRejected, WarehouseError, WarehouseRefused } from "../range/MoveError.ts"
import { type Range, tokenOf } from "../range/Range.ts"

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
  /** Why a row cannot be read; `undefined` for one that can. */
  readonly rejects?: (text: string) => string | undefined
}

/** A row of the table, and where it came from. */
export interface TableRow {
  readonly generation: number
  readonly partition: string
  readonly text: string
}

const decoder = new TextDecoder()

/** A warehouse in memory: a table, its error table, the log, and the tokens that the table remembers. */
const make = (options: MemoryWarehouseOptions = {}) => {
  const { blockRows = [], destination = { guarantee: "exactly once" }, rejects = () => undefined } = options
  const state: {
    rows: ReadonlyArray<TableRow>
    badRows: ReadonlyArray<BadRow>
    tokens: ReadonlyArray<string>
    logged: ReadonlyMap<string, LoggedPositions>
    logTokens: ReadonlyArray<string>
  } = { rows: [], badRows: [], tokens: [], logged: new Map(), logTokens: [] }
  let window = options.window ?? 10_000
  let breaksAfter: number | undefined
  let statements = 0
  let inserts = 0

  /** Whether a token is new; from now on it is used. */
  const use = (token: string): boolean => {
    if (state.tokens.includes(token)) return false
    state.tokens = [...state.tokens, token].slice(-window)
    return true
  }

  const insertBlocks = ({ generation, partition }: Range, token: string, rows: ReadonlyArray<string>) =>
    Effect.suspend(() => {
      const breaks = breaksAfter
      breaksAfter = undefined
      const size = blockRows[inserts] ?? Infinity
      inserts += 1
      for (let from = 0, block = 0; from < rows.length; from += size, block += 1) {
        const to = Math.min(rows.length, from + size)
        // The connection ends in the middle of this block, so it is not committed.
        if (breaks !== undefined && to > breaks) {
          return Effect.fail(new WarehouseError({ message: "the connection was reset during an insert" }))
        }
        // Like the engine, which gives the blocks of an insert the insert's token and their number.
        if (!use(`${token} ${block}`)) continue
        state.rows = [...state.rows, ...rows.slice(from, to).map((text) => ({ generation, partition, text }))]
      }
      return Effect.void
    })

  const warehouse: Warehouse["Service"] = {
    open: (_, needed) =>
      Effect.suspend(() => {
        if (options.window !== undefined && options.window < needed) {
          const message = `the table remembers ${options.window} inserts and ${needed} are needed: ALTER TABLE ... MODIFY SETTING non_replicated_deduplication_window = ${needed}`
          return Effect.fail(new WarehouseRefused({ message }))
        }
        window = Math.max(window, needed)
        return Effect.succeed(destination)
      }),
    insert: Effect.fn("MemoryWarehouse.insert")(function* (range, token, rows) {
      const texts = (yield* Stream.runCollect(rows)).map((row) => decoder.decode(row))
      statements += 1
      const row = texts.findIndex((text) => rejects(text) !== undefined)
      const reason = rejects(texts[row] ?? "")
      if (row >= 0 && reason !== undefined) return yield* new RowsRejected({ rows: [{ row, reason }] })
      yield* insertBlocks(range, token, texts)
    }),
    insertBad: Effect.fn("MemoryWarehouse.insertBad")(function* (_, token, rows) {
      const bad = yield* Stream.runCollect(rows)
      statements += 1
      if (use(token)) state.badRows = [...state.badRows, ...bad]
    }),
    log: (range) =>
      Effect.sync(() => {
        const { generation, partition, pipeId, to } = range
        const token = tokenOf(range)
        if (state.logTokens.includes(token)) return
        state.logTokens = [...state.logTokens, token].slice(-window)
        const before = state.logged.get(pipeId)
        if (before !== undefined && before.generation > generation) return
        const positions = before?.generation === generation ? before.positions : []
        const logged = { generation, positions: new Map([...positions, [partition, to]]) }
        state.logged = new Map([...state.logged, [pipeId, logged]])
      }),
    logged: (pipeId) => Effect.sync(() => state.logged.get(pipeId) ?? { generation: 0, positions: new Map() })
  }

  return {
    warehouse,
    /** The rows of the table, in the order of their inserts. */
    rows: Effect.sync(() => state.rows),
    badRows: Effect.sync(() => state.badRows),
    /** How many statements have inserted into one of the two tables, or tried to. */
    statements: Effect.sync(() => statements),
    /** Deletes all rows of the table, whose tokens stay used. */
    empty: Effect.sync(() => {
      state.rows = []
    }),
    /** The next insert breaks off when it has sent so many rows. */
    breakNextInsert: (rows: number) =>
      Effect.sync(() => {
        breaksAfter = rows
      }),
    /** What a backup made now restores when it is run. */
    backup: Effect.sync(() => {
      const saved = { ...state }
      return Effect.sync(() => {
        Object.assign(state, saved)
      })
    })
  }
}

/**
 * A warehouse in memory, for tests.
 *
 * @example
 * ```ts
 * import { Warehouse } from "@headgate/mover"
 * import { MemoryWarehouse } from "@headgate/mover/memory"
 * import * as Layer from "effect/Layer"
 *
 * const memory = MemoryWarehouse.make({ rejects: (text) => (text === "" ? "an empty row" : undefined) })
 * export const TestWarehouse = Layer.succeed(Warehouse, memory.warehouse)
 * ```
 */
export const MemoryWarehouse = { make }
