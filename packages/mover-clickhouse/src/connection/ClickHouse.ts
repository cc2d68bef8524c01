import { type ClickHouseClient, ClickHouseLogLevel, createClient } from "@clickhouse/client"
import { WarehouseRefused } from "@headgate/mover"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { mkdir, open, readdir, unlink } from "node:fs/promises"
import { join, resolve } from "node:path"
import { Readable } from "node:stream"
import {
  defaultTimeout,
  type EmbeddedOptions,
  type ServerOptions,
  validateEmbedded,
  validateServer
} from "./ClickHouseOptions.ts"
import { EngineFailure, engineFailure, insertsFolder, namesRow } from "./EngineFailure.ts"
import { quoteString } from "../sql/quote.ts"

/** How a statement is run. */
export interface RunOptions {
  /** The engine's ID of the statement. It runs one of an ID at a time. The embedded engine has none. */
  readonly queryId?: string
  /** How long the statement may take, in the place of the engine's own timeout. Short ones do not wait for it. */
  readonly timeout?: Duration.Duration
  /** The statement waits for a storage, and reads little of it. Only other looks wait for it. */
  readonly looksAtObject?: boolean
}

/** An insert whose rows follow as bytes. */
export interface InsertStatement {
  /** The table and its columns, as SQL. */
  readonly into: string
  /** `SETTINGS ... FORMAT ...`, as SQL. */
  readonly format: string
}

/** A ClickHouse engine: a server, or the one inside this process. All pipes into it share it. */
export class ClickHouse extends Context.Service<
  ClickHouse,
  {
    /** The database of destinations that name none. */
    readonly database: string
    /** Runs a statement and returns its answer, as text. Values are parameters, `{name:String}` in the statement. */
    readonly run: (
      sql: string,
      parameters?: Readonly<Record<string, string>>,
      options?: RunOptions
    ) => Effect.Effect<string, EngineFailure>
    /** Runs an insert, each chunk of bytes whole rows. `refine` says what a failure means. */
    readonly insert: <E, F>(
      statement: InsertStatement,
      rows: Stream.Stream<Uint8Array, E>,
      refine: (failure: EngineFailure) => F
    ) => Effect.Effect<void, E | F>
  }
>()("@headgate/mover-clickhouse/ClickHouse") {}

// Answers are names, settings and positions.
const maxAnswerBytes = 16 * 1024 * 1024

/** Reads an answer to its end, so that its connection is free again. A larger one is a failure. */
const readAnswer = async (stream: Readable): Promise<string> => {
  const chunks: Array<Buffer> = []
  let bytes = 0
  for await (const chunk of stream) {
    const buffer = Buffer.from(chunk)
    bytes += buffer.length
    if (bytes > maxAnswerBytes) throw new Error(`the answer of the warehouse is larger than ${maxAnswerBytes} bytes`)
    chunks.push(buffer)
  }
  return Buffer.concat(chunks).toString("utf8")
}

/** What the client throws: an error of the engine with its `code`, or one of the connection. */
const failureOf = (error: unknown): EngineFailure => {
  if (error instanceof EngineFailure) return error
  const message = Predicate.isError(error) ? error.message : String(error)
  const code = Predicate.hasProperty(error, "code") ? Number(error.code) : Number.NaN
  // The embedded engine gives the last exception in its text, and the text as the cause. The row stands after the first one.
  const cause = Predicate.hasProperty(error, "cause") && Predicate.isError(error.cause) ? error.cause.message : ""
  const failure = engineFailure(namesRow(cause) ? cause.slice(cause.indexOf("Code: ")) : message)
  return Number.isSafeInteger(code) ? new EngineFailure({ code, message: failure.message }) : failure
}

/** A statement as the client takes it. */
interface Statement {
  readonly query: string
  readonly query_params?: Record<string, string>
  readonly query_id?: string
  readonly values?: Readable
  readonly http_headers?: Record<string, string>
}

/** A statement with its parameters. */
type WriteStatement = (query: string, parameters: Readonly<Record<string, string>>) => Statement

// Quoted texts and names are passed over: what stands in them is no parameter.
const parameterOrQuoted = /'(?:[^'\\]|\\[^])*'|`(?:[^`\\]|\\[^])*`|\{(\w+):(\w+)\}/gu

/**
 * A statement with its parameters as literals. The embedded engine would run one statement with parameters at a time, in the
 * whole process, and the reading of an object takes long.
 */
const withLiterals: WriteStatement = (query, parameters) => ({
  query: query.replaceAll(parameterOrQuoted, (found, name?: string, type?: string) => {
    const value = name === undefined ? undefined : parameters[name]
    if (value === undefined) return found
    return type === "String" ? quoteString(value) : `CAST(${quoteString(value)}, '${type}')`
  })
})

const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" }

/**
 * A statement with its parameters in a form, which is the body of its request. The client would put them into the URL, and
 * servers and proxies log URLs.
 */
const asForm: WriteStatement = (query, parameters) => {
  const fields = Object.entries(parameters).map(
    // The server reads a parameter as a field of TSV.
    ([name, value]) => [`param_${name}`, value.replaceAll(/[\\\t\n\r]/g, (found) => escapes[found] ?? found)] as const
  )
  if (fields.length === 0) return { query }
  const boundary = `headgate-${randomUUID()}`
  const parts = [["query", query] as const, ...fields].map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  )
  return {
    query: "",
    values: Readable.from([Buffer.from(`${parts.join("")}--${boundary}--\r\n`)]),
    http_headers: { "content-type": `multipart/form-data; boundary=${boundary}` }
  }
}

const request = async (client: ClickHouseClient, statement: Statement, signal: AbortSignal): Promise<string> => {
  const { http_status_code: status = 200, stream } = await client.exec({
    ...statement,
    abort_signal: signal,
    // An error of the engine is an answer like any other, and bounded like it.
    ignore_error_response: true,
    clickhouse_settings: { wait_end_of_query: 1 }
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

const overClient = ({
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

const openClient = (make: () => ClickHouseClient): Effect.Effect<ClickHouseClient, WarehouseRefused, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try({
      try: make,
      catch: (error) => new WarehouseRefused({ message: `the warehouse cannot be opened: ${failureOf(error).message}` })
    }),
    (client) => Effect.ignore(Effect.tryPromise(() => client.close()))
  )

const log = { level: ClickHouseLogLevel.OFF }

const server = Effect.fnUntraced(function* (options: ServerOptions) {
  const { database, password, timeout = defaultTimeout, url, user } = yield* validateServer(options)
  const { origin, pathname } = new URL(url)
  const client = yield* openClient(() =>
    createClient({
      url: origin,
      // The client would take the path of its `url` for a database.
      pathname,
      username: user,
      password: Redacted.value(password),
      // Every statement names its database, which may not exist yet.
      database: "default",
      request_timeout: Duration.toMillis(timeout),
      compression: { request: false, response: false },
      log
    })
  )
  return overClient({ client, database, timeout, write: asForm })
})

const notInstalled =
  'the embedded warehouse needs the package "chdb", which is not installed: npm install chdb (Linux with glibc, macOS; 540 MB)'

const isMissing = (error: unknown): boolean =>
  Predicate.hasProperty(error, "code") && (error.code === "ERR_MODULE_NOT_FOUND" || error.code === "MODULE_NOT_FOUND")

const hasFactory = (module: unknown): module is { readonly createChdbConnection: (options: object) => unknown } =>
  Predicate.hasProperty(module, "createChdbConnection") && Predicate.isFunction(module.createChdbConnection)

type EngineConnection = NonNullable<NonNullable<Parameters<typeof createClient>[0]>["connection"]>

const isConnection = (value: unknown): value is EngineConnection =>
  Predicate.hasProperty(value, "exec") && Predicate.isFunction(value.exec)

// The first part of the names of this process's files. Only one process at a time has the folder open.
const ownFiles = randomUUID()

/** The folder for the rows of inserts, without what a process that was killed has left in it. */
const openInserts = (directory: string) =>
  Effect.tryPromise({
    try: async () => {
      const folder = resolve(directory, insertsFolder)
      await mkdir(folder, { mode: 0o700, recursive: true })
      const left = (await readdir(folder)).filter((name) => !name.startsWith(ownFiles))
      await Promise.all(left.map((name) => unlink(join(folder, name))))
      return folder
    },
    catch: (error) => new WarehouseRefused({ message: `the warehouse cannot be opened: ${failureOf(error).message}` })
  })

/**
 * Inserts rows by a file. In the statement, the embedded engine would take them as text, at four times the CPU and three times
 * the memory.
 */
const insertByFile =
  (folder: string, { run }: Pick<ClickHouse["Service"], "run">): ClickHouse["Service"]["insert"] =>
  <E, F>(
    { format, into }: InsertStatement,
    rows: Stream.Stream<Uint8Array, E>,
    refine: (failure: EngineFailure) => F
  ) =>
    Effect.gen(function* () {
      const path = join(folder, `${ownFiles}-${randomUUID()}`)
      const refined = <A>(call: () => Promise<A>) =>
        Effect.tryPromise({ try: call, catch: (error) => refine(failureOf(error)) })
      const file = yield* Effect.acquireRelease(
        refined(() => open(path, "wx", 0o600)),
        (file) => Effect.ignore(refined(() => file.close().finally(() => unlink(path))))
      )
      yield* Stream.runForEachArray(rows, (chunks) => refined(() => file.writeFile(chunks)))
      // The engine refuses an insert without rows.
      if ((yield* refined(() => file.stat())).size === 0) return
      yield* Effect.mapError(run(`INSERT INTO ${into} FROM INFILE ${quoteString(path)} ${format}`), refine)
    }).pipe(Effect.scoped)

const embedded = Effect.fnUntraced(function* (options: EmbeddedOptions) {
  const { database, directory, load = () => import("chdb/connection"), timeout } = yield* validateEmbedded(options)
  const module = yield* Effect.tryPromise({
    try: load,
    catch: (error) =>
      new WarehouseRefused({
        message: isMissing(error) ? notInstalled : `the package "chdb" cannot be loaded: ${failureOf(error).message}`
      })
  })
  const connect = openClient(() => {
    const connection = hasFactory(module) ? module.createChdbConnection({ path: directory }) : undefined
    if (!isConnection(connection))
      throw new Error('this version of the package "chdb" has no connection for the client')
    return createClient({ connection, log })
  })
  // A connection runs one statement at a time, and the reading of an object takes long. Two objects are read at a time. A look
  // at one is short, and waits neither for those nor lets short statements wait for a storage that does not answer. Other looks
  // wait for it.
  const [client, forLooks] = [yield* connect, yield* connect]
  const longRunning = [yield* connect, yield* connect]
  const engine = overClient({ client, forLooks, longRunning, database, timeout, write: withLiterals })
  return { ...engine, insert: insertByFile(yield* openInserts(directory), engine) }
})

/**
 * A server, over its HTTP interface. The layer connects to nothing: an address that does not answer is a `WarehouseError` of
 * the statement that needs it.
 */
const layerServer = (options: ServerOptions): Layer.Layer<ClickHouse, WarehouseRefused> =>
  Layer.effect(ClickHouse, server(options))

/** The engine inside this process. One process at a time opens a folder, and a process opens one folder. */
const layerEmbedded = (options: EmbeddedOptions): Layer.Layer<ClickHouse, WarehouseRefused> =>
  Layer.effect(ClickHouse, embedded(options))

/** The two ways to an engine. */
export const ClickHouseEngine = { layerServer, layerEmbedded }
