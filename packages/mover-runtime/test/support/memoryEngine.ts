import { VersionedTables, Warehouse } from "@headgate/mover"
import { MemoryVersionedTables, MemoryWarehouse } from "@headgate/mover/memory"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { WarehouseEngine } from "../../src/index.ts"

/** A warehouse in memory, with one table for all pipes. Tests replace what they look at. */
export const makeMemoryEngine = (replaced: Partial<WarehouseEngine> = {}) => {
  const [memory, versioned] = [MemoryWarehouse.make(), MemoryVersionedTables.make()]
  const engine: WarehouseEngine = {
    database: "default",
    errorTableOf: (table) => `${table}_errors`,
    warehouse: () => Layer.succeed(Warehouse, memory.warehouse),
    versionedTables: () => Layer.succeed(VersionedTables, versioned.tables),
    findTables: (names) => Effect.succeed(names.map((name) => ({ name, creator: undefined }))),
    checkDestination: () => Effect.void,
    checkObjectReading: () => Effect.void,
    inferColumns: () => Effect.succeed({ columns: [{ name: "n", type: "Int64", isOptional: false }], samples: [] }),
    describeObject: () => Effect.succeed({ columns: [], samples: [] }),
    rejectedRows: () => Effect.succeed([]),
    dropStagings: () => Effect.void,
    ...replaced
  }
  return { engine, memory, versioned }
}
