import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Http from "node:http"
import type { Socket } from "node:net"

/** How long the parts of an end may take. */
export interface EndingTimes {
  readonly delay: Duration.Duration
  readonly grace: Duration.Duration
}

/** How a server ends. */
export class Shutdown extends Context.Service<
  Shutdown,
  {
    /** Whether the end has begun: from then on the server is not ready, and every answer closes its connection. */
    readonly hasBegun: () => boolean
    /**
     * Ends the server: for `delay` it only says that it is not ready; then it takes no new connection, closes those that
     * nobody asks anything on, waits for what runs, no longer than `grace`, and cuts the rest.
     */
    readonly run: (times: EndingTimes) => Effect.Effect<void>
  }
>()("headgate-server/http/Shutdown") {}

/** The connections of a server, and of them those on which something could be asked. */
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

/** Answers that close their connection once `isEnding`: who is told so does not ask again on it. */
const answersOf = (isEnding: () => boolean): Http.ServerOptions => ({
  ServerResponse: class<Request extends Http.IncomingMessage> extends Http.ServerResponse<Request> {
    // Both of Node's signatures.
    override writeHead(status: number, reasonOrHeaders?: any, headers?: any): this {
      if (isEnding()) this.setHeader("connection", "close")
      return super.writeHead(status, reasonOrHeaders, headers)
    }
  }
})

/** Makes a server that can be ended in good order. */
export const withShutdown = <E, R>(make: (options: Http.ServerOptions) => Effect.Effect<Http.Server, E, R>) =>
  Effect.gen(function* () {
    const state = { isEnding: false }
    const server = yield* make(answersOf(() => state.isEnding))
    const { all, open } = connectionsOf(server)

    const closed = Effect.callback<void>((resume) => {
      server.close(() => resume(Effect.void))
      // Node counts a connection that never asked anything as busy.
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
    })

    const cut = Effect.sync(() => {
      for (const socket of all) socket.destroy()
    })

    const run = Effect.fnUntraced(function* ({ delay, grace }: EndingTimes) {
      state.isEnding = true
      if (Duration.toMillis(delay) > 0) yield* Effect.sleep(delay)
      // Where a server ends, nothing can be interrupted unless it says so.
      yield* Effect.interruptible(closed).pipe(Effect.timeoutOrElse({ duration: grace, orElse: () => cut }))
    })

    return { server, shutdown: Shutdown.of({ hasBegun: () => state.isEnding, run }) }
  })
