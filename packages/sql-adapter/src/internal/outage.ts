import { ServerError } from "@headgate/core"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { isSqlError, type SqlError } from "effect/sql/SqlError"

/** The errors of a call to the database. A `SchemaError` is a stored document that does not decode. */
type DatabaseError = SqlError | Schema.SchemaError

const isOfPort = <E>(error: E): error is Exclude<E, DatabaseError> => !isSqlError(error) && !Schema.isSchemaError(error)

// Codes that effect/sql has no reason for: out of resources (53), shutting down or starting (57P), a standby (25006).
const outageCodes = /^(?:53|57P|25006)/u

// SQLite's codes: the file is read-only (8), the disk fails (10) or is full (13).
const sqliteOutages = [8, 10, 13]

const isSqliteOutage = (cause: unknown): boolean =>
  Predicate.hasProperty(cause, "errcode") && Predicate.isNumber(cause.errcode)
    ? sqliteOutages.includes(cause.errcode & 0xff)
    : false

/** The code of a database's error, or of Node's; "" if it has none. */
export const codeOf = (cause: unknown): string =>
  Predicate.hasProperty(cause, "code") && Predicate.isString(cause.code) ? cause.code : ""

/**
 * Whether the database failed, and not the statement or the data: it cannot be reached, accepts no work, or a lock timed
 * out. The same call may succeed later.
 */
export const isOutage = ({ reason }: SqlError): boolean =>
  reason.isRetryable ||
  reason.operation === "connect" ||
  reason.operation === "open" ||
  outageCodes.test(codeOf(reason.cause)) ||
  isSqliteOutage(reason.cause)

/**
 * The outage in a cause. A connection that is lost within a transaction is a defect: its rollback fails.
 */
const outageOf = <E>(cause: Cause.Cause<E>): Result.Result<SqlError, Cause.Cause<E>> => {
  for (const reason of cause.reasons) {
    if (Cause.isDieReason(reason) && isSqlError(reason.defect) && isOutage(reason.defect)) {
      return Result.succeed(reason.defect)
    }
  }
  return Result.fail(cause)
}

/** One line for the log of the server, without a stack. */
export const outageText = ({ message, reason: { cause } }: SqlError): string =>
  Predicate.isError(cause) && !message.endsWith(cause.message) ? `${message}: ${cause.message}` : message

const unavailable = () => new ServerError({ message: "the database does not answer at present: try again later" })

const convertErrors = <A, E, R, E2>(
  call: Effect.Effect<A, E, R>,
  onOutage: Effect.Effect<never, E2>
): Effect.Effect<A, Exclude<E, DatabaseError> | E2, R> =>
  call.pipe(
    Effect.catch((error) => (isOfPort(error) ? Effect.fail(error) : Effect.die(error))),
    Effect.catchCauseFilter(outageOf, (error) =>
      Effect.andThen(Effect.logError(`the database does not answer: ${outageText(error)}`), onOutage)
    )
  )

/**
 * For methods that may fail with a `CallError`: an outage of the database becomes a `ServerError`, after which it is
 * unknown whether a write took effect. Any other error of the database becomes a defect.
 */
export const orServerError = <A, E, R>(call: Effect.Effect<A, E, R>) =>
  convertErrors(
    call,
    Effect.suspend(() => Effect.fail(unavailable()))
  )

/** As {@link orServerError}, for methods whose port has an error of its own for an outage. */
export const orFailWith =
  <E2>(error: () => E2) =>
  <A, E, R>(call: Effect.Effect<A, E, R>) =>
    convertErrors(
      call,
      Effect.suspend(() => Effect.fail(error()))
    )

/**
 * For methods that cannot fail with a `CallError`: an outage becomes a defect whose value is the `ServerError`, so that a
 * server can tell it from a bug. Any other error of the database becomes a defect.
 */
export const dieOnOutage = <A, E, R>(call: Effect.Effect<A, E, R>) =>
  convertErrors(
    call,
    Effect.suspend(() => Effect.die(unavailable()))
  )
