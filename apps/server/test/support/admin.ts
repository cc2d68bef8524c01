import * as Effect from "effect/Effect"
import { connect } from "node:net"
import { call, ServerUrl } from "./liveServer.ts"

/** Puts fault rules in force; answers how that was answered. */
export const putFaults = (...rules: ReadonlyArray<unknown>) =>
  call("/_admin/faults", { method: "PUT", body: { rules } })

/** What the journal says, newest last. */
export const journal = (query = "") => Effect.map(call(`/_admin/requests${query}`), ({ json }) => json.requests)

/** A call that may find no answer: then it is `undefined`. */
export const attempt = (...args: Parameters<typeof call>) =>
  call(...args).pipe(Effect.catchDefect(() => Effect.succeed(undefined)))

/** All that came over a connection of its own after a request, and with which error the connection ended, if with one. */
export const rawExchange = (head: ReadonlyArray<string>, body = "") =>
  Effect.flatMap(ServerUrl, (url) =>
    Effect.callback<{ readonly received: string; readonly error: string | undefined }>((resume) => {
      const { hostname, port } = new URL(url)
      const socket = connect({ host: hostname, port: Number(port) })
      let received = ""
      let error: string | undefined
      socket.setEncoding("utf8").on("data", (text: string) => (received += text))
      socket.on("error", (cause: NodeJS.ErrnoException) => (error = cause.code))
      socket.on("close", () => resume(Effect.succeed({ received, error })))
      const lines = [...head, `content-length: ${Buffer.byteLength(body)}`, "content-type: application/json"]
      socket.write([...lines, "", body].join("\r\n"))
      return Effect.sync(() => socket.destroy())
    })
  )
