import { EngineFailure, type QueryEngine, type QuerySettings, splitList, type Table } from "@headgate/clickhouse"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** A table as the engine describes it. Whether it may be read is decided elsewhere. */
export interface FoundTable extends Table {
  readonly columns: ReadonlyArray<{ readonly name: string; readonly type: string }>
  /** The expressions of its sorting key. */
  readonly sortingKey: ReadonlyArray<string>
}

const Row = Schema.Struct({
  kind: Schema.Literals(["table", "column"]),
  name: Schema.String,
  type: Schema.String,
  comment: Schema.String,
  uuid: Schema.String,
  sortingKey: Schema.String
})

const decodeRow = Schema.decodeUnknownEffect(Schema.fromJsonString(Row))

// No name of the inner results is that of a column: a condition would mean the result.
const statement = `SELECT of_kind AS kind, of_name AS name, of_type AS type, of_comment AS comment, of_uuid AS uuid, of_key AS sortingKey FROM (
  SELECT 'table' AS of_kind, engine AS of_name, engine_full AS of_type, comment AS of_comment, toString(uuid) AS of_uuid, sorting_key AS of_key,
    toUInt64(0) AS of_position
  FROM system.tables WHERE database = {database:String} AND name = {table:String}
  UNION ALL
  SELECT 'column', name, type, '', '', '', position FROM system.columns
  WHERE database = {database:String} AND table = {table:String} AND default_kind != 'EPHEMERAL'
) ORDER BY of_position FORMAT JSONEachRow`

/** Looks a table up by its name, in one statement; `undefined` if there is none of this name, or if it has no columns. */
export const lookUpTable = Effect.fnUntraced(function* (
  engine: QueryEngine,
  settings: QuerySettings,
  database: string,
  table: string
) {
  const answer = yield* engine.run(statement, settings, { database, table })
  const rows = yield* Effect.forEach(
    answer.split("\n").filter((line) => line.trim() !== ""),
    (line) =>
      Effect.mapError(
        decodeRow(line),
        () =>
          new EngineFailure({ code: undefined, message: "the warehouse answered something else than was asked for" })
      )
  )
  const found = rows.find(({ kind }) => kind === "table")
  const columns = rows.filter(({ kind }) => kind === "column")
  if (found === undefined || columns.length === 0) return undefined
  const { comment, name, sortingKey, type, uuid } = found
  const answered: FoundTable = {
    engine: name,
    engineFull: type,
    comment,
    uuid,
    columns: columns.map((column) => ({ name: column.name, type: column.type })),
    sortingKey: splitList(sortingKey)
  }
  return answered
})
