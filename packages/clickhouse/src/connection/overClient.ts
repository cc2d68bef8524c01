import { type ClickHouseClient, ClickHouseLogLevel } from "@clickhouse/client"
import type * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { once } from "node:events"
import { Readable } from "node:stream"
import type { ClickHouse, InsertStatement, RunOptions } from "./ClickHouse.ts"
import { defaultTimeout } from "./ClickHouseOptions.ts"
import { EngineConfigError, EngineFailure, engineFailure, namesRow } from "./EngineFailure.ts"
import type { Statement, WriteStatement } from "./statements.ts"

// Answers are names, settings, positions, and the rows of queries.
const maxAnswerBytes = 16 * 1024 * 1024

// The engine's number of the error of an answer that is too large.
const tooLarge = 396

/** Reads an answer to its end, so that its connection is free again. A larger one is a failure. */
const readAnswer = async (stream: Readable): Promise<string> => {
  const chunks: Array<Buffer> = []
  let bytes = 0
  for await (const chunk of stream) {
    const buffer = Buffer.from(chunk)
    bytes += buffer.length
    if (bytes > maxAnswerBytes) {
      const message = `the answer of the warehouse is larger than ${maxAnswerBytes} bytes`
      throw new EngineFailure({ code: tooLarge, message })
    }
    chunks.push(buffer)
  }
  return Buffer.concat(chunks).toString("utf8")
}

/** What the client throws: an error of the engine with its `code`, or one of the connection. */
export const failureOf = (error: unknown): EngineFailure => {
  if (error instanceof EngineFailure) return error
  const message = Predicate.isError(error) ? error.message : String(error)
  const code = Predicate.hasProperty(error, "code") ? Number(error.code) : Number.NaN
  // The embedded engine gives the last exception in its text, and the text as the cause. The row stands after the first one.
  const cause = Predicate.hasProperty(error, "cause") && Predicate.isError(error.cause) ? error.cause.message : ""
  const failure = engineFailure(namesRow(cause) ? cause.slice(cause.indexOf("Code: ")) : message)
  return Number.isSafeInteger(code) ? new EngineFailure({ code, message: failure.message }) : failure
}

/** Sends a statement and reads its answer. */
export const request = async (client: ClickHouseClient, statement: Statement, signal: AbortSignal): Promise<string> => {
  const { settings, ...sent } = statement
  const { http_status_code: status = 200, stream } = await client.exec({
    ...sent,
    abort_signal: signal,
    // An error of the engine is an answer like any other, and bounded like it.
    ignore_error_response: true,
    clickhouse_settings: { ...settings, wait_end_of_query: 1 }
  })
  const answer = await readAnswer(stream)
  if (status < 400) return answer
  const failure = engineFailure(answer)
  throw failure.code === undefined
    ? new EngineFailure({
        code: undefined,
        message: `the warehouse answered ${status}: ${failure.message.slice(0, 300)}`
      })
    : failure
}

/** An engine over one client or several. */
export const overClient = ({
  client,
  database,
  forLooks = client,
  longRunning = [client],
  timeout = defaultTimeout,
  write
}: {
  readonly client: ClickHouseClient
  /** The client of statements that look at an object. */
  readonly forLooks?: ClickHouseClient
  /** The clients of statements that have a timeout of their own, used in rotation. */
  readonly longRunning?: ReadonlyArray<ClickHouseClient>
  readonly database: string
  readonly timeout: Duration.Duration | undefined
  readonly write: WriteStatement
}): ClickHouse["Service"] => {
  let used = 0
  const clientOf = ({ looksAtObject = false, timeout }: RunOptions) => {
    if (looksAtObject) return forLooks
    return timeout === undefined ? client : (longRunning[(used += 1) % longRunning.length] ?? client)
  }
  const bounded = <A>(call: (signal: AbortSignal) => Promise<A>, longest = timeout) =>
    Effect.tryPromise({ try: call, catch: failureOf }).pipe(
      Effect.timeoutOrElse({
        duration: longest,
        orElse: () => {
          const message = `the warehouse did not answer within ${Duration.format(longest)}`
          return Effect.fail(new EngineFailure({ code: undefined, message }))
        }
      })
    )
  return {
    database,
    run: (query, parameters = {}, options = {}) =>
      bounded((signal) => {
        const { queryId } = options
        const statement = write(query, parameters)
        return request(
          clientOf(options),
          queryId === undefined ? statement : { ...statement, query_id: queryId },
          signal
        )
      }, options.timeout),
    insert: <E, F>(
      { format, into }: InsertStatement,
      rows: Stream.Stream<Uint8Array, E>,
      refine: (failure: EngineFailure) => F
    ) =>
      Effect.suspend(() => {
        const query = `INSERT INTO ${into} ${format}`
        // The client sees a body that broke off. What broke it is the failure of this insert.
        let broken: Cause.Cause<E> | undefined
        const body = Stream.tapCause(rows, (cause) =>
          Effect.sync(() => {
            broken = cause
          })
        )
        return bounded(async (signal) => {
          const values = Readable.from(Stream.toAsyncIterable(body), { objectMode: false })
          try {
            // The engine refuses an insert without rows, which is what is left of a range if all of its rows are bad.
            await once(values, "readable", { signal })
            if (values.readableLength > 0) await request(client, { query, values }, signal)
          } finally {
            values.destroy()
          }
        }).pipe(
          Effect.catch((failure): Effect.Effect<never, E | F> =>
            broken === undefined ? Effect.fail(refine(failure)) : Effect.failCause(broken)
          )
        )
      })
  }
}

export const openClient = (
  make: () => ClickHouseClient
): Effect.Effect<ClickHouseClient, EngineConfigError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try({
      try: make,
      catch: (error) =>
        new EngineConfigError({ message: `the warehouse cannot be opened: ${failureOf(error).message}` })
    }),
    (client) => Effect.ignore(Effect.tryPromise(() => client.close()))
  )

/** The client logs nothing. */
export const log = { level: ClickHouseLogLevel.OFF }
