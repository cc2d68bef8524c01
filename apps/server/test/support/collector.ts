import * as Effect from "effect/Effect"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"

/** A collector on a socket of its own, and what was sent to it. */
export const collector = (listener: (body: string) => RequestListener) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly received: Array<string>; readonly close: () => void }>(
      (resume) => {
        const received: Array<string> = []
        const server = createServer((request, response) => {
          let body = ""
          request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk))
          request.once("end", () => {
            received.push(`${request.method} ${request.url} ${body}`)
            listener(body)(request, response)
          })
        })
        server.listen(0, "127.0.0.1", () => {
          const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
          const close = () => {
            server.close()
            server.closeAllConnections()
          }
          resume(Effect.succeed({ url, received, close }))
        })
      }
    ),
    ({ close }) => Effect.sync(close)
  )
