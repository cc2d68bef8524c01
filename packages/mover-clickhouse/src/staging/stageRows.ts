import {
  type InsertedRows,
  type ObjectReference,
  ObjectRejected,
  type ObjectRow,
  type ObjectRows,
  type Owner,
  type Range,
  type WarehouseError,
  type WarehouseRefused
} from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { type EngineFailure, rejectedRow, rejectionReason, warehouseFailure } from "../connection/EngineFailure.ts"
import { statementBody } from "../row/statementBody.ts"
import type { KnownSettings } from "../sql/insertSettings.ts"
import { quoteIdentifier, quoteTable } from "../sql/quote.ts"
import { execute, query } from "../table/describeTable.ts"
import { firstValue, joinLines, type ObjectLine } from "./joinLines.ts"
import { objectFailure, rowsFailure } from "./objectFailure.ts"
import { type AddressedObject, addressed, objectFunction } from "./objectFunction.ts"
import { linesSettings, objectColumns, objectSettings, type ReadColumn, unreadableReason } from "./objectQuery.ts"
import { compareFields, type OpenedTarget, prepare } from "./stageObject.ts"
import { createStaging, dropStaging, longestRead, stagedParts, stagingName, type StagingTarget } from "./Stagings.ts"

/** How many lines of an object are searched for bad ones at a time, and held in memory. */
const mostLines = 50_000
const mostBytes = 8 * 1024 * 1024

// More than an object has batches. A batch whose answer was lost may reach a staging of the same name that was made anew.
const windowOfBatches = 100_000

// A line of any length is one value to the engine. A line above `mostBytes` is no row, and this has space for some of them: for
// blocks of 10 lines of that length.
const memoryOfCopy = 1024 * 1024 * 1024
const memoryLimitExceeded = 241

/** What a failure to copy lines is: one that is too long for its memory is the object's, whatever else the engine lacks. */
const copyFailure = (object: AddressedObject) => (failure: EngineFailure) =>
  failure.code === memoryLimitExceeded && /^(Query memory limit|Memory limit \(for query\))/u.test(failure.message)
    ? new ObjectRejected({ reason: "it has a line that is too long" })
    : objectFailure([object])(failure)

/** Copies the lines of an object into a table, with their numbers. Lines of white space are no rows of JSON, as in the engine. */
const copyLines = Effect.fnUntraced(function* (
  target: StagingTarget,
  settings: KnownSettings,
  reference: ObjectReference,
  copy: string
) {
  const { database, engine } = target
  const name = quoteTable(database, copy)
  yield* dropStaging(target, copy)
  // Small granules: a batch of lines reads little of those beside it.
  yield* execute(
    engine,
    `CREATE TABLE ${name} (number UInt64, line String, bytes UInt64 DEFAULT length(line)) ENGINE = MergeTree
    ORDER BY number SETTINGS index_granularity_bytes = ${1024 * 1024}`
  )
  const object = yield* addressed(reference)
  const lines = objectFunction(object, "line String", "LineAsString")
  // One thread reads the lines in their order. The engine leaves out the mark of UTF-8 where it reads rows.
  const sql = `INSERT INTO ${name} (number, line) ${objectSettings(object, settings)}, max_threads = 1, max_insert_threads = 1,
      input_format_parallel_parsing = 0, max_block_size = 10, max_memory_usage = ${memoryOfCopy}
    SELECT number, if(number = 0 AND startsWith(line, '\\xEF\\xBB\\xBF'), substring(line, 4), line)
    FROM (SELECT rowNumberInAllBlocks() AS number, line FROM ${lines.sql})
    ${object.format === "JSONEachRow" ? "WHERE match(line, '[^ \\\\t\\\\r]')" : ""}`
  const copies = engine.run(sql, lines.parameters, { queryId: copy, timeout: longestRead })
  yield* Effect.mapError(copies, copyFailure(object))
})

/**
 * Whether the lines of an object are its rows: none is too long, and most of those of JSON are objects. It may also be an array, have
 * rows of several lines, or be something else than it is said to be. The engine reads no TSV with carriage returns.
 */
const areRows = ({ database, engine }: StagingTarget, { format }: ObjectReference, copy: string) => {
  const most = "countIf(startsWith(trimLeft(line), '{') AND isValidJSON(line)) * 2 >= count()"
  const isOfFormat = format === "JSONEachRow" ? most : "countIf(number = 0 AND endsWith(line, '\\r')) = 0"
  return engine
    .run(
      `SELECT max(bytes) <= ${mostBytes} AND ${format.startsWith("CSV") ? 1 : isOfFormat}
      FROM ${quoteTable(database, copy)} FORMAT TSV`,
      {},
      { timeout: longestRead }
    )
    .pipe(
      Effect.mapError(warehouseFailure),
      Effect.map((answer) => answer.trim() === "1")
    )
}

/**
 * The lines from a number on, as many as memory takes. The lengths say where they end, so that each line is read once. They travel
 * as base64: a line may be no text.
 */
const readLines = ({ database, engine }: StagingTarget, copy: string, from: number) =>
  engine
    .run(
      `SELECT number, base64Encode(line) FROM ${quoteTable(database, copy)}
      WHERE number BETWEEN {from:UInt64} AND (
        SELECT max(number) FROM (
          SELECT number, sum(bytes) OVER (ORDER BY number) AS total FROM (
            SELECT number, bytes FROM ${quoteTable(database, copy)}
            WHERE number >= {from:UInt64} ORDER BY number LIMIT ${mostLines}
          )
        ) WHERE total <= ${mostBytes}
      ) ORDER BY number FORMAT TSV`,
      { from: String(from) },
      { timeout: longestRead }
    )
    .pipe(
      Effect.mapError(warehouseFailure),
      Effect.map((answer): ReadonlyArray<ObjectLine> =>
        answer.split("\n").flatMap((text) => {
          const [number, line] = text.split("\t")
          return line === undefined ? [] : [{ number: Number(number), line: Buffer.from(line, "base64") }]
        })
      )
    )

/**
 * The rows of CSV or TSV from a line on. The last one is left for the next time if it does not end here. If it does not end at all,
 * it has no input.
 */
const readJoined = Effect.fnUntraced(function* (
  target: StagingTarget,
  object: ObjectReference,
  copy: string,
  from: number
) {
  const { isOpen, rows } = joinLines(object, yield* readLines(target, copy, from))
  const last = rows.at(-1)
  if (!isOpen || last === undefined) return rows
  if (rows.length > 1) return rows.slice(0, -1)
  if ((yield* readLines(target, copy, last.next)).length > 0) {
    return yield* new ObjectRejected({ reason: `the row that begins in line ${from} is too long` })
  }
  return [{ ...last, input: new Uint8Array() }]
})

const withoutEnd = (input: Uint8Array) => (input.length === 0 ? "its last value has no end" : undefined)

const newline = Buffer.from("\n")
const longestHeader = 40_000
// The engine's number of the error for a text that has nothing but a header.
const noRows = 10
const inHeader = "(while reading header)"

/** Fails if the engine reads the first line of CSV or TSV as a header and the format has none, or the other way round. */
const checkHeader = Effect.fnUntraced(function* (
  { engine }: StagingTarget,
  settings: KnownSettings,
  object: ObjectReference,
  columns: ReadonlyArray<ReadColumn>,
  first: ObjectRow
) {
  const fields = columns.map(({ field }) => `${quoteIdentifier(field)} String`).join(", ")
  const hasNames = object.format.endsWith("WithNames")
  const twice = Buffer.concat([first.content, newline, first.content, newline]).toString("base64")
  const counts = engine.run(
    `SELECT count() FROM format(${object.format}, {fields:String}, base64Decode({twice:String}))
    ${objectSettings(object, settings)} FORMAT TSV`,
    { fields, twice }
  )
  // A longer line would not fit into the statement.
  const count = yield* (first.content.length > longestHeader ? Effect.succeed("") : counts).pipe(
    Effect.catchIf(
      (failure) => failure.code === noRows || unreadableReason(failure) !== undefined,
      // A header that fails is one.
      ({ code, message }) => Effect.succeed(code === noRows || (!hasNames && message.includes(inHeader)) ? "0" : "")
    ),
    Effect.mapError(warehouseFailure)
  )
  if (["0", "1"].includes(count.trim()) !== hasNames) {
    return yield* new ObjectRejected({ reason: "its first line is a header only if its format has one" })
  }
})

// Each search is a statement over all lines of a batch.
const mostTries = 20
const notTried = "not tried: too many rows of this batch cannot be read"

/** A line of CSV or TSV that the engine has refused, by its number in the statement if the engine names it. */
interface LineRefused {
  readonly row: number | undefined
  readonly reason: string
}

const lineRefused = (failure: EngineFailure): LineRefused | undefined => {
  const row = rejectedRow(failure)
  const reason = row === undefined ? unreadableReason(failure) : rejectionReason(failure)
  return reason === undefined ? undefined : { row, reason }
}

const RejectedRow = Schema.Struct({ row: Schema.FiniteFromString, reason: Schema.String })

/**
 * Inserts the rows of CSV or TSV as they stand into a table of values, in the types that the object is read in, each with the
 * number of its line. What makes them values of the columns is then the same as for a whole object, and what fails is known of all
 * rows at once.
 */
const delimitedRows = Effect.fnUntraced(function* (
  target: StagingTarget,
  { settings }: OpenedTarget,
  object: ObjectReference,
  columns: ReadonlyArray<ReadColumn>,
  tables: { readonly copy: string; readonly staging: string; readonly values: string }
) {
  const { database, engine } = target
  const { copy, staging } = tables
  const { delimiter = ",", format } = object
  const [into, values] = [quoteTable(database, staging), quoteTable(database, tables.values)]
  const unknownFields = yield* compareFields(target, settings, object, columns)
  const [first] = yield* readJoined(target, object, copy, 0)
  if (first === undefined || withoutEnd(first.input) !== undefined) {
    return yield* new ObjectRejected({ reason: "it has no rows" })
  }
  yield* checkHeader(target, settings, object, columns, first)
  // No field has the name of one of these tables.
  const [number, reason] = [quoteIdentifier(tables.values), quoteIdentifier(staging)]
  const header = format.endsWith("WithNames")
    ? [Buffer.concat([firstValue(format, delimiter, tables.values), first.content, newline])]
    : []
  const { problem, select, structure } = objectColumns(format, columns)
  yield* dropStaging(target, tables.values)
  yield* execute(
    engine,
    `CREATE TABLE ${values} (${number} UInt64, ${structure}) ENGINE = MergeTree ORDER BY ${number} SETTINGS
      non_replicated_deduplication_window = ${windowOfBatches}, parts_to_delay_insert = 100000, parts_to_throw_insert = 100000`
  )
  const counts = new Map<string, number>()
  const rows: Omit<ObjectRows, "discard"> = {
    read: (from) => readJoined(target, object, copy, header.length > 0 ? Math.max(from, first.next) : from),
    insert: Effect.fnUntraced(function* <E>(token: string, inputs: Stream.Stream<Uint8Array, E>) {
      const statement = { into: values, format: `${linesSettings(object, token, settings)} FORMAT ${format}` }
      const known = new Map<number, string>()
      let cut = Infinity
      for (let tried = 1; ; tried += 1) {
        const sent: Array<number> = []
        const { bytes, rejected } = statementBody(inputs, (input, row) => {
          const reason = withoutEnd(input) ?? known.get(row) ?? (row > cut ? notTried : undefined)
          if (reason === undefined) sent.push(row)
          return reason
        })
        let refused: LineRefused | undefined
        const inserted = engine.insert(statement, Stream.concat(Stream.fromIterable(header), bytes), (failure) => {
          refused = lineRefused(failure)
          return warehouseFailure(failure)
        })
        const result = yield* Effect.result(inserted)
        if (refused === undefined) {
          yield* Effect.fromResult(result)
          counts.set(token, sent.length)
          return { unknownFields, rejected: rejected() }
        }
        // The engine may name no row. It is one of these.
        const named = refused.row === undefined ? sent : sent.slice(refused.row, refused.row + 1)
        for (const row of named.length === 0 ? sent : named) known.set(row, refused.reason)
        if (tried >= mostTries) cut = Math.max(...known.keys())
      }
    }),
    rejected: (from, to) =>
      query(
        engine,
        RejectedRow,
        `SELECT toString(${number}) AS row, left(${reason}, 200) AS reason
        FROM (SELECT ${number}, ${problem} AS ${reason} FROM ${values} WHERE ${number} BETWEEN {from:UInt64} AND {to:UInt64})
        WHERE ${reason} != '' ORDER BY ${number}`,
        { from: String(from.row), to: String(to.row) }
      ),
    staged: Effect.gen(function* () {
      yield* dropStaging(target, copy)
      const found = yield* Effect.mapError(
        engine.run(`SELECT uniqExact(${number}) FROM ${values} FORMAT TSV`),
        warehouseFailure
      )
      const inserted = Array.from(counts.values()).reduce((sum, count) => sum + count, 0)
      if (Number(found) !== inserted) {
        return yield* new ObjectRejected({ reason: "the warehouse divides it into other rows" })
      }
      const names = columns.map(({ name }) => quoteIdentifier(name)).join(", ")
      yield* engine
        .run(
          `INSERT INTO ${into} (${names}) ${objectSettings(object, settings)} SELECT ${select} FROM ${values} WHERE ${problem} = ''`,
          {},
          { queryId: staging, timeout: longestRead }
        )
        .pipe(Effect.mapError(rowsFailure))
      yield* dropStaging(target, tables.values)
      return { staging, parts: yield* stagedParts(target, staging) }
    })
  }
  return rows
})

/** Copies the lines of an object, to be inserted like the rows of messages. `insertInto` does that with those of JSON. */
export const stageRows = Effect.fnUntraced(function* (
  target: StagingTarget,
  opened: OpenedTarget,
  owner: Owner,
  range: Range,
  object: ObjectReference,
  insertInto: <E>(
    table: string,
    token: string,
    rows: Stream.Stream<Uint8Array, E>
  ) => Effect.Effect<InsertedRows, E | WarehouseError | WarehouseRefused>
) {
  if (object.format === "Parquet") return yield* new ObjectRejected({ reason: "it has no lines" })
  const { columns, isPlain, like } = yield* prepare(target, opened, object)
  if (isPlain) return yield* new ObjectRejected({ reason: "some of its rows may be in the table" })
  const staging = stagingName(owner, range)
  const [copy, values] = [stagingName(owner, range, "rows"), stagingName(owner, range, "values")]
  const into = quoteTable(target.database, staging)
  const jsonRows: Omit<ObjectRows, "discard"> = {
    read: (from) =>
      Effect.map(readLines(target, copy, from), (lines) =>
        lines.map(({ line, number }) => ({ row: number, next: number + 1, content: line, input: line }))
      ),
    insert: (token, contents) => insertInto(into, token, contents),
    rejected: () => Effect.succeed([]),
    staged: Effect.gen(function* () {
      yield* dropStaging(target, copy)
      // Each batch made a part. The engine refuses all inserts into a table that gets thousands of parts at once.
      yield* target.engine
        .run(`OPTIMIZE TABLE ${into} FINAL`, {}, { queryId: staging, timeout: longestRead })
        .pipe(Effect.mapError(warehouseFailure))
      return { staging, parts: yield* stagedParts(target, staging) }
    })
  }
  const copied = Effect.gen(function* () {
    yield* copyLines(target, opened.settings, object, copy)
    if (!(yield* areRows(target, object, copy))) {
      return yield* new ObjectRejected({ reason: "its lines are not its rows" })
    }
    yield* createStaging(target, like, staging, windowOfBatches)
    if (object.format === "JSONEachRow") return jsonRows
    return yield* delimitedRows(target, opened, object, columns, { copy, staging, values })
  })
  // What cannot be dropped now is dropped by the next owner.
  const drop = Effect.forEach([copy, values, staging], (table) => Effect.ignore(dropStaging(target, table)))
  const rows = yield* Effect.tapError(copied, () => drop)
  return {
    ...rows,
    read: (from: number) => Effect.tapError(rows.read(from), () => drop),
    staged: Effect.tapError(rows.staged, () => drop),
    discard: drop
  }
})
