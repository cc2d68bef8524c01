import * as Effect from "effect/Effect"
import { createServer } from "node:net"
import { listenFailure } from "../http/listenFailure.ts"
import type { StartupError } from "./StartupError.ts"

/**
 * Opens a port and closes it again: whether it can be had, before anything is done that cannot be undone, and which one it
 * is if it is 0. Nothing keeps it until the server listens.
 */
export const findPort = ({ host, port }: { readonly host: string; readonly port: number }) =>
  Effect.callback<number, StartupError>((resume) => {
    const server = createServer()
    server.once("error", (cause) => resume(Effect.fail(listenFailure(host, port, cause))))
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address()
      const found = address !== null && typeof address === "object" ? address.port : port
      server.close(() => resume(Effect.succeed(found)))
    })
    return Effect.sync(() => server.close())
  })
