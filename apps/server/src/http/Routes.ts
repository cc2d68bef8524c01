import { type Dialect, makeApi } from "@headgate/http-contract"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiSwagger from "effect/http-api/HttpApiSwagger"
import * as ByteSize from "effect/ByteSize"
import * as Layer from "effect/Layer"
import * as Security from "../access/Security.ts"
import * as DashboardHandlers from "../dashboard/DashboardHandlers.ts"
import * as KeyHandlers from "../key/KeyHandlers.ts"
import * as PipeHandlers from "../pipe/PipeHandlers.ts"
import { Edge, maxBodyBytes } from "./Edge.ts"
import * as MethodNotAllowed from "./MethodNotAllowed.ts"

/**
 * Everything the server answers, over the ports: both APIs in a dialect, `/openapi.json`, and at `/docs` a page that
 * reads from nowhere else.
 */
export const layer = (dialect: Dialect) => {
  const api = makeApi(dialect)
  const operations = HttpApiBuilder.layer(api, { openapiPath: "/openapi.json" }).pipe(
    Layer.provide([PipeHandlers.layer(api), KeyHandlers.layer(api), DashboardHandlers.layer(api)]),
    Layer.provide(Security.layer)
  )
  return Layer.mergeAll(
    operations,
    MethodNotAllowed.layer(api),
    HttpApiSwagger.layer(api, { path: "/docs" }),
    Edge
  ).pipe(
    Layer.provide(SecureRandom.layerWebCrypto),
    Layer.provideMerge(Layer.succeed(HttpIncomingMessage.MaxBodySize, ByteSize.fromInputUnsafe(maxBodyBytes)))
  )
}

/** Clients in the wild send `.../clickpipes/`: a trailing slash names the same resource. */
export const routerConfig: NonNullable<Parameters<typeof HttpRouter.serve>[1]>["routerConfig"] = {
  ignoreTrailingSlash: true
}
