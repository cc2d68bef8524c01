import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { assert, describe, it } from "vitest"
import { ClientClosedError, createClient } from "../src/index.ts"
import { createTestClient } from "../src/testing/index.ts"
import { json, requestId, service, silence } from "./support/Service.ts"
import { address, management, observability, pipe, rejectionOf } from "./support/samples.ts"

const api = service()
const found = json(200, { status: 200, requestId, result: pipe })

describe("close", () => {
  it("aborts the calls under way, on the socket too", async () => {
    api.answers(silence)
    const headgate = createClient({ management: management(api.url) })
    const asked = api.next()
    const rejection = rejectionOf(headgate.pipes.get(address))
    const { hungUp } = await asked
    await headgate.close()
    assert.instanceOf(await rejection, ClientClosedError)
    await hungUp
  })

  it("refuses later calls, and may be repeated", async () => {
    api.answers(found)
    const headgate = createClient({ management: management(api.url), observability: observability(api.url) })
    await headgate.pipes.get(address)
    await Promise.all([headgate.close(), headgate.close()])
    await headgate.close()
    for (const call of [headgate.pipes.get(address), headgate.dashboards.list()]) {
      const error = await rejectionOf(call)
      assert.isTrue(error instanceof ClientClosedError && error._tag === "ClientClosed")
    }
    assert.lengthOf(api.asked, 1)
  })

  it("is what `await using` calls", async () => {
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

describe("a process that used a client ends by itself", () => {
  const script = (end: string) => `
    import { createClient } from ${JSON.stringify(new URL("../dist/index.js", import.meta.url).href)}
    const headgate = createClient({ management: ${JSON.stringify(management(api.url))} })
    const pipe = await headgate.pipes.get(${JSON.stringify(address)}, { signal: new AbortController().signal })
    ${end}
    process.stdout.write(pipe.name + " " + process.getActiveResourcesInfo().filter((name) => name === "Timeout").length)
  `

  it.each([
    ["once it closed it", "await headgate.close()"],
    ["if it never did", ""]
  ])("%s", async (_, end) => {
    api.answers(found)
    const child = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script(end)])
    assert.deepStrictEqual(child, { stdout: "orders 0", stderr: "" })
  })
})
