import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import { UndiciHttpClient } from "../../src/undici/index.ts"
import { SendsOverFetch } from "./ports.ts"
import { drawing } from "./timeline.ts"

// The connections of the client package: what they send does not pass an `HttpClient`.
const withoutHttpClient = Layer.merge(
  Layer.succeed(SendsOverFetch, true),
  Layer.succeed(
    HttpClient.HttpClient,
    HttpClient.make(() => Effect.die("unreachable: it sends over fetch"))
  )
)

const clients = {
  fetch: FetchHttpClient.layer,
  "fetch alone": withoutHttpClient,
  undici: UndiciHttpClient.layer,
  "undici of @effect/platform-node": NodeHttpClient.layerUndici,
  "node:http": NodeHttpClient.layerNodeHttpOptions({ keepAlive: true })
} satisfies Record<string, Layer.Layer<HttpClient.HttpClient>>

export type ClientName = keyof typeof clients

/** Each client that the adapter is tested over, on real sockets. */
export const everyClient = Object.entries(clients) as ReadonlyArray<
  readonly [ClientName, Layer.Layer<HttpClient.HttpClient>]
>

export const clientNamed = (name: ClientName): Layer.Layer<HttpClient.HttpClient> => clients[name]

/** Retries without a pause: for tests on a real clock. */
export const withoutPauses = drawing(0)
