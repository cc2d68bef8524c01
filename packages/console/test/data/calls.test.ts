import { type AnyOperation, clickhouse, isCreation, neutral, operations } from "@headgate/http-contract"
import { assert, beforeEach, describe, it, vi } from "vitest"
import { calls } from "../../src/data/calls.ts"

/** A path whose parameters have no names: the wire calls some of them otherwise. */
const places = (path: string) => path.replace(/:\w+/g, ":")

const tables: Readonly<Record<string, Readonly<Record<string, AnyOperation>>>> = operations(neutral)

const made = Object.entries(calls).flatMap(([noun, table]) =>
  Object.entries(table).map(([name, call]) => ({ id: `${noun}.${name}`, call, operation: tables[noun]?.[name] }))
)

describe("calls", () => {
  beforeEach(() => () => void vi.unstubAllGlobals())

  it.each(made)("$id is an operation of the contract, with its method and its path", ({ call, operation }) => {
    assert.isDefined(operation, "there is no such operation")
    assert.deepStrictEqual([call.method, places(call.path)], [operation.method, places(operation.path)])
    assert.strictEqual(call.isCreation, isCreation(operation), "isCreation")
  })

  it.each(made)("$id has parameters that the request of the client has", ({ call }) => {
    const known = new Set(["organizationId", "serviceId", "pipeId", "keyId", "id"])
    for (const [, name = ""] of call.path.matchAll(/:(\w+)/g)) assert.include([...known], name)
  })

  it("calls the pipes in the dialect of the server", async () => {
    const asked: Array<string> = []
    vi.stubGlobal("fetch", (path: string) => {
      asked.push(path)
      return Promise.resolve(Response.json({ result: [] }))
    })
    const { served } = await import("../../src/data/server.ts")
    const { signIn } = await import("../../src/data/session.ts")
    signIn({ organizationId: "o", token: "hgs_1", expiresAt: 0, permissions: [] }, false)
    const address = { organizationId: "o", serviceId: "s", pipeId: "a/b" }
    await calls.pipe.get(address)
    Object.assign(served, { dialect: "clickhouse" })
    await calls.pipe.get(address)
    Object.assign(served, { dialect: "neutral" })
    const wanted = [neutral, clickhouse].map((dialect) =>
      operations(dialect)
        .pipe.get.path.replace(":organizationId", "o")
        .replace(":serviceId", "s")
        .replace(/:\w+$/, "a%2Fb")
    )
    assert.deepStrictEqual(asked, wanted)
  })

  it("checks a creation without making anything, and without a key of a creation", async () => {
    const asked: Array<readonly [string, RequestInit]> = []
    vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
      asked.push([path, init])
      return Promise.resolve(Response.json({ result: {} }))
    })
    const { signIn } = await import("../../src/data/session.ts")
    signIn({ organizationId: "o", token: "hgs_1", expiresAt: 0, permissions: [] }, false)
    const request = { organizationId: "o", serviceId: "s", name: "n", source: {} }
    await calls.pipe.create(request, { validateOnly: true })
    await calls.pipe.create(request, { idempotencyKey: "k" })
    assert.deepStrictEqual(
      asked.map(([path, { body, headers }]) => [path.split("?")[1], body, new Headers(headers).get("idempotency-key")]),
      [
        ["validateOnly=true", '{"name":"n","source":{}}', null],
        [undefined, '{"name":"n","source":{}}', "k"]
      ]
    )
  })
})
