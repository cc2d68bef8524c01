import { type ClickHouse, quoteString, quoteTable } from "@headgate/clickhouse"
import type { LoggedObjects, Range } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { warehouseFailure } from "../connection/warehouseFailure.ts"
import { execute, query } from "./describeTable.ts"

type Engine = ClickHouse["Service"]

/** The table of a database in which its pipes write which objects they have read. */
const objectLog = "headgate_pipe_objects"

const objectsAtOnce = 10_000

/** Creates the log of the objects of a database. One row stays for each object that a pipe has read since `since`. */
export const createObjectLog = (engine: Engine, database: string) =>
  execute(
    engine,
    `CREATE TABLE IF NOT EXISTS ${quoteTable(database, objectLog)} (
      pipe_id String,
      since UInt64,
      key String,
      etag String,
      time DateTime64(3, 'UTC') DEFAULT now64(3)
    ) ENGINE = ReplacingMergeTree ORDER BY (pipe_id, since, key)
    COMMENT ${quoteString("A table of Headgate's pipes")}`
  )

/** Writes the objects of a range. A repeat is harmless. */
export const logObjects = (engine: Engine, database: string, { pipeId }: Range, { objects, since }: LoggedObjects) => {
  const lines = objects.map(({ etag, key }) => `${JSON.stringify({ pipe_id: pipeId, since, key, etag })}\n`)
  return lines.length === 0
    ? Effect.void
    : engine.insert(
        {
          into: `${quoteTable(database, objectLog)} (pipe_id, since, key, etag)`,
          format: "SETTINGS async_insert = 0, input_format_allow_errors_num = 0 FORMAT JSONEachRow"
        },
        Stream.make(new TextEncoder().encode(lines.join(""))),
        warehouseFailure
      )
}

const ObjectRow = Schema.Struct({ key: Schema.String, etag: Schema.String })
const SinceRow = Schema.Struct({ since: Schema.FiniteFromString })

/** The objects after a key that were read since the last generation that began without any. */
export const readLoggedObjects = Effect.fnUntraced(function* (
  engine: Engine,
  database: string,
  pipeId: string,
  after: string
) {
  const log = quoteTable(database, objectLog)
  const [last] = yield* query(
    engine,
    SinceRow,
    `SELECT toString(max(since)) AS since FROM (SELECT since FROM ${log} WHERE pipe_id = {pipe:String})`,
    { pipe: pipeId }
  )
  const since = last?.since ?? 0
  const objects = yield* query(
    engine,
    ObjectRow,
    `SELECT key, argMax(etag, time) AS etag FROM ${log}
    WHERE pipe_id = {pipe:String} AND since = {since:UInt64} AND key > {after:String}
    GROUP BY key ORDER BY key LIMIT ${objectsAtOnce}`,
    { pipe: pipeId, since: String(since), after }
  )
  const found: LoggedObjects = { since, objects }
  return found
})
