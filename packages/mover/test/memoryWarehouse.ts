import * as Effect from "effect/Effect"
import type { WarehouseUnderTest } from "../src/laws/index.ts"
import { MemoryWarehouse, type MemoryWarehouseOptions } from "../src/memory/index.ts"
import { textsOf } from "./pipes.ts"

/** The warehouse in memory, as its laws need it. */
export const memoryWarehouse = (options: MemoryWarehouseOptions = {}): Effect.Effect<WarehouseUnderTest> =>
  Effect.sync(() => {
    const memory = MemoryWarehouse.make({
      rejects: (text) => (text === "bad" ? "cannot parse" : undefined),
      ...options
    })
    return {
      warehouse: memory.warehouse,
      row: (number) => `row ${number}`,
      badRow: "bad",
      rows: Effect.map(memory.rows, textsOf),
      badRows: Effect.map(memory.badRows, (rows) => rows.map(({ content }) => new TextDecoder().decode(content))),
      empty: memory.empty,
      breakNextInsert: memory.breakNextInsert
    }
  })
