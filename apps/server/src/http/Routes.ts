import { type Api, type Dialect, makeApi } from "@headgate/http-contract"
import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import { flow, identity } from "effect/Function"
import * as Layer from "effect/Layer"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpRouter from "effect/http/HttpRouter"
import type * as IpNetwork from "effect/net/IpNetwork"
import { Guard } from "../access/Guard.ts"
import * as Security from "../access/Security.ts"
import * as DashboardHandlers from "../dashboard/DashboardHandlers.ts"
import { directDashboard } from "../dashboard/directDashboard.ts"
import * as KeyHandlers from "../key/KeyHandlers.ts"
import { directKey } from "../key/directKey.ts"
import * as PipeHandlers from "../pipe/PipeHandlers.ts"
import { directPipe } from "../pipe/directPipe.ts"
import { direct } from "./Direct.ts"
import * as Documentation from "./Documentation.ts"
import { withEdge } from "./ErrorBoundary.ts"
import { Interception } from "./Interception.ts"
import { maxBodyBytes } from "./Limits.ts"
import { methodNotAllowed } from "./MethodNotAllowed.ts"
import { UnderWay, Watchers, Wrapped } from "./RequestLog.ts"
import { shapedMediaType } from "./UnsupportedMediaType.ts"

/** Clients in the wild send `.../clickpipes/`: a trailing slash names the same resource. Another case does not. */
export const routerConfig = { ignoreTrailingSlash: true, caseSensitive: true }

/** The operations that are asked over and over. */
const directOperations = (api: Api, dialect: Dialect) =>
  Effect.flatMap(Effect.all([directPipe(api, dialect), directKey(api), directDashboard(api)]), direct)

/**
 * Everything the server answers, over the ports: both APIs in a dialect, `/openapi.json`, and at `/docs` a page that
 * reads from nowhere else. `X-Forwarded-For` tells a caller's address only when it comes from a trusted proxy.
 */
export const layer = (dialect: Dialect, trustedProxies: ReadonlyArray<IpNetwork.IpNetwork> = []) => {
  const api = makeApi(dialect)
  const operations = HttpApiBuilder.layer(api, { openapiPath: "/openapi.json" }).pipe(
    Layer.provide([PipeHandlers.layer(api, dialect), KeyHandlers.layer(api), DashboardHandlers.layer(api)]),
    Layer.provide(Security.layer)
  )
  const edge = HttpRouter.middleware(
    Effect.gen(function* () {
      const directly = yield* directOperations(api, dialect)
      const watchers = yield* Watchers
      const underWay = yield* UnderWay
      const wrapped = yield* Wrapped
      const { exchanges, operations } = yield* Interception
      // From the inside out.
      return flow(
        directly,
        methodNotAllowed(api, routerConfig),
        shapedMediaType,
        operations,
        withEdge({ watchers, underWay, wrapped }),
        trustedProxies.length === 0 ? identity : HttpMiddleware.xForwardedHeaders({ trustedProxies }),
        exchanges
      )
    }),
    { global: true }
  )
  return Layer.mergeAll(operations, Documentation.layer(api), edge).pipe(
    Layer.provide(Guard.layer),
    Layer.provideMerge(Layer.succeed(HttpIncomingMessage.MaxBodySize, ByteSize.fromInputUnsafe(maxBodyBytes)))
  )
}
