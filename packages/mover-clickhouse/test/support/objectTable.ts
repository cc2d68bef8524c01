// A table of several types, and what reads objects into it.
import { PipeId } from "@headgate/core"
import type { ObjectReference, Range } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ClickHouse } from "../../src/index.ts"
import { addressed, objectFunction } from "../../src/staging/objectFunction.ts"
import { objectSettings, recentObjectSettings } from "../../src/staging/objectQuery.ts"
import { wideColumns } from "../../src/staging/wideColumn.ts"
import { knownSettings } from "../../src/table/describeTable.ts"
import { openPipe } from "./databases.ts"
import type { FieldCase, RowFormat } from "./objectRows.ts"
import { startObjects } from "./objects.ts"
import { type TypeCase, typeCases } from "./values.ts"

const pipeId = Schema.decodeSync(PipeId)("b1be0000-0000-4000-8000-0000000000c8")
const owner = { pipeId, epoch: 1, id: "owner" }

/** A column of a table of several types, with the values of its type in a format. */
export interface TestedColumn {
  readonly column: string
  readonly tested: TypeCase
  readonly cases: ReadonlyArray<FieldCase>
  /** A good value, for the rows in which that of another column is looked at. */
  readonly filling: string
}

export const hex = (text: string) => Buffer.from(text, "utf8").toString("hex").toUpperCase()

// A type may have several lists of values.
export const types = Array.from(new Set(typeCases.map(({ type, show }) => JSON.stringify({ type, show })))).map(
  (text): TypeCase => {
    const { show, type } = JSON.parse(text)
    return { show, type, values: typeCases.filter((one) => one.type === type).flatMap(({ values }) => values) }
  }
)
/** Bad values first and last, next to one another, and between good ones. */
export const mixed = (cases: ReadonlyArray<FieldCase>): ReadonlyArray<FieldCase> => {
  const [good, bad] = [
    cases.filter(({ stored }) => stored !== undefined),
    cases.filter(({ stored }) => stored === undefined)
  ]
  const between = good.flatMap((one, index) => [one, ...bad.slice(index, index + 1)])
  return [...bad, ...good, ...between, ...bad.slice(-2)]
}

/** A table of these columns, and what reads objects into it. */
export const openTable = Effect.fnUntraced(function* (
  engine: ClickHouse["Service"],
  columns: ReadonlyArray<TestedColumn>
) {
  const objects = yield* startObjects
  const settings = yield* knownSettings(engine, recentObjectSettings)
  const structure = columns.map(({ column, tested }) => `${column} ${tested.type}`).join(", ")
  const { database, lines, warehouse } = yield* openPipe(
    engine,
    {},
    (name) => `CREATE TABLE ${name}.t (n UInt64, ${structure}) ENGINE = MergeTree ORDER BY n
    SETTINGS non_replicated_deduplication_window = 10000`
  )
  yield* warehouse.open(pipeId, 10_000)
  yield* engine.run(`CREATE TABLE ${database}.whole (n UInt64, ${structure}) ENGINE = Memory`)
  const show = ({ column, tested }: TestedColumn) => `hex(${tested.show.replaceAll(/\bc\b/g, column)})`
  const found = (sql: string) =>
    Effect.map(lines(sql), (all) => all.map((line): Record<string, string> => JSON.parse(line)))
  /** What a table holds in each row, for each of the columns. */
  const held = (table: string, shown = columns.map(show)) =>
    Effect.map(
      lines(`SELECT toUInt32(n) AS n, [${shown.join(", ")}] AS v FROM ${database}.${table}`),
      (all) => new Map(all.map((line): [number, ReadonlyArray<string>] => [JSON.parse(line).n, JSON.parse(line).v]))
    )
  let ranges = 0
  const range = (): Range => {
    ranges += 1
    return { pipeId, generation: 1, source: "bucket", partition: "0", from: "", to: String(ranges) }
  }
  const putText = (format: RowFormat, text: string) => {
    ranges += 1
    return objects.put(`${ranges}.txt`, text, { format })
  }
  const put = (format: RowFormat, rows: ReadonlyArray<string>) =>
    putText(format, rows.map((row) => `${row}\n`).join(""))
  /** Inserts what the statement for whole objects reads of one column and takes, and leaves out all other rows. */
  const readColumn = Effect.fnUntraced(function* (
    reference: ObjectReference,
    { column, tested }: TestedColumn,
    fields: ReadonlyMap<string, string> = new Map(),
    isRead = "true"
  ) {
    const object = yield* addressed(reference)
    const wide = wideColumns(
      object.format,
      [
        { name: "n", field: "n", type: "UInt64", hasDefault: false },
        { name: column, field: column, type: tested.type, hasDefault: false }
      ],
      fields
    )
    const { parameters, sql } = objectFunction(object, wide.structure)
    const leavesOut = { max_threads: 1, input_format_allow_errors_num: 1_000_000, input_format_allow_errors_ratio: 1 }
    yield* engine.run(
      `INSERT INTO ${database}.whole (n, ${column}) ${objectSettings(object, settings, leavesOut)}
      SELECT ${wide.select} FROM (SELECT * FROM ${sql} WHERE ${isRead}) WHERE ifNull(${wide.exact}, false)`,
      parameters
    )
  })
  return {
    put,
    putText,
    held,
    /** What was read of each column alone. */
    heldAlone: held(
      "whole",
      columns.map((column, place) => `if(intDiv(n, 10000) = ${place}, ${show(column)}, '')`)
    ),
    stage: (object: ObjectReference) => warehouse.stage(owner, range(), [object]),
    stageRows: Effect.fnUntraced(function* (object: ObjectReference) {
      const at = range()
      const { staging } = yield* warehouse.stageRows(owner, at, object)
      yield* warehouse.copyRejected(at, staging)
      const rejected = yield* found(
        `SELECT hex(raw_message) AS raw, error FROM ${database}.t_pipe_errors WHERE range_to = '${at.to}' ORDER BY range_row`
      )
      return { held: yield* held(staging), rejected }
    }),
    readWhole: Effect.fnUntraced(function* (format: RowFormat, rows: ReadonlyArray<string>, column: TestedColumn) {
      const read = (rows: ReadonlyArray<string>): Effect.Effect<void> =>
        Effect.gen(function* () {
          // The engine may read beyond the end of what it refuses.
          const blanks = format === "JSONEachRow" ? " ".repeat(64) : ""
          const padded = rows.map((row) => row + blanks)
          yield* readColumn(yield* put(format, padded), column)
        }).pipe(
          // A row at which the statement ends is refused.
          Effect.catchCause(() => {
            const half = Math.ceil(rows.length / 2)
            return rows.length < 2 ? Effect.void : Effect.andThen(read(rows.slice(0, half)), read(rows.slice(half)))
          })
        )
      yield* read(rows)
    }),
    readColumn,
    /** Writes rows of JSON into an object of Parquet. */
    putParquet: Effect.fnUntraced(function* (structure: string, rows: ReadonlyArray<string>) {
      const json = yield* put("JSONEachRow", rows)
      const { parameters, sql } = objectFunction(yield* addressed(json), structure)
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "headgate-parquet-"))),
        (made) => Effect.sync(() => rmSync(made, { recursive: true }))
      )
      const file = join(folder, "a.parquet")
      yield* engine.run(`INSERT INTO FUNCTION file('${file}', 'Parquet') SELECT * FROM ${sql}`, parameters)
      ranges += 1
      return yield* objects.put(`${ranges}.parquet`, readFileSync(file), { format: "Parquet" })
    })
  }
})
