import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { assert, describe, it } from "vitest"
import { ClientClosedError, createClient } from "../src/index.ts"
import { createTestClient } from "../src/testing/index.ts"
import { json, noReply, requestId, service } from "./support/Service.ts"
import { address, management, observability, pipe, rejectionOf } from "./support/samples.ts"

const api = service()
const found = json(200, { status: 200, requestId, result: pipe })

describe("close", () => {
  it("aborts the calls in flight, on the socket too", async () => {
    api.respondWith(noReply)
    const headgate = createClient({ management: management(api.url) })
    const received = api.next()
    const rejection = rejectionOf(headgate.pipes.get(address))
    const { disconnected } = await received
    await headgate.close()
    assert.instanceOf(await rejection, ClientClosedError)
    await disconnected
  })

  it("makes later calls reject, and may be repeated", async () => {
    api.respondWith(found)
    const headgate = createClient({ management: management(api.url), observability: observability(api.url) })
    await headgate.pipes.get(address)
    await Promise.all([headgate.close(), headgate.close()])
    await headgate.close()
    for (const call of [headgate.pipes.get(address), headgate.dashboards.list()]) {
      const error = await rejectionOf(call)
      assert.isTrue(error instanceof ClientClosedError && error._tag === "ClientClosed")
    }
    assert.lengthOf(api.received, 1)
  })

  it("is called by `await using`", async () => {
    const create = () => createTestClient()
    let outside: ReturnType<typeof create>
    {
      await using headgate = create()
      outside = headgate
      assert.deepStrictEqual(await headgate.dashboards.list(), [])
    }
    assert.instanceOf(await rejectionOf(outside.dashboards.list()), ClientClosedError)
  })
})

describe("a process that used a client ends", () => {
  const script = (end: string) => `
    import { createClient } from ${JSON.stringify(new URL("../dist/index.js", import.meta.url).href)}
    const headgate = createClient({ management: ${JSON.stringify(management(api.url))} })
    const pipe = await headgate.pipes.get(${JSON.stringify(address)}, { signal: new AbortController().signal })
    ${end}
    process.stdout.write(pipe.name + " " + process.getActiveResourcesInfo().filter((name) => name === "Timeout").length)
  `

  it.each([
    ["after it closed the client", "await headgate.close()"],
    ["without closing the client", ""]
  ])("%s", async (_, end) => {
    api.respondWith(found)
    const child = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script(end)])
    assert.deepStrictEqual(child, { stdout: "orders 0", stderr: "" })
  })
})
