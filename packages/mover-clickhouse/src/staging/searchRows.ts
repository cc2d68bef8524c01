import { type ClickHouse, type Column, type EngineFailure, quoteIdentifier, quoteTable } from "@headgate/clickhouse"
import { type Owner, type Range, WarehouseRefused } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { warehouseFailure } from "../connection/warehouseFailure.ts"
import { searchSettings } from "../sql/insertSettings.ts"
import { dropEarlierSearches, dropStaging, searchName } from "./Stagings.ts"
import { eachField } from "../row/jsonRow.ts"
import { type Scan, scanValue } from "../row/jsonScan.ts"
import { nameOf, shown } from "../row/jsonTokens.ts"
import { type Rejection, statementBody } from "../row/statementBody.ts"

// The engine refuses some rows that the rules of this package take. It names one of them at most, or none. So the rows go into a table of the
// same types, each with its number, where the engine leaves out those that it cannot read: what is not there is rejected.

/** Where rows are searched for those that the engine refuses. */
export interface SearchTarget {
  readonly engine: ClickHouse["Service"]
  readonly database: string
  readonly columns: ReadonlyArray<Column>
  readonly settings: ReadonlyMap<string, string>
}

const accessDenied = 497

const grantMissing = (database: string) => (failure: EngineFailure) =>
  failure.code === accessDenied
    ? new WarehouseRefused({
        message: `the warehouse refuses rows, and which ones is found in a table of their own, which its user may not create: GRANT CREATE TABLE, INSERT, SELECT, DROP TABLE ON ${quoteIdentifier(database)}.* TO <user> (${failure.message})`
      })
    : warehouseFailure(failure)

const [newline, space] = [0x0a, 0x20]

// The engine goes on at the next line after a row that it cannot read. It may have read some bytes beyond the end of that row.
const padding = " ".repeat(64)

/** A row in one line. Its line breaks stand between values, and never in a text. */
const onOneLine = (row: Uint8Array): Uint8Array =>
  row.includes(newline) ? row.map((byte) => (byte === newline ? space : byte)) : row

/** Which of some rows a table of these columns does not take. Each row is written with a number from 1: what the engine makes of a broken one has 0. */
const missingRows = Effect.fnUntraced(function* <E>(
  { database, engine, settings }: SearchTarget,
  name: string,
  columns: ReadonlyArray<Column>,
  rows: Stream.Stream<readonly [number: number, row: Uint8Array], E>
) {
  const table = quoteTable(database, name)
  // No field has the name of this table.
  const number = quoteIdentifier(name)
  const refused = grantMissing(database)
  const structure = columns.map((column) => `${quoteIdentifier(column.name)} ${column.type}`)
  yield* Effect.mapError(engine.run(`DROP TABLE IF EXISTS ${table} SYNC`), refused)
  yield* Effect.mapError(
    engine.run(
      `CREATE TABLE ${table} (${[`${number} UInt64`, ...structure].join(", ")}) ENGINE = MergeTree ORDER BY ${number}`
    ),
    refused
  )
  const field = Buffer.from(`{${JSON.stringify(name)}:`)
  let largest = -1
  const lines = Stream.map(rows, ([place, row]) => {
    largest = place
    const line = onOneLine(row)
    const from = line.indexOf(0x7b) + 1
    const isEmpty = /^\s*\}/.test(Buffer.from(line.subarray(from, from + 8)).toString("latin1"))
    return Buffer.concat([
      field,
      Buffer.from(`${place + 1}${isEmpty ? "" : ","}`),
      line.subarray(from),
      Buffer.from(padding)
    ])
  })
  const into = `${table} (${[number, ...columns.map((column) => quoteIdentifier(column.name))].join(", ")})`
  yield* engine.insert(
    { into, format: `${searchSettings(settings)} FORMAT JSONEachRow` },
    statementBody(lines, () => undefined).bytes,
    refused
  )
  // Few are missing: the answer is short.
  const missing = yield* Effect.mapError(
    engine.run(
      `SELECT number FROM numbers(${largest + 1}) WHERE number + 1 NOT IN (SELECT ${number} FROM ${table}) FORMAT TSV`
    ),
    warehouseFailure
  )
  return new Set(missing.split("\n").flatMap((line) => (line === "" ? [] : [Number(line)])))
})

/** A field of a rejected row, as a row of its own. */
interface RejectedField {
  readonly number: number
  readonly place: number
  readonly value: Uint8Array
  readonly field: Uint8Array
}

/**
 * The fields of the rejected rows, each as a row of its own: which of them the engine refuses names the column. A range has up to millions,
 * so they are made one row after the other, and not held.
 */
function* fieldsOf(
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<readonly [number, Uint8Array]>
): Generator<RejectedField> {
  const places = new Map(
    columns.map(({ name }, place) => [Buffer.from(name, "utf8").toString("latin1"), place] as const)
  )
  const scan: Scan = { problem: undefined }
  for (const [number, row] of rows) {
    const found: Array<RejectedField> = []
    eachField(row, (_, nameFrom, nameTo, valueFrom) => {
      const to = scanValue(scan, row, valueFrom, undefined)
      const place = places.get(nameOf(row, nameFrom, nameTo))
      if (place !== undefined) {
        const field = Buffer.concat([Buffer.from("{"), row.subarray(nameFrom - 1, to), Buffer.from("}")])
        found.push({ number, place, value: row.subarray(valueFrom, to), field })
      }
      return to
    })
    yield* found
  }
}

const notNamed = "the engine takes the row in no table of these columns"

/**
 * Which of some rows the engine refuses, and because of which column: two statements, however many there are. The rows are those that the
 * rules of this package take.
 */
export const searchRows = Effect.fn("searchRows")(function* <E>(
  target: SearchTarget,
  owner: Owner,
  range: Range,
  rows: Stream.Stream<readonly [number: number, row: Uint8Array], E>
) {
  const { columns, database, engine } = target
  const name = searchName(owner, range)
  const drop = Effect.ignore(dropStaging({ database, engine }, name))
  yield* dropEarlierSearches({ database, engine }, owner)
  const search = Effect.gen(function* () {
    const missing = yield* missingRows(target, name, columns, rows)
    const refused: Array<readonly [number, Uint8Array]> = []
    yield* Stream.runForEach(rows, ([number, row]) =>
      Effect.sync(() => {
        if (missing.has(number)) refused.push([number, row])
      })
    )
    if (refused.length === 0) return []
    const fields = Stream.fromIterable(fieldsOf(columns, refused)).pipe(
      Stream.zipWithIndex,
      Stream.map(([{ field }, index]) => [index, field] as const)
    )
    const missingFields = yield* missingRows(target, name, columns, fields)
    const reasons = new Map<number, string>()
    let index = 0
    for (const { number, place, value } of fieldsOf(columns, refused)) {
      const column = columns[place]
      if (missingFields.has(index) && column !== undefined && !reasons.has(number)) {
        const text = shown(Buffer.from(value).toString("latin1"))
        reasons.set(number, `column ${column.name}: ${text}: it is no ${column.type}`)
      }
      index += 1
    }
    return refused.map(([row]): Rejection => ({ row, reason: reasons.get(row) ?? notNamed }))
  })
  return yield* Effect.ensuring(search, drop)
})
