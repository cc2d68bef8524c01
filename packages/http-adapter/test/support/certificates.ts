import * as Effect from "effect/Effect"
import { createServer as createTlsServer } from "node:https"
import { createServer } from "node:net"
import { generate } from "selfsigned"

/** A certificate of an authority of our own, and what is wrong with it. */
export interface Certificate {
  readonly name: string
  readonly validFrom: Date
  readonly validTo: Date
}

const day = 24 * 60 * 60 * 1000

export const certificates = {
  selfSigned: { name: "localhost", validFrom: new Date(Date.now() - day), validTo: new Date(Date.now() + day) },
  expired: { name: "localhost", validFrom: new Date(Date.now() - 3 * day), validTo: new Date(Date.now() - day) },
  wrongHost: { name: "elsewhere.test", validFrom: new Date(Date.now() - day), validTo: new Date(Date.now() + day) }
} satisfies Record<string, Certificate>

/** Makes a certificate in PEM, with its key. */
export const issue = ({ name, validFrom, validTo }: Certificate) =>
  Effect.promise(async () => {
    const options = { keySize: 2048, notBeforeDate: validFrom, notAfterDate: validTo }
    const { cert, private: key } = await generate([{ name: "commonName", value: name }], {
      ...options,
      extensions: [{ name: "subjectAltName", altNames: [{ type: 2, value: name }] }]
    })
    return { cert, key }
  })

const listening = (server: ReturnType<typeof createServer>, counts: { connections: number; requests: number }) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly port: number; readonly counts: typeof counts }>((resume) => {
      server.on("connection", (socket) => {
        counts.connections += 1
        socket.on("error", () => {})
      })
      server.listen(0, "localhost", () => {
        const bound = server.address()
        resume(Effect.succeed({ port: bound !== null && typeof bound === "object" ? bound.port : 0, counts }))
      })
    }),
    () => Effect.sync(() => server.close())
  )

/** A server over TLS with such a certificate, which counts what reaches it. */
export const serveTls = Effect.fnUntraced(function* (
  pem: { readonly cert: string; readonly key: string },
  good: unknown
) {
  const counts = { connections: 0, requests: 0 }
  const server = createTlsServer(pem, (_, response) => {
    counts.requests += 1
    response.end(JSON.stringify(good))
  })
  server.on("tlsClientError", () => {})
  return yield* listening(server, counts)
})

/** A server that resets every connection before it reads anything. */
export const serveResets = Effect.suspend(() => {
  const server = createServer((socket) => socket.resetAndDestroy())
  return listening(server, { connections: 0, requests: 0 })
})
