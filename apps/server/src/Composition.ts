import type { Authenticator, Tokens } from "@headgate/core/access"
import type { OrganizationDashboards } from "@headgate/core/dashboard"
import type { ApiKeys, StoredApiKeys } from "@headgate/core/key"
import type { Pipes } from "@headgate/core/pipe"
import type { Snapshots } from "@headgate/core/snapshot"
import { dialects } from "@headgate/http-contract"
import { MemoryAdapter } from "@headgate/memory-adapter"
import { SqlAdapter, SqlRateLimiterStore } from "@headgate/sql-adapter"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as NodeRedis from "@effect/platform-node/NodeRedis"
import * as Console from "effect/Console"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as NetAddress from "effect/net/NetAddress"
import * as Option from "effect/Option"
import * as RateLimiter from "effect/persistence/RateLimiter"
import * as Redacted from "effect/Redacted"
import { existsSync } from "node:fs"
import { dirname } from "node:path"
import { RequestLimits } from "./access/RequestLimits.ts"
import * as Admin from "./admin/Admin.ts"
import * as Listener from "./http/Listener.ts"
import * as Routes from "./http/Routes.ts"
import type { Options } from "./Options.ts"
import { adminWarning, listeningText } from "./startup/announcement.ts"
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

const postgres = (url: Redacted.Redacted) => {
  const store = SqlAdapter.layerPostgres({ url })
  return opening("the Postgres database", Layer.merge(store, Layer.provide(SqlRateLimiterStore.layer, store)))
}

const sqlite = (filename: string) =>
  Layer.merge(opening(`the database ${filename}`, SqlAdapter.layerSqlite({ filename })), ownWindows)

const redisWindows = (url: Redacted.Redacted) =>
  opening(
    "Redis",
    RateLimiter.layerStoreRedis({ prefix: "headgate:" }).pipe(
      // Its own log tells what Redis answers, which may be what was sent: what fails is told by whoever asked.
      Layer.provide(Layer.provide(NodeRedis.layer({ url: Redacted.value(url) }), Logger.layer([])))
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
  options.memory
    ? Layer.merge(opening("the store", MemoryAdapter.layer()), ownWindows)
    : Layer.unwrap(Effect.map(chooseStore(options), open))

const storeName = (options: Options) =>
  options.memory
    ? Effect.succeed("memory (gone when the server ends)")
    : Effect.map(chooseStore(options), (store) => (store._tag === "Postgres" ? "Postgres" : store.filename))

const limits = (options: Options) =>
  RequestLimits.layer({ requests: options.rateLimit, failedLogins: options.loginLimit }).pipe(
    Layer.provide(RateLimiter.layer),
    // Redis, where there is one, goes before the windows of the store.
    Layer.provide(Option.match(options.redisUrl, { onNone: () => Layer.empty, onSome: redisWindows }))
  )

const platform = Layer.mergeAll(NodeFileSystem.layer, NodePath.layer, SecureRandom.layerWebCrypto)

const announce = (options: Options) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { address } = yield* HttpServer.HttpServer
      const url = NetAddress.formatUrlUnsafe(address, Listener.schemeOf(options))
      if (options.admin) yield* Console.error(adminWarning(url))
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
  }).pipe(
    Layer.provide(limits(options)),
    // For all above: what it provides is asked for where routes and limits are built.
    Layer.provide(options.admin ? Admin.layer(dialects[options.dialect]) : Layer.empty)
  )
  return announce(options).pipe(
    Layer.provide(routes),
    Layer.provide(Layer.provideMerge(Listener.layer(options), store))
  )
}
