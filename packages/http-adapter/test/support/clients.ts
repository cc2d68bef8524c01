import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import type * as Layer from "effect/Layer"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type { HttpClient } from "effect/http/HttpClient"
import { UndiciHttpClient } from "../../src/undici/index.ts"
import { drawing } from "./timeline.ts"

const clients = {
  fetch: FetchHttpClient.layer,
  undici: UndiciHttpClient.layer,
  "undici of @effect/platform-node": NodeHttpClient.layerUndici,
  "node:http": NodeHttpClient.layerNodeHttpOptions({ keepAlive: true })
} satisfies Record<string, Layer.Layer<HttpClient>>

export type ClientName = keyof typeof clients

/** Each client that the adapter is tested over, on real sockets. */
export const everyClient = Object.entries(clients) as ReadonlyArray<readonly [ClientName, Layer.Layer<HttpClient>]>

export const clientNamed = (name: ClientName): Layer.Layer<HttpClient> => clients[name]

/** Retries without a pause: for tests on a real clock. */
export const withoutPauses = drawing(0)
