import * as Effect from "effect/Effect"
import type { Warehouse } from "../port/Warehouse.ts"
import { memoryLog } from "./memoryLog.ts"
import { memoryRows } from "./memoryRows.ts"
import { memoryStagings } from "./memoryStagings.ts"
import type { MemoryWarehouseOptions, MemoryWarehouseState } from "./MemoryWarehouseState.ts"

/** A warehouse in memory: a table, its error table, the log, and the tokens that the table remembers. */
const make = (options: MemoryWarehouseOptions = {}) => {
  const state: MemoryWarehouseState = {
    options,
    data: {
      rows: [],
      rejectedRows: [],
      tokens: [],
      logged: new Map(),
      objects: new Map(),
      inserts: 0,
      interrupted: 0,
      table: 1
    },
    stagings: new Map(),
    rejected: new Map(),
    window: options.window ?? 10_000,
    breaksAfter: undefined,
    statements: 0,
    sent: 0
  }
  const { data, stagings } = state
  const warehouse: Warehouse["Service"] = { ...memoryRows(state), ...memoryStagings(state), ...memoryLog(state) }

  return {
    warehouse,
    /** The rows of the table, in the order of their inserts. */
    rows: Effect.sync(() => data.rows),
    rejectedRows: Effect.sync(() => data.rejectedRows),
    /** Another table has its name now: it was dropped and made again. */
    replaceTable: Effect.sync(() => {
      Object.assign(data, { rows: [], tokens: [], table: data.table + 1 })
    }),
    /** How many statements have inserted into one of the two tables, or tried to. */
    statements: Effect.sync(() => state.statements),
    /** Deletes all rows of the table, whose tokens stay used. */
    empty: Effect.sync(() => {
      data.rows = []
    }),
    /** The names of what is staged and not discarded. */
    stagings: Effect.sync(() => Array.from(stagings.keys())),
    /** Copies what is staged into the table and leaves it in the staging, like a move that was interrupted. */
    interruptMove: (name: string) =>
      Effect.sync(() => {
        const { generation = 0, partition = "", rows = [] } = stagings.get(name) ?? {}
        const texts = Array.from(rows.values()).flat()
        data.rows = [...data.rows, ...texts.map((text) => ({ generation, partition, text }))]
        data.interrupted += 1
      }),
    /** The next insert breaks off when it has sent so many rows. */
    breakNextInsert: (rows: number) =>
      Effect.sync(() => {
        state.breaksAfter = rows
      }),
    /** What a backup made now restores when it is run. */
    backup: Effect.sync(() => {
      const saved = { ...data }
      return Effect.sync(() => {
        Object.assign(data, saved)
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
