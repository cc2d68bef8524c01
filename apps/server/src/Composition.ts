import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import {
  chartsBelowService,
  OrganizationLimits,
  documentsBelowService,
  StepLength,
  Tiles,
  UnknownFields
} from "@headgate/core/adapter"
import { dialects } from "@headgate/http-contract"
import * as Console from "effect/Console"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as References from "effect/References"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpServer from "effect/http/HttpServer"
import * as NetAddress from "effect/net/NetAddress"
import * as RateLimiter from "effect/persistence/RateLimiter"
import * as Routes from "./Routes.ts"
import { Authorization } from "./access/Authorization.ts"
import * as Crypto from "./access/Crypto.ts"
import { RequestLimits } from "./access/RequestLimits.ts"
import { signInRoutes } from "./access/signInRoutes.ts"
import { ServerNames } from "./access/ownPage.ts"
import * as Admin from "./admin/Admin.ts"
import { tokenAccess } from "./admin/AdminAccess.ts"
import { type AdminToken, adminToken } from "./admin/adminToken.ts"
import * as Charts from "./chart/charts.ts"
import { adminWarning, listeningText, testCredentialsWarning } from "./commands/announcement.ts"
import { checkOptions, checkPort } from "./commands/checkFlags.ts"
import { tilesOf } from "./dashboard/configDashboards.ts"
import { prepareStore } from "./commands/prepareStore.ts"
import { removeReadyFile, writeReadyFile } from "./commands/readyFile.ts"
import { documentReader, hasConsole, type Options, organizationLimits, shutdownGrace } from "./commands/serveFlags.ts"
import { exitOnSecondSignal } from "./commands/signals.ts"
import { checkDemo, withDemo } from "./demo/demoFlags.ts"
import { isGateway, upstreamDeadline } from "./gateway/gatewayFlags.ts"
import { consoleRoutes, noConsoleRoutes } from "./console/consoleRoutes.ts"
import type { Route } from "./http/Dispatcher.ts"
import { indexRoute } from "./http/Documentation.ts"
import * as Listener from "./http/Listener.ts"
import { ParseErrorObservers, RequestObservers } from "./http/RequestLog.ts"
import { Shutdown } from "./http/Shutdown.ts"
import { connectors, demoConnectors } from "./mover/connectors.ts"
import { warehouseName } from "./mover/moverFlags.ts"
import { addWaitingMetric, reportDeleted, reportWaiting } from "./mover/waitingPipes.ts"
import { AccessLog } from "./observability/AccessLog.ts"
import { countFailedLogins, Metrics } from "./observability/Metrics.ts"
import { exceptProbes, healthRoutes } from "./observability/healthRoutes.ts"
import { metricsRoute } from "./observability/metricsRoute.ts"
import { countRefusedFields } from "./observability/refusedFields.ts"
import { traces } from "./observability/traces.ts"
import { chooseStore } from "./store/chooseStore.ts"
import { TakesTestCredentials } from "./store/testCredentials.ts"
import { memoryStore, type OpenedStore, openStore, withoutDocuments } from "./store/openStore.ts"

// Defined by the build, from package.json.
declare const HEADGATE_VERSION: string

const servedStore = (options: Options): OpenedStore => {
  const store = options.memory ? memoryStore : openStore(options, Option.toArray(options.credentialsFile))
  return isGateway(options)
    ? withoutDocuments(store)
    : Layer.provide(store, Layer.succeed(Tiles, tilesOf(dialects[options.dialect])))
}

const storeName = (options: Options) =>
  options.memory
    ? Effect.succeed("memory (gone when the server ends)")
    : Effect.map(chooseStore(options), (store) => (store._tag === "Postgres" ? "Postgres" : store.filename))

const limits = ({ loginLimit, rateLimit }: Options) =>
  Layer.provide(RequestLimits.layer({ requests: rateLimit, failedLogins: loginLimit }), RateLimiter.layer)

const platform = Layer.mergeAll(NodeFileSystem.layer, NodePath.layer, Crypto.layer)

/** How long a gateway's answer may take: its connection is idle while the upstream works. */
const upstreamTimeout = (options: Options) => (isGateway(options) ? Duration.toMillis(upstreamDeadline(options)) : 0)

/** The ports of a gateway, in place of those of the store. */
const gatewayPorts = (options: Options) =>
  Option.match(options.upstream, {
    onNone: () => Layer.empty,
    onSome: (url) =>
      Layer.unwrap(
        Effect.map(
          // With it comes a whole HTTP client, which only a gateway needs.
          Effect.promise(() => import("./gateway/Gateway.ts")),
          (adapter) => adapter.layer(options, url, dialects[options.dialect])
        )
      ).pipe(Layer.provide(platform))
  })

/** What moves the rows of pipes: the adapters of sources and warehouses come with it, which only such a server needs. */
const mover = (options: Options) =>
  Option.isSome(warehouseName(options))
    ? Layer.unwrap(
        Effect.map(
          Effect.promise(() => import("./mover/serverMover.ts")),
          (mover) => mover.layer(options, options.demo ? demoConnectors : connectors)
        )
      )
    : isGateway(options)
      ? Layer.empty
      : Layer.effectDiscard(addWaitingMetric(new Set()))

/** The pipes of a demo, once there is what moves them. */
const demoPipes = ({ demo }: Options) =>
  demo
    ? Layer.unwrap(
        Effect.map(
          Effect.promise(() => import("./demo/startDemoPipes.ts")),
          (pipes) => pipes.layer
        )
      )
    : Layer.empty

/** A server that moves no rows says what waits for one that does. */
const reportLeft = (options: Options) =>
  Option.isSome(warehouseName(options)) || isGateway(options)
    ? Effect.void
    : Effect.andThen(reportWaiting(new Set()), reportDeleted)

/** The observers of requests: the access log and the metrics. */
const observing = (options: Options) =>
  Layer.merge(
    Layer.effect(
      RequestObservers,
      Effect.zipWith(AccessLog, Metrics, (log, metrics) => [...log.observers, metrics.observer].map(exceptProbes))
    ),
    Layer.effect(
      ParseErrorObservers,
      Effect.zipWith(AccessLog, Metrics, (log, metrics) => [...log.parseErrorObservers, metrics.parseErrorObserver])
    )
  ).pipe(Layer.provideMerge(Metrics.layer), Layer.provideMerge(AccessLog.layer(options.accessLog)))

/** What `--admin` adds. With an admin token, wrong ones count as failed logins. */
const admin = (options: Options, token: AdminToken) =>
  options.admin
    ? Admin.layer(documentReader(options)).pipe(
        Layer.provide(
          Layer.unwrap(
            Effect.map(
              token,
              Option.match({
                onNone: () => Layer.empty,
                onSome: (token) => Layer.provide(tokenAccess(token), countFailedLogins(limits(options)))
              })
            )
          )
        )
      )
    : Layer.empty

/** Shuts down before the layers that requests in flight need are closed. */
const gracefulShutdown = (options: Options) =>
  Layer.effectDiscard(
    Effect.flatMap(Shutdown, ({ run }) =>
      Effect.addFinalizer(() =>
        // A second signal ends the process at once.
        Effect.andThen(exitOnSecondSignal, run({ delay: options.drainDelay, grace: shutdownGrace(options) }))
      )
    )
  )

/** Checks what can be checked before the store is opened: flags, the certificate, the gateway's upstream, the port. */
const check = (given: Options, options: Options, token: AdminToken) =>
  Effect.gen(function* () {
    // First: a suite that has started this server must not find the file of another one, also when the start fails.
    if (Option.isSome(options.readyFile)) yield* removeReadyFile(options.readyFile.value)
    yield* checkDemo(given)
    yield* checkOptions(options, token)
    yield* Listener.checkCertificate(options)
    yield* Effect.scoped(Layer.build(gatewayPorts(options)))
    yield* checkPort(options)
  })

const noRoutes = Effect.succeed([])

/** A store that holds what it must before the first request. */
const preparedStore = (given: Options, options: Options, token: AdminToken) =>
  Layer.effectDiscard(Effect.andThen(prepareStore(options), reportLeft(options))).pipe(
    Layer.provide(platform),
    Layer.provide(Layer.succeed(StepLength, options.step)),
    Layer.provideMerge(servedStore(options)),
    Layer.provide(Layer.effectDiscard(check(given, options, token)))
  )

/** The console, or where a person learns why there is none. */
const consoleOf = (options: Options): ReadonlyArray<Route> => {
  if (options.console === "off") return []
  if (!hasConsole(options)) return noConsoleRoutes(isGateway(options) ? "gateway" : "mover")
  return consoleRoutes({
    // Beside the bundle.
    folder: new URL("console/", import.meta.url),
    dialect: options.dialect,
    version: HEADGATE_VERSION,
    isSimulated: Option.isNone(warehouseName(options))
  })
}

const announce = Effect.fnUntraced(function* (options: Options, token: AdminToken, url: string) {
  if (options.admin) yield* Console.error(adminWarning(url, Option.isSome(yield* token)))
  if (options.testCredentials) yield* Console.error(testCredentialsWarning)
  const warehouse = Option.getOrUndefined(warehouseName(options))
  const store = yield* storeName(options)
  yield* Console.error(listeningText(url, { hasConsole: hasConsole(options), store, warehouse }))
  if (Option.isSome(options.readyFile)) yield* writeReadyFile(options.readyFile.value, url)
})

const layerWith = (given: Options, options: Options, token: AdminToken) => {
  const routes = Layer.unwrap(
    Effect.map(
      Effect.all([healthRoutes, metricsRoute(options.metricsFrom), hasConsole(options) ? signInRoutes : noRoutes]),
      ([health, metrics, signIn]) =>
        Routes.layer({
          dialect: dialects[options.dialect],
          isApi: options.role !== "mover",
          trustedProxies: options.trustProxy,
          ownRoutes: [
            ...health,
            metrics,
            indexRoute(HEADGATE_VERSION, hasConsole(options)),
            ...signIn,
            ...consoleOf(options)
          ]
        })
    )
  ).pipe(
    Layer.provide(Authorization.layer(options.upstreamOrganization)),
    Layer.provide(countFailedLogins(limits(options))),
    Layer.provide(isGateway(options) ? Layer.empty : countRefusedFields),
    Layer.provide(gatewayPorts(options)),
    Layer.provide(demoPipes(options)),
    Layer.provide(mover(options)),
    Layer.provide(documentsBelowService),
    Layer.provide(chartsBelowService),
    Layer.provide(Charts.layer(options)),
    Layer.provide(Layer.succeed(OrganizationLimits, organizationLimits(options))),
    Layer.provide(Layer.succeed(UnknownFields, options.unknownFields)),
    Layer.provide(Layer.succeed(TakesTestCredentials, options.testCredentials)),
    Layer.provide(Layer.succeed(ServerNames, { host: options.host, publicUrls: options.publicUrl })),
    // The routes and the rate limits are built with what it provides.
    Layer.provide(admin(options, token))
  )
  const ready = Effect.flatMap(HttpServer.HttpServer, ({ address }) =>
    announce(options, token, NetAddress.formatUrlUnsafe(address, Listener.schemeOf(options)))
  )
  const underneath = Layer.provideMerge(
    Listener.layer({ ...options, answerTimeout: upstreamTimeout(options) }),
    Layer.provideMerge(observing(options), preparedStore(given, options, token))
  )
  return Layer.effectDiscard(ready).pipe(
    // The file system of effect's HTTP server has no files.
    Layer.provide(NodeFileSystem.layer),
    Layer.provide(gracefulShutdown(options)),
    Layer.provide(routes),
    Layer.provide(underneath),
    Layer.provide(traces(options.otlpEndpoint)),
    // Effect's own span holds the query and the headers, and is made without a collector, too.
    Layer.provide(Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true)),
    // Without a collector, no span is made.
    Layer.provide(Layer.succeed(References.TracerEnabled, Option.isSome(options.otlpEndpoint))),
    Layer.provide(Crypto.layer),
    Layer.provide(Layer.succeed(StepLength, options.step))
  )
}

/**
 * The whole server, from its flags: the one place where adapters are chosen. The layers are built in this order: the store,
 * the socket, the routes, the announcement.
 */
export const layer = (given: Options) => {
  const options = withDemo(given)
  // Read once: the file may be a pipe.
  return Layer.unwrap(Effect.map(Effect.cached(adminToken(options)), (token) => layerWith(given, options, token)))
}
