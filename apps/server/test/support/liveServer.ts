import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import {
  chartsBelowService,
  documentsBelowService,
  noCharts,
  type OrganizationCharts,
  type StorePort,
  Tiles
} from "@headgate/core/adapter"
import { type Dialect, neutral } from "@headgate/http-contract"
import { MemoryAdapter } from "@headgate/memory-adapter"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as HttpServer from "effect/http/HttpServer"
import type * as IpNetwork from "effect/net/IpNetwork"
import * as RateLimiter from "effect/persistence/RateLimiter"
import { createServer } from "node:http"
import * as Routes from "../../src/Routes.ts"
import { Authorization } from "../../src/access/Authorization.ts"
import { memoryRateLimiterStore } from "../../src/access/MemoryRateLimiterStore.ts"
import { RequestLimits, type RequestLimitsOptions } from "../../src/access/RequestLimits.ts"
import { signInRoutes } from "../../src/access/signInRoutes.ts"
import { ServerNames } from "../../src/access/ownPage.ts"
import { tilesOf } from "../../src/dashboard/configDashboards.ts"
import type { Route } from "../../src/http/Dispatcher.ts"
import { httpOptions } from "../../src/http/Limits.ts"
import { Shutdown } from "../../src/http/Shutdown.ts"
import { healthRoutes } from "../../src/observability/healthRoutes.ts"
import * as Admin from "../../src/admin/Admin.ts"
import { tokenAccess } from "../../src/admin/AdminAccess.ts"
import { decodeSnapshot, type Store } from "./stores.ts"

/** Where the server under test listens. */
export class ServerUrl extends Context.Service<ServerUrl, string>()("test/ServerUrl") {}

/** What a test may ask of the server beside its store. */
export interface LiveServerOptions {
  readonly dialect?: Dialect
  readonly limits?: Partial<RequestLimitsOptions>
  readonly trustedProxies?: ReadonlyArray<IpNetwork.IpNetwork>
  /** As with `--public-url`. */
  readonly publicUrls?: ReadonlyArray<string>
  /** As with `--admin`. */
  readonly admin?: boolean
  /** As in the file of `--admin-token-file`. */
  readonly adminToken?: string
  /** The charts of every organization. Absent: nothing is queried. */
  readonly charts?: Layer.Layer<OrganizationCharts>
  /** Routes beside those of the API and of health. */
  readonly routes?: ReadonlyArray<Route>
}

const limitsOf = (limits: Partial<RequestLimitsOptions> = {}) =>
  RequestLimits.layer({ requests: Option.none(), failedLogins: Option.none(), ...limits }).pipe(
    Layer.provide(Layer.provide(RateLimiter.layer, memoryRateLimiterStore()))
  )

/** The server's own routes on a real socket, over any store; what the store offers is there for the test as well. */
export const liveServer = <Ports, E>(
  store: Layer.Layer<Ports | StorePort, E>,
  {
    admin = false,
    adminToken,
    charts = noCharts("nothing is queried"),
    dialect = neutral,
    limits,
    publicUrls = [],
    routes = [],
    trustedProxies
  }: LiveServerOptions = {}
) =>
  Layer.effect(ServerUrl, HttpServer.addressFormattedWith(Effect.succeed)).pipe(
    Layer.provide(
      Layer.unwrap(
        Effect.map(Effect.all([healthRoutes, signInRoutes]), (ownRoutes) =>
          Routes.layer({
            dialect,
            ownRoutes: [...ownRoutes.flat(), ...routes],
            ...(trustedProxies === undefined ? {} : { trustedProxies })
          })
        )
      )
    ),
    Layer.provide(Layer.succeed(Shutdown, { hasBegun: () => false, run: () => Effect.void })),
    Layer.provide(documentsBelowService),
    Layer.provide(chartsBelowService),
    Layer.provide(charts),
    Layer.provide(Authorization.layer()),
    Layer.provide(limitsOf(limits)),
    Layer.provide(Layer.succeed(ServerNames, { host: "127.0.0.1", publicUrls: publicUrls.map((url) => new URL(url)) })),
    Layer.provide(
      admin
        ? Admin.layer({ dialect, isGateway: false }).pipe(
            Layer.provide(
              adminToken === undefined
                ? Layer.empty
                : Layer.provide(tokenAccess(Redacted.make(adminToken)), limitsOf(limits))
            )
          )
        : Layer.empty
    ),
    Layer.provide(
      // A test that is slow must not send a request on a connection that the server closes just then.
      NodeHttpServer.layer(() => createServer({ ...httpOptions, keepAliveTimeout: 600_000 }), {
        host: "127.0.0.1",
        port: 0,
        gracefulShutdownTimeout: "1 second"
      })
    ),
    Layer.provideMerge(Layer.provide(store, Layer.succeed(Tiles, tilesOf(dialect))))
  )

/** A server over a fresh store of a kind that holds a snapshot, written as JSON. */
export const serverOver = (store: Store, snapshot: unknown, options?: LiveServerOptions) =>
  liveServer(store.holding(decodeSnapshot(snapshot)), options)

/** A server over memory, for what has nothing to do with its store. */
export const memoryServer = (snapshot: unknown, options?: LiveServerOptions) =>
  liveServer(MemoryAdapter.layer({ snapshot: decodeSnapshot(snapshot) }), options)

/** One answer, as it came over the wire. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON; a test that reads it holds that it is. */
  readonly json: any
}

/** One request, as it goes over the wire. */
export interface Call {
  readonly method?: string
  readonly authorization?: string
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as it is when a string, else as JSON. */
  readonly body?: unknown
}

/** Calls the server under test with plain `fetch`: what a stranger's client would see. */
export const call = (
  path: string,
  { authorization, body, contentType = "application/json", headers, method }: Call = {}
) =>
  Effect.flatMap(ServerUrl, (url) =>
    Effect.promise(async (): Promise<Answer> => {
      const response = await fetch(`${url}${path}`, {
        method: method ?? (body === undefined ? "GET" : "POST"),
        headers: {
          ...headers,
          ...(authorization === undefined ? {} : { authorization }),
          ...(body === undefined ? {} : { "content-type": contentType })
        },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
      })
      const text = await response.text()
      const json = response.headers.get("content-type")?.startsWith("application/json") ? JSON.parse(text) : undefined
      return { status: response.status, headers: response.headers, text, json }
    })
  )

export const basic = (keyId: string, keySecret: string) =>
  `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString("base64")}`

export const bearer = (token: string) => `Bearer ${token}`
