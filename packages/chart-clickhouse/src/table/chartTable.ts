import { replacesByVersion } from "@headgate/clickhouse"
import { type ChartTable, columnTypeOf } from "@headgate/core/adapter"
import { versionColumns } from "@headgate/mover"
import type { FoundTable } from "./lookUpTable.ts"

/** A table as charts read it. */
export const chartTable = (database: string, name: string, found: FoundTable): ChartTable => {
  const columns = new Map(found.columns.map((column) => [column.name, columnTypeOf(column.type)]))
  // What the mover writes in versions has these. Another table that has them is read in the same way.
  const isVersioned = replacesByVersion(found, versionColumns.version) && columns.has(versionColumns.isDeleted)
  const mayRepeat = !isVersioned && found.engine.endsWith("ReplacingMergeTree")
  return {
    database,
    name,
    columns,
    sortingKey: found.sortingKey,
    isVersioned,
    warnings: mayRepeat
      ? [
          `the table ${name} is a ${found.engine}, which holds several versions of a row until it has merged them: all are counted`
        ]
      : []
  }
}
