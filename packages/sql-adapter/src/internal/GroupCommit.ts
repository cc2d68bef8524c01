import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { PreventSchedulerYield } from "effect/Scheduler"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { isSqlError, SqlError, UnknownError } from "effect/sql/SqlError"

/** When a group of writes closes. */
export interface GroupCommitLimits {
  readonly maxWrites: number
  /** How long the first write of a group waits for others, in milliseconds. */
  readonly maxDelay: number
}

/** What a group needs of the driver. */
export interface GroupCommitDriver {
  /** Rolls back the transaction that a failed COMMIT left open. */
  readonly onCommitFailure: (connection: Connection) => Effect.Effect<void, SqlError>
  readonly isTransaction: () => boolean
}

/** Runs an effect as one write: all of its statements are committed, or none. */
export type RunWrite = <A, E, R>(write: Effect.Effect<A, E, R>) => Effect.Effect<A, E | SqlError, R>

/** A write that waits for its group. */
interface PendingWrite {
  /** Runs the statements on the connection. Never fails: the exit is the result. */
  readonly run: (connection: Connection) => Effect.Effect<Exit.Exit<unknown, unknown>>
  /** Resumes the caller: with the exit of `run` if its group was committed, else with the failure of the group. */
  readonly settle: (failure: Exit.Exit<never, SqlError> | undefined) => void
}

const nextEventLoopTurn = Effect.callback<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})

/** Waits until one turn of the event loop brings no further call, until there are `maxCalls`, or for `maxDelay` milliseconds. */
export const collectCalls = Effect.fnUntraced(function* (
  count: () => number,
  { maxCalls, maxDelay }: { readonly maxCalls: number; readonly maxDelay: number }
) {
  const closesAt = performance.now() + maxDelay
  let collected = 0
  while (collected < count() && count() < maxCalls && performance.now() < closesAt) {
    collected = count()
    yield* nextEventLoopTurn
  }
})

/** The error of a group whose transaction SQLite rolled back because of this write, on a full disk for example. */
const rolledBack = (cause: Cause.Cause<unknown>): SqlError =>
  Option.getOrElse(Option.filter(Cause.findErrorOption(cause), isSqlError), () => {
    const message = "SQLite rolled back the transaction"
    return new SqlError({ reason: new UnknownError({ cause, message, operation: "execute" }) })
  })

/**
 * Group commit: writes that arrive together share one transaction, so that one fsync makes all of them durable.
 *
 * - Writes are collected before `BEGIN IMMEDIATE`, and reads run meanwhile. A group closes at `maxWrites`, after
 *   `maxDelay`, or when one turn of the event loop brings no further write. A single writer waits for one turn.
 * - The group then runs in one synchronous go: no other statement of this connection runs between BEGIN and COMMIT.
 * - Each write is a savepoint: one that fails is rolled back alone.
 * - No caller is resumed before the COMMIT. A failed COMMIT fails the whole group, and so does a transaction that
 *   SQLite itself has rolled back.
 *
 * A write is an Effect whose statements use the transaction's connection, and not a function over `node:sqlite`: the
 * ports then have the same code for SQLite and Postgres. It must wait for nothing but the database, and must not open
 * a transaction of its own. It is dropped if its caller is interrupted before its group begins. Within a transaction of
 * the caller, a write is a savepoint of that transaction.
 */
export const makeGroupCommit = (
  client: SqlClient,
  { isTransaction, onCommitFailure }: GroupCommitDriver,
  { maxDelay, maxWrites }: GroupCommitLimits
): RunWrite => {
  const pending: Array<PendingWrite> = []
  let isDraining = false

  const runGroup = Effect.fnUntraced(
    function* (connection: Connection, group: ReadonlyArray<PendingWrite>) {
      const control = (text: string) => connection.execute(text, [], undefined)
      if (group.length === 0) return
      yield* control("BEGIN IMMEDIATE")
      for (const { run } of group) {
        yield* control("SAVEPOINT headgate_write")
        const exit = yield* run(connection)
        if (Exit.isFailure(exit)) {
          if (!isTransaction()) return yield* rolledBack(exit.cause)
          yield* control("ROLLBACK TO SAVEPOINT headgate_write")
        }
        yield* control("RELEASE SAVEPOINT headgate_write")
      }
      yield* control("COMMIT")
    },
    (commit, connection) => Effect.onError(commit, () => Effect.ignore(onCommitFailure(connection)))
  )

  const commitNext = Effect.gen(function* () {
    const connection = yield* Effect.exit(client.reserve)
    const group = pending.splice(0, maxWrites)
    const exit = Exit.isFailure(connection) ? connection : yield* Effect.exit(runGroup(connection.value, group))
    const failure = Exit.isFailure(exit) ? Exit.failCause(exit.cause) : undefined
    return () => group.forEach(({ settle }) => settle(failure))
  }).pipe(Effect.scoped, Effect.provideService(PreventSchedulerYield, true))

  const drain = Effect.gen(function* () {
    while (pending.length > 0) {
      yield* collectCalls(() => pending.length, { maxDelay, maxCalls: maxWrites })
      const settleGroup = yield* commitNext
      settleGroup()
    }
    isDraining = false
  })

  const enqueue = (write: PendingWrite) => {
    pending.push(write)
    if (isDraining) return
    isDraining = true
    Effect.runFork(drain)
  }

  return <A, E, R>(write: Effect.Effect<A, E, R>) =>
    Effect.contextWith((context: Context.Context<R>) => {
      if (Option.isSome(Context.getOption(context, client.transactionService))) return client.withTransaction(write)
      return Effect.callback<A, E | SqlError>((resume) => {
        let exit: Exit.Exit<A, E> = Exit.die("the write has not run")
        const pendingWrite: PendingWrite = {
          run: (connection) =>
            Effect.exit(write).pipe(
              Effect.tap((result) => Effect.sync(() => void (exit = result))),
              Effect.provideContext(
                context.pipe(
                  Context.add(client.transactionService, [connection, 0]),
                  Context.add(PreventSchedulerYield, true)
                )
              )
            ),
          settle: (failure) => resume(failure ?? exit)
        }
        enqueue(pendingWrite)
        return Effect.sync(() => {
          const index = pending.indexOf(pendingWrite)
          if (index >= 0) pending.splice(index, 1)
        })
      })
    })
}
