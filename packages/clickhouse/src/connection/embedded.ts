import { createClient } from "@clickhouse/client"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import { randomUUID } from "node:crypto"
import { mkdir, open, readdir, unlink } from "node:fs/promises"
import { join, resolve } from "node:path"
import { quoteString } from "../sql/quote.ts"
import type { ClickHouse, InsertStatement } from "./ClickHouse.ts"
import { type EmbeddedOptions, validateEmbedded } from "./ClickHouseOptions.ts"
import { EngineConfigError, type EngineFailure, insertsFolder } from "./EngineFailure.ts"
import { failureOf, log, openClient, overClient } from "./overClient.ts"
import { withLiterals } from "./statements.ts"

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
    catch: (error) => new EngineConfigError({ message: `the warehouse cannot be opened: ${failureOf(error).message}` })
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

/** Loads the engine. What is returned opens a connection to a folder. */
export const connectEmbedded = Effect.fnUntraced(function* ({
  directory,
  load = () => import("chdb/connection")
}: Pick<EmbeddedOptions, "directory" | "load">) {
  const module = yield* Effect.tryPromise({
    try: load,
    catch: (error) =>
      new EngineConfigError({
        message: isMissing(error) ? notInstalled : `the package "chdb" cannot be loaded: ${failureOf(error).message}`
      })
  })
  return () => {
    const connection = hasFactory(module) ? module.createChdbConnection({ path: directory }) : undefined
    if (!isConnection(connection))
      throw new Error('this version of the package "chdb" has no connection for the client')
    return createClient({ connection, log })
  }
})

/** The engine inside this process. */
export const embedded = Effect.fnUntraced(function* (options: EmbeddedOptions) {
  const { database, directory, timeout } = yield* validateEmbedded(options)
  const connect = openClient(yield* connectEmbedded(options))
  // A connection runs one statement at a time, and the reading of an object takes long. Two objects are read at a time. A look
  // at one is short, and waits neither for those nor lets short statements wait for a storage that does not answer. Other looks
  // wait for it.
  const [client, forLooks] = [yield* connect, yield* connect]
  const longRunning = [yield* connect, yield* connect]
  const engine = overClient({ client, forLooks, longRunning, database, timeout, write: withLiterals })
  return { ...engine, insert: insertByFile(yield* openInserts(directory), engine) }
})
