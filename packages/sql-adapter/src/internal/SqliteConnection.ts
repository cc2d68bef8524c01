import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import { SafeIntegers } from "effect/sql/SqlClient"
import type { Connection, Row } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite"
import { makeStatementCache } from "./StatementCache.ts"
import { sqliteError } from "./sqliteError.ts"

type Prepare = (text: string) => StatementSync

/** The values SQLite has no type for, as it keeps them: booleans as 0 and 1, dates as their text. */
const toInput = (value: unknown): SQLInputValue => {
  if (value === undefined) return null
  if (typeof value === "boolean") return value ? 1 : 0
  if (Predicate.isDate(value)) return value.toISOString()
  return value as SQLInputValue // node:sqlite checks the rest itself and throws, which becomes a SqlError
}

/** effect/sql's connection over an open database. Every method is one synchronous call into SQLite. */
export const makeConnection = (db: DatabaseSync, statementCacheSize: number): Connection => {
  const cached = makeStatementCache(db, statementCacheSize)
  const uncached: Prepare = (text) => db.prepare(text)

  const run = <A>(
    prepare: Prepare,
    text: string,
    params: ReadonlyArray<unknown>,
    call: (statement: StatementSync, inputs: ReadonlyArray<SQLInputValue>) => A
  ): Effect.Effect<A, SqlError> =>
    Effect.withFiber((fiber) =>
      Effect.try({
        try: () => {
          const statement = prepare(text)
          statement.setReadBigInts(fiber.getRef(SafeIntegers))
          return call(statement, params.map(toInput))
        },
        catch: (cause) => sqliteError(cause, "the statement failed", "execute")
      })
    )

  const rows = (prepare: Prepare, text: string, params: ReadonlyArray<unknown>) =>
    run<ReadonlyArray<Row>>(prepare, text, params, (statement, inputs) => statement.all(...inputs))

  const values = (prepare: Prepare, text: string, params: ReadonlyArray<unknown>) =>
    run(prepare, text, params, (statement, inputs) => {
      statement.setReturnArrays(true)
      // Arrays now, whatever the type says: `Object.values` of an array is the array.
      const arrays = statement.all(...inputs).map((row): ReadonlyArray<unknown> => Object.values(row))
      statement.setReturnArrays(false)
      return arrays
    })

  const execute =
    (prepare: Prepare): Connection["execute"] =>
    (text, params, transformRows) =>
      transformRows === undefined ? rows(prepare, text, params) : Effect.map(rows(prepare, text, params), transformRows)

  return {
    execute: execute(cached),
    executeUnprepared: execute(uncached),
    executeRaw: (text, params) =>
      run<unknown>(cached, text, params, (statement, inputs) =>
        statement.columns().length > 0 ? statement.all(...inputs) : statement.run(...inputs)
      ),
    executeValues: (text, params) => values(cached, text, params),
    executeValuesUnprepared: (text, params) => values(uncached, text, params),
    // All at once: a cursor that stays open would hold the one connection while its consumer works.
    executeStream: (text, params, transformRows) =>
      Stream.fromIterableEffect(execute(cached)(text, params, transformRows))
  }
}
