import { assert, describe, it } from "vitest"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { WireConnection } from "../src/http/WireConnection.ts"

/** How many connections three requests take, one after the other, when idle ones are said to be kept for `seconds`. */
const connectionsTaken = async (seconds: number): Promise<number> => {
  let taken = 0
  const server = createServer({ keepAliveTimeout: seconds * 1_000 }, (_, response) => response.end("{}"))
  server.on("connection", () => taken++)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  // What it listens on is a port.
  const { port } = server.address() as AddressInfo
  const connection = new WireConnection({ url: `http://127.0.0.1:${port}` })
  try {
    for (let nth = 0; nth < 3; nth++) {
      const outcome = await connection.exchange(Buffer.from("GET / HTTP/1.1\r\nhost: a\r\n\r\n"), "GET")
      assert.isTrue("status" in outcome && outcome.status === 200)
    }
  } finally {
    connection.close()
    server.close()
  }
  return taken
}

describe("a connection of a trial", () => {
  it("is used again", async () => assert.strictEqual(await connectionsTaken(60), 1))

  it("is made anew when the server is about to close it", async () => assert.strictEqual(await connectionsTaken(1), 3))
})
