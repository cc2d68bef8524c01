import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import { SafeIntegers, type SqlClient } from "effect/sql/SqlClient"
import type { Connection, Row } from "effect/sql/SqlConnection"
import { classifySqliteError, ConnectionError, SqlError } from "effect/sql/SqlError"
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite"
import type { RunWrite } from "./GroupCommit.ts"

const uniqueViolation = 2067
// SQLite has other codes for a duplicate primary key and a duplicate row id; callers need no difference.
const alsoUniqueViolation: ReadonlyArray<number> = [1555, 2579]

/** `node:sqlite` puts SQLite's extended result code in `errcode`; effect/sql reads `errno`. */
const withErrno = (cause: unknown): unknown =>
  Predicate.isObject(cause) && Predicate.hasProperty(cause, "errcode") && Predicate.isNumber(cause.errcode)
    ? Object.assign(cause, { errno: alsoUniqueViolation.includes(cause.errcode) ? uniqueViolation : cause.errcode })
    : cause

/** The reason of SQLite or of the file system; it contains no stored value. */
const because = (message: string, cause: unknown): string =>
  Predicate.isError(cause) ? `${message}: ${cause.message}` : message

/** Classifies an error of `node:sqlite`: a duplicate is a `UniqueViolation`, a lock a `LockTimeoutError`, and so on. */
export const sqliteError = (cause: unknown, message: string, operation: string): SqlError =>
  new SqlError({ reason: classifySqliteError(withErrno(cause), { message: because(message, cause), operation }) })

/** The error of a file or folder that cannot be created. */
export const connectionError = (cause: unknown, message: string): SqlError =>
  new SqlError({ reason: new ConnectionError({ cause, message: because(message, cause), operation: "open" }) })

/** Prepared statements by their text. Above `capacity`, the least recently used one is dropped. */
const makeStatementCache = (db: DatabaseSync, capacity: number): ((text: string) => StatementSync) => {
  // A map keeps the order of insertion: the first entry is the least recently used.
  const statements = new Map<string, StatementSync>()
  return (text) => {
    const held = statements.get(text)
    const statement = held ?? db.prepare(text)
    statements.delete(text)
    statements.set(text, statement)
    if (statements.size > capacity) {
      for (const oldest of statements.keys()) {
        statements.delete(oldest)
        break
      }
    }
    return statement
  }
}

type Prepare = (text: string) => StatementSync

/** Converts values that SQLite has no type for: booleans to 0 and 1, dates to text. */
const toInput = (value: unknown): SQLInputValue => {
  if (value === undefined) return null
  if (typeof value === "boolean") return value ? 1 : 0
  if (Predicate.isDate(value)) return value.toISOString()
  return value as SQLInputValue // node:sqlite checks the rest itself and throws, which becomes a SqlError
}

/** effect/sql's connection over an open database. Each method is one synchronous call into SQLite. */
export const makeConnection = (
  db: DatabaseSync,
  statementCacheSize: number
): Connection & Pick<SqliteDriver, "readFirst"> => {
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

  const readFirst: SqliteDriver["readFirst"] = (text, params) =>
    run<Row | undefined>(cached, text, params, (statement, inputs) => statement.get(...inputs))

  return {
    readFirst,
    execute: execute(cached),
    executeUnprepared: execute(uncached),
    executeRaw: (text, params) =>
      run<unknown>(cached, text, params, (statement, inputs) =>
        statement.columns().length > 0 ? statement.all(...inputs) : statement.run(...inputs)
      ),
    executeValues: (text, params) => values(cached, text, params),
    executeValuesUnprepared: (text, params) => values(uncached, text, params),
    // Reads all rows at once: an open cursor would hold the only connection while its consumer works.
    executeStream: (text, params, transformRows) =>
      Stream.fromIterableEffect(execute(cached)(text, params, transformRows))
  }
}

/** The part of `NodeSqlite` that the ports use beside `SqlClient`. */
export interface SqliteDriver {
  /** Runs a write by group commit. */
  readonly runWrite: RunWrite
  /** Whether a transaction is open on the connection. */
  readonly isTransaction: () => boolean
  /** Runs a SELECT on the connection and returns its first row. No transaction may be open. */
  readonly readFirst: (text: string, params: ReadonlyArray<unknown>) => Effect.Effect<Row | undefined, SqlError>
}

/** The driver of each client that `NodeSqlite` made; other clients have none. */
export const sqliteDrivers = new WeakMap<SqlClient, SqliteDriver>()
