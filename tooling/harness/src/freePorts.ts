import * as Effect from "effect/Effect"
import { once } from "node:events"
import { createServer } from "node:net"

/** So many ports of 127.0.0.1 on which nothing listens. */
export const freePorts = (count: number) =>
  Effect.promise(async () => {
    // All are held until all are known, so that no two are the same.
    const servers = await Promise.all(
      Array.from({ length: count }, async () => {
        const server = createServer().listen(0, "127.0.0.1")
        await once(server, "listening")
        return server
      })
    )
    return Promise.all(
      servers.map(async (server) => {
        const address = server.address()
        if (address === null || typeof address === "string") throw new Error("a TCP server has a port")
        server.close()
        await once(server, "close")
        return address.port
      })
    )
  })
