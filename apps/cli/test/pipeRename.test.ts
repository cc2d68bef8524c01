import { assert, describe, it } from "vitest"
import { enveloped, service } from "./Service.ts"
import { everything, headgate, pipeId, serviceId } from "./headgate.ts"

const api = service()
const pipe = { id: pipeId, serviceId, name: "orders", state: "Running" }

const rename = (...args: ReadonlyArray<string>) => headgate(["pipe", "rename", ...args], { env: everything(api.url) })

describe("headgate pipe rename", () => {
  it("sends the new name alone, and shows the pipe", async () => {
    api.respondWith(({ body, method }) => enveloped(method === "GET" ? [pipe] : { ...pipe, ...JSON.parse(body) }))
    const { exitCode, stdout } = await rename("orders", "orders-eu", "--json")
    assert.strictEqual(exitCode, 0)
    assert.deepStrictEqual(JSON.parse(stdout), { ...pipe, name: "orders-eu" })
    assert.deepStrictEqual(
      api.received.map(({ body, method, path }) => [method, path.split("/").at(-1), body]),
      [
        ["GET", "dbpipes", ""],
        ["PATCH", pipeId, '{"name":"orders-eu"}']
      ]
    )
  })

  it("prints the request with --dry-run, and sends none", async () => {
    const { exitCode, stdout } = await rename(pipeId, "orders-eu", "--dry-run")
    assert.strictEqual(exitCode, 0)
    assert.match(stdout, /^curl /)
    assert.include(stdout, `/dbpipes/${pipeId}`)
    assert.include(stdout, '"name":"orders-eu"')
    assert.lengthOf(api.received, 0)
  })

  it("refuses an empty name, and sends nothing", async () => {
    const { exitCode, stderr } = await rename(pipeId, "")
    assert.strictEqual(exitCode, 2)
    assert.include(stderr, '<new-name>: "". Expected')
    assert.lengthOf(api.received, 0)
  })
})
