import { quoteString, quoteTable } from "@headgate/clickhouse"
import { Range, type RejectedRangeRow } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { warehouseFailure } from "../connection/warehouseFailure.ts"
import { type KnownSettings, oneBlock, writeSettings } from "../sql/insertSettings.ts"
import { execute, findTable, query } from "../table/describeTable.ts"
import { dropStaging, longestRead, rejectedOf, type StagingTarget } from "./Stagings.ts"

// The error table gets the rejected rows of an object in blocks of this many rows, each under a token.
const rowsOfBlock = 10_000

/** Creates the table beside a staging for the rows that the destination does not take. */
export const createRejected = Effect.fnUntraced(function* (target: StagingTarget, staging: string) {
  const { database, engine } = target
  yield* dropStaging(target, rejectedOf(staging))
  yield* execute(
    engine,
    `CREATE TABLE ${quoteTable(database, rejectedOf(staging))} (
      row UInt64,
      reason String,
      base64 String EPHEMERAL,
      content String DEFAULT base64Decode(base64)
    ) ENGINE = MergeTree ORDER BY row SETTINGS parts_to_delay_insert = 100000, parts_to_throw_insert = 100000`
  )
})

const newline = "\n"

/** Adds rows to the table of rejected ones. */
export const insertRejected = Effect.fnUntraced(function* (
  { database, engine }: StagingTarget,
  staging: string,
  rows: ReadonlyArray<RejectedRangeRow>
) {
  if (rows.length === 0) return
  const lines = Stream.fromIterable(rows).pipe(
    Stream.map(({ content, reason, row }) => {
      const base64 = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString("base64")
      return Buffer.from(`${JSON.stringify({ row, reason, base64 })}${newline}`)
    })
  )
  const into = `${quoteTable(database, rejectedOf(staging))} (row, reason, base64)`
  const format = `${writeSettings({ async_insert: 0, insert_deduplicate: 0 })} FORMAT JSONEachRow`
  yield* engine.insert({ into, format }, lines, warehouseFailure)
})

const CountRow = Schema.Struct({ rows: Schema.FiniteFromString })

/**
 * Copies the rejected rows of a staging into the error table, in blocks under tokens of the range and of the object's version: a repeat changes
 * nothing. Returns how many there are.
 */
export const copyRejected = Effect.fnUntraced(function* (
  { database, engine }: StagingTarget,
  errors: string,
  staging: string,
  range: Range,
  has: KnownSettings
) {
  if (staging === "" || (yield* findTable(engine, database, rejectedOf(staging))) === undefined) return 0
  const rejected = quoteTable(database, rejectedOf(staging))
  const [{ rows } = { rows: 0 }] = yield* query(engine, CountRow, `SELECT toString(count()) AS rows FROM ${rejected}`)
  const { from, generation, partition, pipeId, source, to } = range
  const texts = [pipeId, String(generation), source, partition, from, to].map(quoteString).join(", ")
  for (let first = 0; first < rows; first += rowsOfBlock) {
    const token = JSON.stringify([Range.tokenOf(range), range.detail, "rejected", first])
    const settings = writeSettings({ ...oneBlock(token, has), max_threads: 1 })
    const copies = engine.run(
      `INSERT INTO ${errors} (pipe_id, generation, source, partition, range_from, range_to, range_row, error, raw_message) ${settings}
      SELECT ${texts}, row, reason, content FROM ${rejected} ORDER BY row LIMIT ${first}, ${rowsOfBlock}`,
      {},
      { timeout: longestRead }
    )
    yield* Effect.mapError(copies, warehouseFailure)
  }
  return rows
})
