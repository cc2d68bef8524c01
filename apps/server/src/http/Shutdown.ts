import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Http from "node:http"
import type { Socket } from "node:net"

/** How long the parts of a shutdown may take. */
export interface EndingTimes {
  readonly delay: Duration.Duration
  readonly grace: Duration.Duration
}

/** The shutdown of a server. */
export class Shutdown extends Context.Service<
  Shutdown,
  {
    /** Whether the shutdown has begun: the server is not ready, and every answer closes its connection. */
    readonly hasBegun: () => boolean
    /**
     * Shuts down: reports not ready for `delay`, then accepts no new connection, closes idle ones, waits for requests in
     * flight for at most `grace`, and closes the rest.
     */
    readonly run: (times: EndingTimes) => Effect.Effect<void>
  }
>()("headgate-server/http/Shutdown") {}

/** All connections of a server, and those that can carry a request: with TLS, after the handshake. */
const connectionsOf = (server: Http.Server) => {
  const all = new Set<Socket>()
  const open = new Set<Socket>()
  const keep = (sockets: Set<Socket>) => (socket: Socket) => {
    sockets.add(socket)
    socket.once("close", () => sockets.delete(socket))
  }
  server.on("connection", keep(all))
  server.on(server instanceof Http.Server ? "connection" : "secureConnection", keep(open))
  return { all, open }
}

/** Makes a server that shuts down gracefully. Once `isEnding`, its responses must close their connections. */
export const withShutdown = <E, R>(make: (isEnding: () => boolean) => Effect.Effect<Http.Server, E, R>) =>
  Effect.gen(function* () {
    const state = { isEnding: false }
    const server = yield* make(() => state.isEnding)
    const { all, open } = connectionsOf(server)

    const closed = Effect.callback<void>((resume) => {
      server.close(() => resume(Effect.void))
      // Node counts a connection without any request as busy.
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
    })

    const cut = Effect.sync(() => {
      for (const socket of all) socket.destroy()
    })

    const run = Effect.fnUntraced(function* ({ delay, grace }: EndingTimes) {
      state.isEnding = true
      if (Duration.toMillis(delay) > 0) yield* Effect.sleep(delay)
      // Finalizers are uninterruptible unless they say otherwise.
      yield* Effect.interruptible(closed).pipe(Effect.timeoutOrElse({ duration: grace, orElse: () => cut }))
    })

    return { server, shutdown: Shutdown.of({ hasBegun: () => state.isEnding, run }) }
  })
