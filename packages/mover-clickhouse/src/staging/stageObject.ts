import type { FieldMapping } from "@headgate/core"
import {
  type ObjectFormat,
  ObjectRejected,
  type ObjectReference,
  type ObjectRow,
  type ObjectRows,
  objectsAtOnce,
  type Owner,
  type Range,
  type RowsRejected,
  type UnknownFields,
  unknownFieldName,
  type WarehouseError,
  WarehouseRefused
} from "@headgate/mover"
import * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import { type EngineFailure, warehouseFailure } from "../connection/EngineFailure.ts"
import { type Column, holdsNull } from "../row/columnRule.ts"
import { quoteIdentifier, quoteTable } from "../sql/quote.ts"
import { execute } from "../table/describeTable.ts"
import { objectFailure, readFields } from "./describeObject.ts"
import { missing, objectFunction, objectRefusal, objectRows, objectSettings, type ReadColumn } from "./objectQuery.ts"
import {
  createStaging,
  describeTarget,
  dropStaging,
  insertsPlainly,
  longestRead,
  stagedParts,
  stagingName,
  type StagingTarget
} from "./Stagings.ts"

const refuse = (message: string) => Effect.fail(new WarehouseRefused({ message }))

/** The columns that an object fills: each from the field of its name, or from the one that is mapped to it. */
const readColumns = Effect.fnUntraced(function* (
  columns: ReadonlyArray<Column>,
  mappings: ReadonlyArray<FieldMapping>,
  format: ObjectFormat
) {
  if (mappings.length === 0) return columns.map((column): ReadColumn => ({ ...column, field: column.name }))
  if (format === "CSV" || format === "TabSeparated") {
    return yield* refuse(`fieldMappings: fields of ${format} have no names: use ${format}WithNames`)
  }
  const fields = new Map(
    mappings.flatMap(({ destinationField, sourceField }) =>
      destinationField == null || sourceField == null ? [] : [[destinationField, sourceField] as const]
    )
  )
  if (new Set(fields.values()).size < mappings.length) {
    return yield* refuse("fieldMappings: a field of an object goes to one column")
  }
  const read: Array<ReadColumn> = []
  for (const column of columns) {
    const field = fields.get(column.name)
    if (field !== undefined) read.push({ ...column, field })
    else if (!column.hasDefault && !holdsNull(column.type)) {
      return yield* refuse(`fieldMappings: no field goes to column ${column.name}, which has no default`)
    }
  }
  return read
})

/**
 * The fields of an object that no column is read from. Fails if its header lacks a column that has no default, into which the
 * engine would write empty texts. Nothing is known of an object that cannot be described: reading it says what it is.
 */
const compareFields = Effect.fnUntraced(function* (
  { engine, fieldMappings }: StagingTarget,
  settings: ReadonlySet<string>,
  object: ObjectReference,
  columns: ReadonlyArray<ReadColumn>
) {
  const none: UnknownFields = new Map()
  const { format } = object
  if (format === "CSV" || format === "TabSeparated") return none
  const fields = yield* Effect.catchTag(readFields(engine, object, settings), "ObjectRejected", () =>
    Effect.succeed([])
  )
  const found = new Set(fields.map(({ name }) => name))
  const hasHeader = format === "CSVWithNames" || format === "TabSeparatedWithNames"
  const lacked = columns.find(({ field, hasDefault, type }) => !hasDefault && !holdsNull(type) && !found.has(field))
  if (hasHeader && found.size > 0 && lacked !== undefined) {
    return yield* new ObjectRejected({ reason: missing(lacked.field) })
  }
  // What no mapping names was left out on purpose.
  if (fieldMappings.length > 0) return none
  // The columns `a.b` and `a.c` of a Nested are the field `a`.
  const read = new Set(columns.flatMap(({ field }) => [field, field.split(".")[0] ?? field]))
  const unknown = new Map<string, undefined>()
  for (const { name } of fields) if (!read.has(name)) unknown.set(unknownFieldName(unknown, name), undefined)
  return unknown
})

/** The destination as it was opened. */
interface OpenedTarget {
  readonly columns: ReadonlyArray<Column>
  readonly settings: ReadonlySet<string>
  readonly parsingThreads: number | undefined
}

/** What is known before an object is read into a staging table, or into the destination itself. */
const prepare = Effect.fnUntraced(function* (target: StagingTarget, opened: OpenedTarget, object: ObjectReference) {
  const refusal = objectRefusal(object)
  if (refusal !== undefined) return yield* new ObjectRejected({ reason: refusal })
  const columns = yield* readColumns(opened.columns, target.fieldMappings, object.format)
  const like = yield* describeTarget(target)
  return { columns, like, isPlain: yield* insertsPlainly(target, like) }
})

// The engine divides its threads between the files of one statement, and not between statements.
const shareOf = (threads: number | undefined): string =>
  threads === undefined ? "" : `, max_parsing_threads = ${Math.ceil(threads / objectsAtOnce)}`

/** Reads an object into a staging table, or into the destination itself. */
export const stageObject = Effect.fnUntraced(function* (
  target: StagingTarget,
  opened: OpenedTarget,
  owner: Owner,
  range: Range,
  object: ObjectReference
) {
  const { database, engine, table } = target
  const { columns, isPlain, like } = yield* prepare(target, opened, object)
  const unknownFields = yield* compareFields(target, opened.settings, object, columns)
  const staging = stagingName(owner, range)
  if (!isPlain) yield* createStaging(target, like, staging)
  const rows = objectRows(object, columns)
  const names = columns.map(({ name }) => quoteIdentifier(name)).join(", ")
  const into = quoteTable(database, isPlain ? table : staging)
  const settings = `${objectSettings(object, opened.settings)}${shareOf(opened.parsingThreads)}`
  const sql = `INSERT INTO ${into} (${names}) ${settings} ${rows.sql}`
  const reads = engine.run(sql, rows.parameters, { queryId: staging, timeout: longestRead })
  const read = Effect.mapError(reads, objectFailure(object))
  if (isPlain) {
    // The engine commits the blocks before the one that it rejects.
    const rejected = Effect.catchTag(read, "ObjectRejected", ({ reason }) =>
      Effect.fail(new ObjectRejected({ reason: `some of its rows may be in the table: ${reason}` }))
    )
    return yield* Effect.as(rejected, { staging: "", parts: [], unknownFields })
  }
  // What cannot be dropped now is dropped by the next owner.
  yield* Effect.tapError(read, () => Effect.ignore(dropStaging(target, staging)))
  return { staging, parts: yield* stagedParts(target, staging), unknownFields }
})

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
const copyFailure = (object: ObjectReference) => (failure: EngineFailure) =>
  failure.code === memoryLimitExceeded && /^(Query memory limit|Memory limit \(for query\))/u.test(failure.message)
    ? new ObjectRejected({ reason: "it has a line that is too long" })
    : objectFailure(object)(failure)

/** Copies the lines of an object into a table, with their numbers. Lines of white space are no rows, as in the engine. */
const copyLines = Effect.fnUntraced(function* (
  target: StagingTarget,
  settings: ReadonlySet<string>,
  object: ObjectReference,
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
  const lines = objectFunction(object, "line String", "LineAsString")
  // One thread reads the lines in their order. The engine leaves out the mark of UTF-8 where it reads rows.
  const sql = `INSERT INTO ${name} (number, line) ${objectSettings(object, settings)}, max_threads = 1, max_insert_threads = 1,
      input_format_parallel_parsing = 0, max_block_size = 10, max_memory_usage = ${memoryOfCopy}
    SELECT number, if(number = 0 AND startsWith(line, '\\xEF\\xBB\\xBF'), substring(line, 4), line)
    FROM (SELECT rowNumberInAllBlocks() AS number, line FROM ${lines.sql})
    WHERE match(line, '[^ \\\\t\\\\r]')`
  const copies = engine.run(sql, lines.parameters, { queryId: copy, timeout: longestRead })
  yield* Effect.mapError(copies, copyFailure(object))
})

/**
 * Whether the lines of an object are its rows: most of them are JSON objects, and none is too long. It may also be an array, have
 * rows of several lines, or be something else than it is said to be.
 */
const areRows = ({ database, engine }: StagingTarget, copy: string) =>
  engine
    .run(
      `SELECT max(bytes) <= ${mostBytes}
        AND countIf(startsWith(trimLeft(line), '{') AND isValidJSON(line)) * 2 >= count()
      FROM ${quoteTable(database, copy)} FORMAT TSV`,
      {},
      { timeout: longestRead }
    )
    .pipe(
      Effect.mapError(warehouseFailure),
      Effect.map((answer) => answer.trim() === "1")
    )

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
      Effect.map((answer): ReadonlyArray<ObjectRow> =>
        answer.split("\n").flatMap((line) => {
          const [number, content] = line.split("\t")
          return content === undefined ? [] : [{ row: Number(number), content: Buffer.from(content, "base64") }]
        })
      )
    )

/** Copies the lines of an object of JSON, to be inserted into a staging table like the rows of messages. `insertInto` does that. */
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
  ) => Effect.Effect<UnknownFields, E | WarehouseError | WarehouseRefused | RowsRejected>
) {
  if (object.format !== "JSONEachRow") {
    return yield* new ObjectRejected({ reason: `the rows of ${object.format} are not read one by one` })
  }
  const { isPlain, like } = yield* prepare(target, opened, object)
  if (isPlain) return yield* new ObjectRejected({ reason: "some of its rows may be in the table" })
  const [staging, copy] = [stagingName(owner, range), stagingName(owner, range, "rows")]
  yield* copyLines(target, opened.settings, object, copy).pipe(
    Effect.andThen(areRows(target, copy)),
    Effect.filterOrFail(
      (found) => found,
      () => new ObjectRejected({ reason: "its lines are not its rows" })
    ),
    // What cannot be dropped now is dropped by the next owner.
    Effect.tapError(() => Effect.ignore(dropStaging(target, copy)))
  )
  yield* createStaging(target, like, staging, windowOfBatches)
  const into = quoteTable(target.database, staging)
  const rows: ObjectRows = {
    read: (from) => readLines(target, copy, from),
    insert: (token, contents) => insertInto(into, token, contents),
    staged: Effect.gen(function* () {
      yield* dropStaging(target, copy)
      // Each batch made a part. The engine refuses all inserts into a table that gets thousands of parts at once.
      yield* target.engine
        .run(`OPTIMIZE TABLE ${into} FINAL`, {}, { queryId: staging, timeout: longestRead })
        .pipe(Effect.mapError(warehouseFailure))
      return { staging, parts: yield* stagedParts(target, staging) }
    })
  }
  return rows
})
