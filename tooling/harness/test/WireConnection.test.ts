import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "vitest"
import { WireConnection } from "../src/WireConnection.ts"

/** How many connections three requests in sequence take if the server keeps idle ones for `seconds`. */
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

describe("a connection", () => {
  it("is reused", async () => assert.strictEqual(await connectionsTaken(60), 1))

  it("is replaced when the server is about to close it", async () => assert.strictEqual(await connectionsTaken(1), 3))
})
