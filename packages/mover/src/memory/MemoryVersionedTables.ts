import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { RejectedRow } from "../port/Warehouse.ts"
import { insertedColumns, type VersionedTables } from "../port/VersionedTables.ts"
import type { LoggedPositions } from "../port/Warehouse.ts"
import { WarehouseRefused } from "../range/MoveError.ts"
import { addToLog, emptyLog } from "./addToLog.ts"

interface Version {
  /** The fields of the source's columns, as TSV. */
  readonly fields: ReadonlyArray<string>
  readonly isDeleted: boolean
  readonly version: bigint
}

const make = () => {
  const targets = new Map<string, Map<string, Version>>()
  const rejected: Array<RejectedRow & { readonly target: string }> = []
  const logged = new Map<string, LoggedPositions>()

  const target = (name: string): Map<string, Version> => {
    const found = targets.get(name) ?? new Map<string, Version>()
    targets.set(name, found)
    return found
  }

  const tables: VersionedTables["Service"] = {
    open: Effect.fn("MemoryVersionedTables.open")(function* (_, opened) {
      if (new Set(opened.map((table) => table.target)).size < opened.length) {
        return yield* new WarehouseRefused({ message: "two tables of the source have the same targetTable" })
      }
      return yield* Effect.forEach(opened, ({ isNew, ...table }) => {
        if (!isNew && !targets.has(table.target)) {
          return Effect.fail(new WarehouseRefused({ message: `the table ${table.target} is gone` }))
        }
        const [last] = Array.from(target(table.target).values(), ({ version }) => version).toSorted((a, b) =>
          a < b ? 1 : -1
        )
        return Effect.succeed(isNew && last !== undefined ? { ...table, lastVersion: last } : table)
      })
    }),
    insert: (table, rows) =>
      Stream.runForEach(Stream.splitLines(Stream.decodeText(rows)), (line) =>
        Effect.sync(() => {
          const fields = line.split("\t")
          const names = insertedColumns(table)
          const key = table.key.map((name) => fields[names.indexOf(name)]).join("\t")
          const [isDeleted, version = "0"] = fields.slice(table.columns.length)
          const found = target(table.target).get(key)
          const row = {
            fields: fields.slice(0, table.columns.length),
            isDeleted: isDeleted === "1",
            version: BigInt(version)
          }
          if (found === undefined || found.version <= row.version) target(table.target).set(key, row)
        })
      ),
    insertRejected: (_, { target }, rows) =>
      Effect.sync(() => void rejected.push(...rows.map((row) => ({ ...row, target })))),
    deleteBelow: (table, version) =>
      Effect.sync(() => {
        for (const [key, row] of target(table.target)) {
          if (row.version < version) target(table.target).set(key, { ...row, isDeleted: true, version })
        }
      }),
    log: (range) => Effect.sync(() => void logged.set(range.pipeId, addToLog(logged.get(range.pipeId), range))),
    logged: (pipeId) => Effect.sync(() => logged.get(pipeId) ?? emptyLog)
  }

  return {
    tables,
    /** The rows of a target that are not deleted, as lines of TSV, sorted. */
    rows: (name: string) =>
      Effect.sync(() =>
        Array.from(target(name).values())
          .flatMap(({ fields, isDeleted }) => (isDeleted ? [] : [fields.join("\t")]))
          .toSorted()
      ),
    /** What a backup made now restores when it is run. */
    backup: Effect.sync(() => {
      const saved = [Array.from(targets, ([name, rows]) => [name, new Map(rows)] as const), Array.from(logged)] as const
      return Effect.sync(() => {
        targets.clear()
        logged.clear()
        for (const [name, rows] of saved[0]) targets.set(name, rows)
        for (const [pipeId, positions] of saved[1]) logged.set(pipeId, positions)
      })
    }),
    /** The rows of the error table of a target. */
    rejected: (name: string) =>
      Effect.sync((): ReadonlyArray<RejectedRow> => rejected.filter(({ target }) => target === name))
  }
}

/**
 * Tables of a warehouse that hold versions of rows, in memory, for tests.
 *
 * @example
 * ```ts
 * import { VersionedTables } from "@headgate/mover"
 * import { MemoryVersionedTables } from "@headgate/mover/memory"
 * import * as Layer from "effect/Layer"
 *
 * const memory = MemoryVersionedTables.make()
 * export const TestTables = Layer.succeed(VersionedTables, memory.tables)
 * ```
 */
export const MemoryVersionedTables = { make }
