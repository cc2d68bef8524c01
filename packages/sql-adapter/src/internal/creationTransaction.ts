import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as SqlClient from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import type { RunWrite } from "./GroupCommit.ts"
import { ownTransaction } from "./transaction.ts"

/** Runs the write of a creation, in a transaction that goes on after it for example; `undefined`: the write is a transaction by itself. */
export const CreationTransaction = Context.Reference<RunWrite | undefined>(
  "@headgate/sql-adapter/internal/CreationTransaction",
  { defaultValue: () => undefined }
)

/** Runs the write of a creation in a transaction that is rolled back: it returns and fails as the write does. */
export const rolledBack = (sql: SqlClient.SqlClient): RunWrite => {
  const run = ownTransaction(sql)
  return <A, E, R>(write: Effect.Effect<A, E, R>) =>
    run(Effect.flatMap(Effect.result(write), Effect.fail)).pipe(
      Effect.catch((outcome): Effect.Effect<A, E | SqlError> =>
        isSqlError(outcome) ? Effect.fail(outcome) : Effect.fromResult(outcome)
      )
    )
}

/**
 * Runs a creation, and commits its write with what `keep` writes of its result: both, or none. The transaction begins with the
 * write, so that nothing waits for what the creation reads or asks before: it may ask a source over a network. `claim` runs first
 * in the transaction. What it fails with is a defect to the creation, and the failure of this.
 *
 * A creation writes once, by `makeCreateWithinLimits`, and reads nothing afterwards: the connection is the transaction's.
 */
export const commitTogether = Effect.fnUntraced(function* <A, E, R, E2, R2, E3, R3>(
  sql: SqlClient.SqlClient,
  create: Effect.Effect<A, E, R>,
  claim: Effect.Effect<void, E2, R2>,
  keep: (value: A) => Effect.Effect<void, E3, R3>
) {
  const scope = yield* Effect.scope
  const context = yield* Effect.context<R2 | R3>()
  const created = yield* Deferred.make<A>()
  const opened = yield* Deferred.make<Context.Context<never>, E2 | E3 | SqlError>()
  const transaction = ownTransaction(sql)(
    Effect.gen(function* () {
      yield* claim
      yield* Deferred.succeed(opened, yield* Effect.context<never>())
      yield* keep(yield* Deferred.await(created))
    })
  ).pipe(
    Effect.tapCause((cause) => Deferred.failCause(opened, cause)),
    Effect.provideContext(context)
  )

  let running: Fiber.Fiber<void, E2 | E3 | SqlError> | undefined
  const begin = Effect.gen(function* () {
    running ??= yield* Effect.forkIn(transaction, scope)
    return { held: yield* Deferred.await(opened), running }
  })
  const run: RunWrite = <A2, E4, R4>(write: Effect.Effect<A2, E4, R4>) =>
    begin.pipe(
      Effect.catch((error) => (isSqlError(error) ? Effect.fail(error) : Effect.die(error))),
      Effect.flatMap(({ held }) =>
        Effect.updateContext(sql.withTransaction(write), (context: Context.Context<R4>) => Context.merge(held, context))
      )
    )

  const value = yield* Effect.provideService(create, CreationTransaction, run)
  const { running: fiber } = yield* begin
  yield* Deferred.succeed(created, value)
  yield* Fiber.join(fiber)
  return value
}, Effect.scoped)
