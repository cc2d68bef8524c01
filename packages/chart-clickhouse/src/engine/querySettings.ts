import type { QuerySettings } from "@headgate/clickhouse"

/** Bounds of one query. */
export interface QueryBounds {
  /** Seconds. */
  readonly seconds: number
  /** Bytes. */
  readonly memory: number
  readonly rows: number
  readonly threads: number
}

/** The most rows and bytes of an answer. One row more than a chart shows says that there are more. */
const mostRows = 100_001
const mostBytes = 16 * 1024 * 1024

// More than any query reads.
const unlimited = Number.MAX_SAFE_INTEGER

/** The settings of a source that queries take, and the largest value of each. */
const boundsOf = ({ memory, rows, seconds, threads }: QueryBounds): ReadonlyMap<string, number> =>
  new Map([
    ["max_execution_time", seconds],
    ["max_memory_usage", memory],
    ["max_rows_to_read", rows],
    ["max_bytes_to_read", unlimited],
    ["max_threads", threads],
    ["optimize_read_in_order", 1]
  ])

/** The bounds of a statement, as settings. */
export const boundSettings = ({ memory, rows, seconds, threads }: QueryBounds): QuerySettings => ({
  max_execution_time: seconds,
  timeout_overflow_mode: "throw",
  max_memory_usage: memory,
  max_threads: threads,
  max_rows_to_read: rows,
  read_overflow_mode: "throw",
  max_result_rows: mostRows,
  max_result_bytes: mostBytes,
  result_overflow_mode: "throw",
  max_query_size: 4 * 1024 * 1024
})

/** The settings that decide what an expression of a query means. */
export const meaningSettings: QuerySettings = {
  // A number in GROUP BY or ORDER BY is a number, and a name is first a column of the table.
  enable_positional_arguments: 0,
  prefer_column_name_to_alias: 1,
  transform_null_in: 0,
  aggregate_functions_null_for_empty: 0,
  // FINAL decides which version of a row counts before any condition is looked at.
  optimize_move_to_prewhere_if_final: 0,
  do_not_merge_across_partitions_select_final: 0
}

/** The settings of a source that a query takes, none above its bound, and a sentence for each that it does not take. */
export const sourceSettings = (
  settings: ReadonlyArray<{ readonly setting: string; readonly value: string }>,
  bounds: QueryBounds
): { readonly settings: QuerySettings; readonly warnings: ReadonlyArray<string> } => {
  const known = boundsOf(bounds)
  const read = settings.map(({ setting, value }) => {
    const most = known.get(setting)
    if (most === undefined) return { warning: `the setting ${setting.slice(0, 100)} of the source is not taken` }
    if (!/^\d{1,15}$/.test(value.trim())) return { warning: `the setting ${setting} of the source is no whole number` }
    const wanted = Number(value)
    // 0 is "no bound", or "as the engine likes", of all but the last.
    const isBound = setting !== "optimize_read_in_order"
    const taken = isBound && wanted === 0 ? most : Math.min(wanted, most)
    return taken === wanted
      ? { setting, taken }
      : { setting, taken, warning: `the setting ${setting} of the source is ${taken}, the most that this server takes` }
  })
  return {
    settings: Object.fromEntries(
      read.flatMap(({ setting, taken }) => (setting === undefined ? [] : [[setting, taken]]))
    ),
    warnings: read.flatMap(({ warning }) => (warning === undefined ? [] : [warning]))
  }
}
