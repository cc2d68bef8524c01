import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { nowhere, type Observed, serve, serveSockets } from "./FaultServer.ts"
import type { FaultContext } from "./badAnswers.ts"
import { certificate } from "./certificates.ts"

/** A server that a call never reaches. */
type BadPlace = (context: Omit<FaultContext, "nth">) => Effect.Effect<Observed, never, Scope.Scope>

const distrusted =
  (kind: Parameters<typeof certificate>[0]): BadPlace =>
  ({ good }) =>
    Effect.flatMap(certificate(kind), (pem) => serve((_, response) => void response.end(JSON.stringify(good)), pem))

/** Servers that a call does not reach: no address, no connection, no trusted certificate. */
export const badPlaces = {
  "a name without an address": () => Effect.succeed(nowhere("https://headgate.invalid")),
  // A port that no server is given by chance, and that fetch does not block as it blocks port 1.
  "a refused connection": () => Effect.succeed(nowhere("http://127.0.0.1:2")),
  "a reset before the request is read": () => serveSockets("http", (socket) => socket.resetAndDestroy()),
  "a reset in the TLS handshake": () =>
    serveSockets("https", (socket) => socket.once("data", () => socket.resetAndDestroy())),
  "silence in the TLS handshake": ({ silent }) =>
    serveSockets("https", (socket) => {
      // undici dials once for all attempts that wait for it, so the time of each has to pass.
      const passing = setInterval(() => silent?.(), 20)
      socket.on("close", () => clearInterval(passing))
    }),
  "plain http where TLS is expected": () =>
    Effect.map(
      serve(() => {}),
      (server) => ({ ...server, baseUrl: server.baseUrl.replace("http:", "https:") })
    ),
  "TLS where plain http is expected": (context) =>
    Effect.map(distrusted("selfSigned")(context), (server) => ({
      ...server,
      baseUrl: server.baseUrl.replace("https:", "http:")
    })),
  "a self-signed certificate": distrusted("selfSigned"),
  "a certificate that has expired": distrusted("expired"),
  "a certificate of another host": distrusted("wrongHost")
} satisfies Record<string, BadPlace>
