import * as Predicate from "effect/Predicate"
import { classifySqliteError, ConnectionError, SqlError } from "effect/sql/SqlError"

const uniqueViolation = 2067
// To SQLite a duplicate primary key or row id is not SQLITE_CONSTRAINT_UNIQUE; to its caller it is the same thing.
const alsoUniqueViolation: ReadonlyArray<number> = [1555, 2579]

/** `node:sqlite` puts SQLite's extended result code in `errcode`; effect/sql reads `errno`. */
const withErrno = (cause: unknown): unknown =>
  Predicate.isObject(cause) && Predicate.hasProperty(cause, "errcode") && Predicate.isNumber(cause.errcode)
    ? Object.assign(cause, { errno: alsoUniqueViolation.includes(cause.errcode) ? uniqueViolation : cause.errcode })
    : cause

/** SQLite and the file system say why without a value that was to be stored. */
const because = (message: string, cause: unknown): string =>
  Predicate.isError(cause) ? `${message}: ${cause.message}` : message

/** What `node:sqlite` threw, classified: a duplicate is a `UniqueViolation`, a lock a `LockTimeoutError`, and so on. */
export const sqliteError = (cause: unknown, message: string, operation: string): SqlError =>
  new SqlError({ reason: classifySqliteError(withErrno(cause), { message: because(message, cause), operation }) })

/** The database's file or folder could not be made. */
export const connectionError = (cause: unknown, message: string): SqlError =>
  new SqlError({ reason: new ConnectionError({ cause, message: because(message, cause), operation: "open" }) })
