import { IdempotentCreations, OrganizationLimits, organizationUsage, type StorePort } from "@headgate/core/adapter"
import { MemoryAdapter } from "@headgate/memory-adapter"
import {
  NodeSqlite,
  Postgres,
  SqlAdapter,
  SqlRateLimiterStore,
  SqlSealing,
  StoredDocuments
} from "@headgate/sql-adapter"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type * as RateLimiter from "effect/persistence/RateLimiter"
import { type accessSync, existsSync } from "node:fs"
import { dirname } from "node:path"
import { StartupError, type UsageError } from "../StartupError.ts"
import * as Crypto from "../access/Crypto.ts"
import { memoryRateLimiterStore } from "../access/MemoryRateLimiterStore.ts"
import { memoryLedger, type OpenLedger, sqlLedger } from "./OpenLedger.ts"
import { sqlStoreLock } from "./StoreLock.ts"
import { sqlStoreProbe } from "./StoreProbe.ts"
import { accessProblem } from "./accessProblem.ts"
import { checkDatabaseFile } from "./checkDatabaseFile.ts"
import { chooseStore, type ChosenStore, type StoreOptions } from "./chooseStore.ts"
import { chooseSealing, readKeyFile, replaceKeyBeside, sealingKeyBeside } from "./sealingKey.ts"
import { sqlCredentialKind } from "./testCredentials.ts"

/** A store with the mover's ledger, and the rate limits of the servers that share it. */
export type OpenedStore = Layer.Layer<StorePort | OpenLedger | RateLimiter.RateLimiterStore, StartupError | UsageError>

/** Reports a failed start in one line, without the URL of the store: it may hold a password. */
const opening = <A, E extends { readonly message: string }>(what: string, layer: Layer.Layer<A, E>) =>
  Layer.catch(layer, (error) =>
    Layer.effectContext(new StartupError({ message: `${what} could not be opened: ${error.message}` }))
  )

/** Fails if this process may not use a file of the store. A file that is not there yet is fine. */
export const checkAccess = Effect.fnUntraced(function* (
  { sealingKeyFile }: Pick<StoreOptions, "sealingKeyFile">,
  filename: string,
  access?: typeof accessSync
) {
  const written = [filename, `${filename}-wal`, `${filename}-shm`].map((file) => accessProblem(file, "writes", access))
  const read = Option.isSome(sealingKeyFile) ? [] : [accessProblem(sealingKeyBeside(filename), "reads", access)]
  const problem = [...written, ...read].find((text) => text !== undefined)
  if (problem !== undefined) {
    return yield* new StartupError({ message: `the database ${filename} cannot be used: ${problem}` })
  }
})

/** The ports over a database, sealed with the key that the flags choose. */
const sqlStore = (sealing: ReturnType<typeof SqlSealing.layer>) =>
  Layer.mergeAll(SqlAdapter.layerNoDeps, sqlStoreProbe, sqlStoreLock, sqlLedger, sqlCredentialKind).pipe(
    Layer.provide(sealing),
    Layer.provide(Crypto.layer)
  )

/** Rate limits in the database: all servers on it share them. */
const postgres = (ports: ReturnType<typeof sqlStore>, url: Redacted.Redacted) =>
  opening(
    "the Postgres database",
    Layer.provide(Layer.merge(ports, SqlRateLimiterStore.layer), Postgres.layer({ url }))
  )

// For the benchmark of group commit: how many writes share a commit at most.
const groupCommit = Config.Int("HEADGATE_SQLITE_GROUP").pipe(
  Config.option,
  Config.map((maxWrites) => (Option.isSome(maxWrites) ? { groupCommit: { maxWrites: maxWrites.value } } : {}))
)

const sqliteClient = (filename: string) =>
  Layer.unwrap(Effect.map(groupCommit, (options) => NodeSqlite.layer({ filename, ...options })))

/** A SQLite file, with rate limits in the memory of this process. */
const sqlite = (ports: ReturnType<typeof sqlStore>, filename: string) =>
  Layer.merge(
    opening(`the database ${filename}`, Layer.provide(ports, sqliteClient(filename))),
    memoryRateLimiterStore()
  )

const open = (options: StoreOptions, store: ChosenStore, beside: ReadonlyArray<string> = []): OpenedStore =>
  Layer.unwrap(
    Effect.gen(function* () {
      const ports = sqlStore(yield* chooseSealing(options, store))
      if (store._tag === "Postgres") return postgres(ports, store.url)
      yield* checkAccess(options, store.filename)
      yield* checkDatabaseFile(store.filename, beside)
      return sqlite(ports, store.filename)
    })
  )

/** A store that is lost when the process ends. */
export const memoryStore: OpenedStore = Layer.mergeAll(
  opening("the store", Layer.provide(MemoryAdapter.layerNoDeps(), Crypto.layer)),
  memoryLedger,
  memoryRateLimiterStore()
)

/** Opens the chosen store. Creates it if it does not exist. `beside` are files that only a store that was used has. */
export const openStore = (options: StoreOptions, beside?: ReadonlyArray<string>): OpenedStore =>
  Layer.unwrap(Effect.map(chooseStore(options), (store) => open(options, store, beside)))

/** The chosen store. Fails if it does not exist: a mistyped directory must not look like an empty store. */
const chooseExistingStore = Effect.fnUntraced(function* (options: StoreOptions) {
  const store = yield* chooseStore(options)
  if (store._tag === "Sqlite" && !existsSync(store.filename)) {
    // A folder that may not be searched looks like one without a store.
    yield* checkAccess(options, store.filename)
    return yield* new StartupError({ message: `there is no store in ${dirname(store.filename)}: check --data` })
  }
  return store
})

/** Opens the chosen store. Fails if it does not exist. */
export const openExistingStore = (options: StoreOptions): OpenedStore =>
  Layer.unwrap(Effect.map(chooseExistingStore(options), (store) => open(options, store)))

/**
 * Seals the chosen store with the key in a file. A SQLite store without `--sealing-key-file` keeps it in `sealing.key`, and the key
 * before in the file `kept`: backups need it, and what did not open.
 */
export const resealStore = Effect.fnUntraced(function* (options: StoreOptions, file: string) {
  const store = yield* chooseExistingStore(options)
  const key = yield* readKeyFile("--new-key-file", file)
  const sealing = yield* chooseSealing(options, store)
  const client = store._tag === "Postgres" ? Postgres.layer({ url: store.url }) : sqliteClient(store.filename)
  const resealed = yield* SqlSealing.reseal(key).pipe(
    Effect.provide(sealing),
    Effect.provide(Crypto.layer),
    Effect.provide(client),
    Effect.mapError(({ message }) => new StartupError({ message: `the store could not be resealed: ${message}` }))
  )
  const kept =
    store._tag === "Sqlite" && Option.isNone(options.sealingKeyFile)
      ? yield* replaceKeyBeside(store.filename, key, resealed.previous)
      : undefined
  return { ...resealed, kept }
})

/** No limits of organizations: for what the operator creates. */
export const unlimited = Layer.succeed(OrganizationLimits, organizationUsage(Infinity))

/** A store whose stored JSON is not served, for a gateway: it serves the pipes and dashboards of its upstream. */
export const withoutDocuments = (store: OpenedStore): OpenedStore =>
  Layer.effectContext(Effect.map(Layer.build(store), Context.omit(StoredDocuments, IdempotentCreations)))
