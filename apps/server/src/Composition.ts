import type { Authenticator, Tokens } from "@headgate/core/access"
import type { OrganizationDashboards } from "@headgate/core/dashboard"
import type { ApiKeys, StoredApiKeys } from "@headgate/core/key"
import type { Pipes } from "@headgate/core/pipe"
import type { Snapshots } from "@headgate/core/snapshot"
import { dialects } from "@headgate/http-contract"
import { MemoryAdapter } from "@headgate/memory-adapter"
import { NodeSqlite, Postgres, SqlAdapter, SqlRateLimiterStore } from "@headgate/sql-adapter"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as NetAddress from "effect/net/NetAddress"
import * as Option from "effect/Option"
import * as RateLimiter from "effect/persistence/RateLimiter"
import type * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import { existsSync } from "node:fs"
import { dirname } from "node:path"
import * as Crypto from "./access/Crypto.ts"
import { RequestLimits } from "./access/RequestLimits.ts"
import * as Listener from "./http/Listener.ts"
import * as Routes from "./http/Routes.ts"
import type { Options } from "./Options.ts"
import { listeningText } from "./startup/announcement.ts"
import { checkOptions } from "./startup/checkOptions.ts"
import { prepare } from "./startup/prepare.ts"
import { StartupError } from "./startup/StartupError.ts"
import { type ChosenStore, chooseStore } from "./store/chooseStore.ts"
import type { StoreOptions } from "./store/StoreOptions.ts"

/** What every store offers the server. */
type StorePorts = ApiKeys | Authenticator | OrganizationDashboards | Pipes | Snapshots | StoredApiKeys | Tokens

/** What cannot be opened is told in one line, and never with its URL, which may hold a password. */
const opening = <A, E extends { readonly message: string }>(what: string, layer: Layer.Layer<A, E>) =>
  Layer.catch(layer, (error) =>
    Layer.effectContext(new StartupError({ message: `${what} could not be opened: ${error.message}` }))
  )

// Rate windows are kept where every server that shares them can see them: those of one process in its memory.
const ownWindows = RateLimiter.layerStoreMemory

const sqlStore = Layer.provide(SqlAdapter.layerNoDeps, Crypto.layer)

const postgres = (url: Redacted.Redacted) =>
  opening(
    "the Postgres database",
    Layer.provide(Layer.merge(sqlStore, SqlRateLimiterStore.layer), Postgres.layer({ url }))
  )

const sqlite = (filename: string) =>
  Layer.merge(opening(`the database ${filename}`, Layer.provide(sqlStore, NodeSqlite.layer({ filename }))), ownWindows)

const memory = opening("the store", Layer.provide(MemoryAdapter.layerNoDeps(), Crypto.layer))

const redisWindows = (url: Redacted.Redacted) =>
  opening(
    "Redis",
    Layer.unwrap(
      Effect.map(
        Effect.promise(() => import("./store/redisWindows.ts")),
        (store) => store.redisWindows(url)
      )
    )
  )

type OpenedStore = Layer.Layer<StorePorts | RateLimiter.RateLimiterStore, StartupError>

const open = (store: ChosenStore): OpenedStore =>
  store._tag === "Postgres" ? postgres(store.url) : sqlite(store.filename)

/**
 * The store that an operator's command works on: it must be there, for a mistyped directory is not an empty store.
 */
export const storeLayer = (options: StoreOptions): OpenedStore =>
  Layer.unwrap(
    Effect.gen(function* () {
      const store = yield* chooseStore(options)
      if (store._tag === "Sqlite" && !existsSync(store.filename)) {
        return yield* new StartupError({ message: `there is no store in ${dirname(store.filename)}: check --data` })
      }
      return open(store)
    })
  )

const servedStore = (options: Options): OpenedStore =>
  options.memory ? Layer.merge(memory, ownWindows) : Layer.unwrap(Effect.map(chooseStore(options), open))

const storeName = (options: Options) =>
  options.memory
    ? Effect.succeed("memory (gone when the server ends)")
    : Effect.map(chooseStore(options), (store) => (store._tag === "Postgres" ? "Postgres" : store.filename))

/** Whether nobody else counts in the windows that this server counts in. */
const hasOwnWindows = (options: Options) =>
  Option.isSome(options.redisUrl)
    ? Effect.succeed(false)
    : options.memory
      ? Effect.succeed(true)
      : Effect.map(chooseStore(options), (store) => store._tag === "Sqlite")

const limits = (options: Options) =>
  Layer.unwrap(
    Effect.map(hasOwnWindows(options), (ownWindows) =>
      RequestLimits.layer({ requests: options.rateLimit, failedLogins: options.loginLimit, ownWindows })
    )
  ).pipe(
    Layer.provide(RateLimiter.layer),
    // Redis, where there is one, goes before the windows of the store.
    Layer.provide(Option.match(options.redisUrl, { onNone: () => Layer.empty, onSome: redisWindows }))
  )

const platform = Layer.mergeAll(NodeFileSystem.layer, NodePath.layer, Crypto.layer)

// A span that nobody collects still costs what making it costs.
const untraced = Layer.succeed(References.TracerEnabled, false)

const announce = (options: Options) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { address } = yield* HttpServer.HttpServer
      const url = NetAddress.formatUrlUnsafe(address, Listener.schemeOf(options))
      yield* Console.log(listeningText(url, yield* storeName(options)))
    })
  )

/**
 * The whole server, from its flags: the one place where adapters are chosen. The order is the order of the layers:
 * the store, then what it must hold before the first request, then the socket, then the routes, then the word that
 * all is ready.
 */
export const layer = (options: Options) => {
  const store = Layer.effectDiscard(prepare(options)).pipe(
    Layer.provide(platform),
    Layer.provideMerge(servedStore(options)),
    Layer.provide(Layer.effectDiscard(checkOptions(options)))
  )
  const routes = HttpRouter.serve(Routes.layer(dialects[options.dialect], options.trustProxy), {
    disableLogger: true,
    disableListenLog: true,
    routerConfig: Routes.routerConfig
  }).pipe(Layer.provide(limits(options)))
  return announce(options).pipe(
    Layer.provide(routes),
    Layer.provide(Layer.provideMerge(Listener.layer(options), store)),
    Layer.provide([Crypto.layer, untraced])
  )
}
