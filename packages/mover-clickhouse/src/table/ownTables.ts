import { type ClickHouse, ownTable, quoteString, quoteTable } from "@headgate/clickhouse"
import type { RejectedRangeRow, LoggedPositions, Range } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { execute, query } from "./describeTable.ts"
import { countInserts, type Memory, windowSetting } from "./guarantee.ts"

type Engine = ClickHouse["Service"]

/** The table of a database in which its pipes write how far they have come. */
const logTable = "headgate_pipe_log"

/** Creates the error table of a destination, and the log of its database. */
export const createOwnTables = Effect.fnUntraced(function* (
  engine: Engine,
  pipeId: string,
  database: string,
  errorTable: string,
  window: number
) {
  yield* execute(
    engine,
    `CREATE TABLE IF NOT EXISTS ${quoteTable(database, errorTable)} (
      pipe_id String,
      generation UInt64,
      source String,
      partition String,
      range_from String,
      range_to String,
      range_row UInt64,
      error String,
      raw_base64 String EPHEMERAL,
      raw_message String DEFAULT base64Decode(raw_base64),
      time DateTime64(3, 'UTC') DEFAULT now64(3)
    ) ENGINE = MergeTree ORDER BY (pipe_id, time)
    TTL toDateTime(time) + toIntervalDay(7)
    SETTINGS ${windowSetting("by itself")} = ${window}
    COMMENT ${quoteString(`${ownTable}, ${pipeId}`)}`
  )
  // One row stays for each partition of each generation.
  yield* execute(
    engine,
    `CREATE TABLE IF NOT EXISTS ${quoteTable(database, logTable)} (
      pipe_id String,
      generation UInt64,
      partition String,
      position String,
      number UInt64
    ) ENGINE = ReplacingMergeTree(number) ORDER BY (pipe_id, generation, partition)
    COMMENT ${quoteString(ownTable)}`
  )
})

/** The columns of the error table that its rows give. A message may be no text, so it is sent as base64. */
export const errorColumns = [
  "pipe_id",
  "generation",
  "source",
  "partition",
  "range_from",
  "range_to",
  "range_row",
  "error",
  "raw_base64"
]

/** A row of the error table. */
export const errorRow = (
  { from, generation, partition, pipeId, source, to }: Range,
  { content, reason, row }: RejectedRangeRow
) =>
  Buffer.from(
    JSON.stringify({
      pipe_id: pipeId,
      generation,
      source,
      partition,
      range_from: from,
      range_to: to,
      range_row: row,
      error: reason,
      raw_base64: Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString("base64")
    })
  )

/**
 * Writes how far a partition has come, if the range follows what is written or is the first one. So a repeat changes nothing,
 * and a mover that was frozen does not set the log back. No clock decides which one is the last.
 */
export const writeLog = (engine: Engine, database: string, { from, generation, partition, pipeId, to }: Range) => {
  const log = quoteTable(database, logTable)
  const [pipe, name] = [quoteString(pipeId), quoteString(partition)]
  return execute(
    engine,
    `INSERT INTO ${log} (pipe_id, generation, partition, position, number)
    SELECT ${pipe}, ${generation}, ${name}, ${quoteString(to)}, last + 1
    FROM (
      SELECT max(number) AS last, argMax(position, number) AS position FROM ${log}
      WHERE pipe_id = ${pipe} AND generation = ${generation} AND partition = ${name}
    )
    WHERE last = 0 OR position = ${quoteString(from)}`
  )
}

const LogRow = Schema.Struct({
  generation: Schema.FiniteFromString,
  partition: Schema.String,
  position: Schema.String,
  inserts: Schema.NullOr(Schema.FiniteFromString)
})

/** What the log holds for a pipe, and how many inserts a table has had, in one statement. */
export const readLog = Effect.fnUntraced(function* (
  engine: Engine,
  database: string,
  pipeId: string,
  table = "",
  memory: Memory = "not at all"
) {
  const log = quoteTable(database, logTable)
  const counts = countInserts(memory)
  const rows = yield* query(
    engine,
    LogRow,
    `SELECT toString(generation) AS generation, partition, argMax(position, number) AS position, NULL AS inserts FROM ${log}
    WHERE pipe_id = {pipe:String} AND ${log}.generation = (SELECT max(generation) FROM ${log} WHERE pipe_id = {pipe:String})
    GROUP BY generation, partition
    ${counts === undefined ? "" : `UNION ALL SELECT '0', '', '', toString((${counts}))`}`,
    { pipe: pipeId, database, table }
  )
  const inserts = rows.find(({ inserts }) => inserts !== null)?.inserts
  const logged = rows.filter(({ inserts }) => inserts === null)
  const found: LoggedPositions = {
    generation: logged[0]?.generation ?? 0,
    positions: new Map(logged.map(({ partition, position }) => [partition, position] as const))
  }
  return typeof inserts === "number" ? { ...found, inserts } : found
})
