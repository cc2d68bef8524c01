import type { ApiKeys, Pipes, Snapshots } from "@headgate/core"
import type { Authenticator, OrganizationDashboards, StoredApiKeys, Tokens } from "@headgate/core/adapter"
import { MemoryAdapter } from "@headgate/memory-adapter"
import { NodeSqlite, Postgres, SqlAdapter, SqlRateLimiterStore, StoredDocuments } from "@headgate/sql-adapter"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Flag from "effect/cli/Flag"
import type * as RateLimiter from "effect/persistence/RateLimiter"
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { StartupError, UsageError } from "../StartupError.ts"
import * as Crypto from "../access/Crypto.ts"
import { memoryWindows } from "../access/MemoryRateLimiterStore.ts"
import type { FlagValues } from "../flags.ts"
import * as StoreProbe from "../observability/HealthRoutes.ts"

/** The flags that say which store is meant. */
export const storeFlags = {
  data: Flag.String("data").pipe(
    Flag.withMetavar("directory"),
    Flag.withDescription("Keep everything in a SQLite database in this directory (default: .headgate)"),
    Flag.optional
  ),
  databaseUrl: Flag.Redacted("database-url").pipe(
    Flag.withMetavar("postgres://..."),
    Flag.withDescription(
      "Keep everything in this Postgres database, which several servers may share [HEADGATE_DATABASE_URL]"
    ),
    Flag.optional
  )
}

/** Which store is meant. */
export type StoreOptions = FlagValues<typeof storeFlags>

/** A store that outlives the process. */
export type ChosenStore =
  | { readonly _tag: "Sqlite"; readonly filename: string }
  | { readonly _tag: "Postgres"; readonly url: Redacted.Redacted }

const environmentUrl = Config.Redacted("HEADGATE_DATABASE_URL").pipe(Config.option)

/**
 * The store that is meant. A flag wins over `HEADGATE_DATABASE_URL`, whichever flag it is, so that `--data` never works
 * on the database of the environment; two flags exclude one another.
 */
export const chooseStore = Effect.fnUntraced(
  function* ({ data, databaseUrl }: StoreOptions) {
    if (Option.isSome(data) && Option.isSome(databaseUrl)) {
      return yield* new UsageError({ message: "--data and --database-url exclude one another: pass one of them" })
    }
    const url = Option.isSome(data) ? Option.none() : Option.isSome(databaseUrl) ? databaseUrl : yield* environmentUrl
    const chosen: ChosenStore = Option.isSome(url)
      ? { _tag: "Postgres", url: url.value }
      : {
          _tag: "Sqlite",
          filename: join(
            Option.getOrElse(data, () => ".headgate"),
            "headgate.sqlite"
          )
        }
    return chosen
  },
  Effect.catchTag("ConfigError", (error) => new UsageError({ message: `HEADGATE_DATABASE_URL: ${error.message}` }))
)

/** What every store offers the server. */
type StorePorts = ApiKeys | Authenticator | OrganizationDashboards | Pipes | Snapshots | StoredApiKeys | Tokens

/** A store, and the rate windows of whoever shares it. */
export type OpenedStore = Layer.Layer<StorePorts | RateLimiter.RateLimiterStore, StartupError | UsageError>

/** What cannot be opened is told in one line, and never with its URL, which may hold a password. */
const opening = <A, E extends { readonly message: string }>(what: string, layer: Layer.Layer<A, E>) =>
  Layer.catch(layer, (error) =>
    Layer.effectContext(new StartupError({ message: `${what} could not be opened: ${error.message}` }))
  )

/** Rate windows are kept where every server that shares them can see them: those of one process in its memory. */
export const ownWindows = memoryWindows()

const sqlStore = Layer.merge(Layer.provide(SqlAdapter.layerNoDeps, Crypto.layer), StoreProbe.layerSql)

const postgres = (url: Redacted.Redacted) =>
  opening(
    "the Postgres database",
    Layer.provide(Layer.merge(sqlStore, SqlRateLimiterStore.layer), Postgres.layer({ url }))
  )

const sqlite = (filename: string) =>
  Layer.merge(opening(`the database ${filename}`, Layer.provide(sqlStore, NodeSqlite.layer({ filename }))), ownWindows)

/** A store that is gone when the process ends. */
export const memoryStore: OpenedStore = Layer.merge(
  opening("the store", Layer.provide(MemoryAdapter.layerNoDeps(), Crypto.layer)),
  ownWindows
)

const open = (store: ChosenStore): OpenedStore =>
  store._tag === "Postgres" ? postgres(store.url) : sqlite(store.filename)

/** The store that is served, or restored into: made if it is not there. */
export const openStore = (options: StoreOptions): OpenedStore => Layer.unwrap(Effect.map(chooseStore(options), open))

/**
 * The store that an operator's command works on: it must be there, for a mistyped directory is not an empty store.
 */
export const openExistingStore = (options: StoreOptions): OpenedStore =>
  Layer.unwrap(
    Effect.gen(function* () {
      const store = yield* chooseStore(options)
      if (store._tag === "Sqlite" && !existsSync(store.filename)) {
        return yield* new StartupError({ message: `there is no store in ${dirname(store.filename)}: check --data` })
      }
      return open(store)
    })
  )

/** A store without the documents it keeps, for a server that answers with those of another. */
export const withoutDocuments = (store: OpenedStore): OpenedStore =>
  Layer.effectContext(Effect.map(Layer.build(store), Context.omit(StoredDocuments)))

/** Rate windows in Redis, for servers that share them. */
export const redisWindows = (url: Redacted.Redacted) =>
  opening(
    "Redis",
    Layer.unwrap(
      Effect.map(
        Effect.promise(() => import("./redisRateLimiterStore.ts")),
        (store) => store.redisWindows(url)
      )
    )
  )
