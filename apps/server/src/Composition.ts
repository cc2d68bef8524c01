import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { OrganizationLimits, serviceDashboards, StepLength, Tiles } from "@headgate/core/adapter"
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
import type { UsageError } from "./StartupError.ts"
import { Authorization } from "./access/Authorization.ts"
import * as Crypto from "./access/Crypto.ts"
import { RequestLimits } from "./access/RequestLimits.ts"
import * as Admin from "./admin/Admin.ts"
import { adminWarning, listeningText } from "./commands/announcement.ts"
import { checkOptions, findPort } from "./commands/checkFlags.ts"
import { tilesOf } from "./dashboard/todaysDashboards.ts"
import { prepareStore } from "./commands/prepareStore.ts"
import { type Options, organizationLimits, shutdownGrace } from "./commands/serveFlags.ts"
import { exitOnSecondSignal } from "./commands/signals.ts"
import { limitOfWorker } from "./flags.ts"
import { isGateway, upstreamDeadline } from "./gateway/gatewayFlags.ts"
import { indexRoute } from "./http/Documentation.ts"
import * as Listener from "./http/Listener.ts"
import { ParseErrorObservers, RequestObservers } from "./http/RequestLog.ts"
import { Shutdown } from "./http/Shutdown.ts"
import { warehouseName } from "./mover/moverFlags.ts"
import { reportDeleted } from "./mover/storeState.ts"
import { addWaitingMetric, reportWaiting } from "./mover/waitingPipes.ts"
import { AccessLog } from "./observability/AccessLog.ts"
import { countFailedLogins, Metrics } from "./observability/Metrics.ts"
import { exceptProbes, healthRoutes } from "./observability/healthRoutes.ts"
import { metricsRoute } from "./observability/metricsRoute.ts"
import { traces } from "./observability/traces.ts"
import { chooseStore } from "./store/chooseStore.ts"
import { memoryStore, type OpenedStore, openStore, redisRateLimiterStore, withoutDocuments } from "./store/openStore.ts"
import { superviseWorkers } from "./workers/Supervisor.ts"
import { metricsOfAllWorkers, reportReady, type WorkerIdentity } from "./workers/Worker.ts"

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

/** Whether the rate limits are kept in the memory of this process. */
const hasOwnWindows = (options: Options) =>
  Option.isSome(options.redisUrl)
    ? Effect.succeed(false)
    : options.memory
      ? Effect.succeed(true)
      : Effect.map(chooseStore(options), (store) => store._tag === "Sqlite")

const limits = (options: Options) =>
  Layer.unwrap(
    Effect.map(hasOwnWindows(options), (ownWindows) =>
      RequestLimits.layer({
        requests: options.rateLimit,
        failedLogins: ownWindows
          ? Option.map(options.loginLimit, (limit) => limitOfWorker(limit, options.workers))
          : options.loginLimit
      })
    )
  ).pipe(
    Layer.provide(RateLimiter.layer),
    // Redis, where there is one, goes before the windows of the store.
    Layer.provide(Option.match(options.redisUrl, { onNone: () => Layer.empty, onSome: redisRateLimiterStore }))
  )

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
          (mover) => mover.layer(options)
        )
      )
    : isGateway(options) || options.workers > 1
      ? Layer.empty
      : Layer.effectDiscard(addWaitingMetric(new Set()))

/** A server that moves no rows says what waits for one that does. */
const reportLeft = (options: Options) =>
  Option.isSome(warehouseName(options)) || isGateway(options)
    ? Effect.void
    : Effect.andThen(reportWaiting(new Set()), reportDeleted)

/** The observers of requests: the access log and the metrics. */
const observing = <E, R>(options: Options, metrics: Layer.Layer<Metrics, E, R>) =>
  Layer.merge(
    Layer.effect(
      RequestObservers,
      Effect.zipWith(AccessLog, Metrics, (log, metrics) => [...log.observers, metrics.observer].map(exceptProbes))
    ),
    Layer.effect(
      ParseErrorObservers,
      Effect.zipWith(AccessLog, Metrics, (log, metrics) => [...log.parseErrorObservers, metrics.parseErrorObserver])
    )
  ).pipe(Layer.provideMerge(metrics), Layer.provideMerge(AccessLog.layer(options.accessLog)))

const endingTimes = (options: Options) => ({ delay: options.drainDelay, grace: shutdownGrace(options) })

/** Shuts down before the layers that requests in flight need are closed. */
const gracefulShutdown = (options: Options, asItBegins: Effect.Effect<void>) =>
  Layer.effectDiscard(
    Effect.flatMap(Shutdown, ({ run }) =>
      Effect.addFinalizer(() => Effect.andThen(asItBegins, run(endingTimes(options))))
    )
  )

/** Checks what can be checked before the store is opened: flags, the certificate, the gateway's upstream, the port. */
const check = (options: Options) =>
  Effect.gen(function* () {
    yield* checkOptions(options)
    yield* Listener.checkCertificate(options)
    yield* Effect.scoped(Layer.build(gatewayPorts(options)))
    yield* findPort(options)
  })

/** A store that holds what it must before the first request. */
const preparedStore = (options: Options) =>
  Layer.effectDiscard(Effect.andThen(prepareStore(options), reportLeft(options))).pipe(
    Layer.provide(platform),
    // The supervisor imports too.
    Layer.provide(Layer.succeed(StepLength, options.step)),
    Layer.provideMerge(servedStore(options)),
    Layer.provide(Layer.effectDiscard(check(options)))
  )

/** What differs between a worker and a server without workers. */
interface Part {
  readonly store: OpenedStore
  readonly metrics: Layer.Layer<Metrics, never, AccessLog>
  /** Called with the server's URL when it accepts requests. */
  readonly listening: (url: string) => Effect.Effect<void, UsageError>
  /** Runs when the shutdown begins. */
  readonly ending: Effect.Effect<void>
}

/**
 * A process that serves. The layers are built in this order: the store, the socket, the routes, the announcement.
 */
const serving = (options: Options, { ending, listening, metrics, store }: Part) => {
  const routes = Layer.unwrap(
    Effect.map(Effect.all([healthRoutes, metricsRoute(options.metricsFrom)]), ([health, metrics]) =>
      Routes.layer({
        dialect: dialects[options.dialect],
        isApi: options.role !== "mover",
        trustedProxies: options.trustProxy,
        ownRoutes: [...health, metrics, indexRoute(HEADGATE_VERSION)]
      })
    )
  ).pipe(
    Layer.provide(Authorization.layer(options.upstreamOrganization)),
    Layer.provide(countFailedLogins(limits(options))),
    Layer.provide(gatewayPorts(options)),
    Layer.provide(mover(options)),
    Layer.provide(serviceDashboards),
    Layer.provide(Layer.succeed(OrganizationLimits, organizationLimits(options))),
    // The routes and the rate limits are built with what it provides.
    Layer.provide(
      options.admin ? Admin.layer({ dialect: dialects[options.dialect], isGateway: isGateway(options) }) : Layer.empty
    )
  )
  const ready = Effect.flatMap(HttpServer.HttpServer, ({ address }) =>
    listening(NetAddress.formatUrlUnsafe(address, Listener.schemeOf(options)))
  )
  const underneath = Layer.provideMerge(
    Listener.layer({ ...options, answerTimeout: upstreamTimeout(options) }),
    Layer.provideMerge(observing(options, metrics), store)
  )
  return Layer.effectDiscard(ready).pipe(
    Layer.provide(gracefulShutdown(options, ending)),
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

const announce = (options: Options) =>
  Effect.fnUntraced(function* (url: string) {
    if (options.admin) yield* Console.error(adminWarning(url))
    yield* Console.error(
      listeningText(url, yield* storeName(options), options.workers, Option.getOrUndefined(warehouseName(options)))
    )
  })

const alone = (options: Options) =>
  serving(options, {
    store: preparedStore(options),
    metrics: Metrics.layer(),
    listening: announce(options),
    // A second signal ends the process at once.
    ending: exitOnSecondSignal
  })

/** The metrics of a worker, whose text holds those of all workers. */
const workerMetrics = (number: number) =>
  Layer.effect(
    Metrics,
    Effect.flatMap(Metrics, (metrics) =>
      Effect.map(metricsOfAllWorkers(metrics.text), (text) => ({ ...metrics, text }))
    )
  ).pipe(Layer.provide(Metrics.layer({ worker: String(number) })))

/** A worker process. Signals are for the supervisor: a signal to the whole process group arrives here too. */
export const worker = (all: Options, { number, port }: WorkerIdentity) => {
  const options = { ...all, port }
  return serving(options, {
    store: servedStore(options),
    metrics: workerMetrics(number),
    listening: reportReady,
    ending: Effect.void
  })
}

/** The process that prepares the store, then starts the workers and replaces those that end. */
const supervisor = (options: Options) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      // Opened to be prepared only.
      yield* Effect.provide(Effect.void, preparedStore(options))
      const { delay, grace } = endingTimes(options)
      const url = yield* superviseWorkers({
        workers: options.workers,
        port: yield* findPort(options),
        shutdownTimeout: Duration.sum(Duration.sum(delay, grace), Duration.seconds(5)),
        forwardHangup: Listener.schemeOf(options) === "https"
      })
      yield* Effect.addFinalizer(() => exitOnSecondSignal)
      yield* announce(options)(url)
    })
  )

/** The whole server, from its flags: the one place where adapters are chosen. */
export const layer = (options: Options) => (options.workers > 1 ? supervisor(options) : alone(options))
