import { type ClickHouse, quoteTable } from "@headgate/clickhouse"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { query } from "./describeTable.ts"

type Engine = ClickHouse["Service"]

/** A row of an error table. */
export interface FoundRejectedRow {
  /** The number of its table among those that were asked for. */
  readonly table: number
  /** Milliseconds since 1970, and what orders the rows of one millisecond: a whole number below 2^64, in digits. */
  readonly at: number
  readonly tie: string
  readonly source: string
  readonly partition: string
  readonly from: string
  readonly to: string
  readonly row: number
  readonly error: string
  /** How many bytes the message has. */
  readonly bytes: number
  /** The first bytes of the message. */
  readonly message: Uint8Array
}

/** Which rows are read. */
export interface RejectedPage {
  /** The time and the tie of a row: those before it are read. */
  readonly before?: Pick<FoundRejectedRow, "at" | "tie"> | undefined
  readonly limit: number
  /** How many bytes of a message are read. */
  readonly messageBytes: number
}

const Row = Schema.Struct({
  table: Schema.FiniteFromString,
  at: Schema.FiniteFromString,
  tie: Schema.String,
  source: Schema.String,
  partition: Schema.String,
  from: Schema.String,
  to: Schema.String,
  row: Schema.FiniteFromString,
  error: Schema.String,
  bytes: Schema.FiniteFromString,
  message: Schema.Uint8ArrayFromBase64
})

/** How many characters of the other texts are read: keys of objects and errors are shorter. */
const textLength = 4096

/** How many tables one statement reads. */
const tablesAtOnce = 50

// What tells a row from the others of its millisecond. It is no part of the message, which is read for the rows of the page alone.
const tie = "cityHash64(generation, source, partition, range_from, range_to, range_row, error)"

const cut = (column: string): string => `substringUTF8(toValidUTF8(${column}), 1, ${textLength})`

/** The newest rows of a pipe in one table. Its key, (pipe_id, time), finds them without a look at others. */
const ofTable = (database: string, name: string, table: number): string => {
  const from = quoteTable(database, name)
  return `SELECT toString(${table}) AS table, time, ${tie} AS tie, source, partition, range_from, range_to, range_row, error,
      length(raw_message) AS bytes, substring(raw_message, 1, {bytes:UInt64}) AS message
    FROM ${from}
    WHERE pipe_id = {pipe:String} AND (time, tie) IN (
      SELECT time, ${tie} AS tie FROM ${from}
      WHERE pipe_id = {pipe:String} AND time <= fromUnixTimestamp64Milli({at:Int64}, 'UTC')
        AND (toUnixTimestamp64Milli(time), tie) < ({at:Int64}, {tie:UInt64})
      ORDER BY time DESC, tie DESC LIMIT {rows:UInt64}
    )`
}

const newestFirst = (one: FoundRejectedRow, other: FoundRejectedRow): number =>
  other.at - one.at || Number(BigInt(other.tie) > BigInt(one.tie)) - Number(BigInt(other.tie) < BigInt(one.tie))

// The year 2283, beyond which a DateTime64 of milliseconds does not go.
const latest = 9_904_550_400_000

/**
 * Reads the rejected rows of a pipe from error tables of a database that are there, the newest first. Rows of other pipes in these tables
 * are not read.
 */
export const readRejected = Effect.fnUntraced(function* (
  engine: Engine,
  pipeId: string,
  tables: ReadonlyArray<string>,
  database: string,
  { before = { at: latest, tie: "0" }, limit, messageBytes }: RejectedPage
) {
  let found: ReadonlyArray<FoundRejectedRow> = []
  const parameters = {
    pipe: pipeId,
    at: String(Math.min(before.at, latest)),
    tie: before.tie,
    rows: String(limit),
    bytes: String(messageBytes)
  }
  for (let first = 0; first < tables.length; first += tablesAtOnce) {
    const some = tables.slice(first, first + tablesAtOnce)
    const all = some.map((name, i) => ofTable(database, name, first + i)).join("\nUNION ALL\n")
    const rows = yield* query(
      engine,
      Row,
      `SELECT table, toString(toUnixTimestamp64Milli(time)) AS at, toString(tie) AS tie, ${cut("source")} AS source,
        ${cut("partition")} AS partition, ${cut("range_from")} AS "from", ${cut("range_to")} AS "to",
        toString(range_row) AS row, ${cut("error")} AS error, toString(bytes) AS bytes, base64Encode(message) AS message
      FROM (${all}) AS found
      ORDER BY found.time DESC, found.tie DESC LIMIT {rows:UInt64}`,
      parameters
    )
    // Of all tables together no more than one page is held.
    found = [...found, ...rows].toSorted(newestFirst).slice(0, limit)
  }
  return found
})
