import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { TestDatabase } from "./describePostgres.ts"
import { makePipe, until } from "./pipes.ts"

type Pipe = Effect.Success<ReturnType<typeof makePipe>>

/** The rows of a table of Postgres, as `rows` of the pipe has them. */
const sourceRows = (database: TestDatabase, table: string, columns: string) =>
  Effect.map(
    database.run(
      `SELECT concat_ws('|', ${columns
        .split(",")
        .map((column) => `coalesce(${column}::text, 'NULL')`)
        .join(", ")}) AS line FROM "${table}"`
    ),
    (rows) => rows.map(({ line }) => String(line)).toSorted()
  )

const shortened = (row: string): string => (row.length < 100 ? row : `${row.slice(0, 40)}...${row.slice(-40)}`)

/** Waits until a table has the rows of its source, and fails with the difference if it never does. */
export const sameRows = Effect.fnUntraced(function* (
  database: TestDatabase,
  pipe: Pipe,
  table: string,
  columns: string
) {
  const expected = yield* sourceRows(database, table, columns)
  const isSame = Effect.map(pipe.rows(table, columns), (found) => found.join("\n") === expected.join("\n"))
  yield* Effect.timeoutOption(until(isSame), "60 seconds")
  const found = yield* pipe.rows(table, columns)
  const difference = {
    missing: expected
      .filter((row) => !found.includes(row))
      .slice(0, 5)
      .map(shortened),
    added: found
      .filter((row) => !expected.includes(row))
      .slice(0, 5)
      .map(shortened),
    rows: found.length
  }
  const status = JSON.stringify(pipe.reports.at(-1))
  assert.deepStrictEqual(difference, { missing: [], added: [], rows: expected.length }, status)
})
