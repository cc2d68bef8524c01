import type { Authenticator, Tokens } from "@headgate/core/access"
import { DashboardDocuments, type OrganizationDashboards } from "@headgate/core/dashboard"
import type { ApiKeys, StoredApiKeys } from "@headgate/core/key"
import { PipeDocuments, type Pipes } from "@headgate/core/pipe"
import type { Snapshots } from "@headgate/core/snapshot"
import { MemoryAdapter } from "@headgate/memory-adapter"
import { NodeSqlite, Postgres, SqlAdapter, SqlRateLimiterStore } from "@headgate/sql-adapter"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as RateLimiter from "effect/persistence/RateLimiter"
import type * as Redacted from "effect/Redacted"
import { existsSync } from "node:fs"
import { dirname } from "node:path"
import * as Crypto from "../access/Crypto.ts"
import { memoryWindows } from "../access/memoryWindows.ts"
import * as StoreProbe from "../health/StoreProbe.ts"
import { StartupError } from "../startup/StartupError.ts"
import type { UsageError } from "../startup/UsageError.ts"
import { type ChosenStore, chooseStore } from "./chooseStore.ts"
import type { StoreOptions } from "./StoreOptions.ts"

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
  Layer.effectContext(Effect.map(Layer.build(store), Context.omit(PipeDocuments, DashboardDocuments)))

/** Rate windows in Redis, for servers that share them. */
export const redisWindows = (url: Redacted.Redacted) =>
  opening(
    "Redis",
    Layer.unwrap(
      Effect.map(
        Effect.promise(() => import("./redisWindows.ts")),
        (store) => store.redisWindows(url)
      )
    )
  )
