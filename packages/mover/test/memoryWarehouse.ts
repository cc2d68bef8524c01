import * as Effect from "effect/Effect"
import type { StagingUnderTest, WarehouseUnderTest } from "../src/laws/index.ts"
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
      rejectedRow: "bad",
      rows: Effect.map(memory.rows, textsOf),
      rejectedRows: Effect.map(memory.rejectedRows, (rows) =>
        rows.map(({ content }) => new TextDecoder().decode(content))
      ),
      empty: memory.empty,
      breakNextInsert: memory.breakNextInsert
    }
  })

/** The warehouse in memory with objects to read, as the laws of staging need it. Its partitions are the last digits of rows. */
export const memoryStaging = (): Effect.Effect<StagingUnderTest> =>
  Effect.sync(() => {
    const objects = new Map<string, ReadonlyArray<string>>()
    const memory = MemoryWarehouse.make({
      rejects: (text) => (text === "bad" ? "cannot parse" : undefined),
      objects: (key) => objects.get(key),
      partOf: (text) => text.slice(-1)
    })
    return {
      warehouse: memory.warehouse,
      put: (rows) =>
        Effect.sync(() => {
          const key = String(objects.size)
          objects.set(key, rows)
          const address = Effect.succeed({ _tag: "S3", url: `https://memory.test/${key}` } as const)
          return { key, format: "JSONEachRow", compression: "none", address }
        }),
      row: (number) => `row ${number}`,
      rejectedRow: "bad",
      rows: Effect.map(memory.rows, textsOf),
      rejected: Effect.map(memory.rejectedRows, (bad) =>
        bad.map(({ content, row }) => [row, new TextDecoder().decode(content)] as const)
      ),
      stagings: memory.stagings,
      interruptMove: memory.interruptMove
    }
  })
