import { assert, describe, it } from "vitest"
import { enveloped, errorReply, requestId, service } from "./Service.ts"
import { everything, headgate, organization } from "./headgate.ts"

const api = service()
const id = "1f0a2b3c-4d5e-4f60-8a7b-9c0d1e2f3a4b"
const path = `/v1/organizations/${organization}/roles`
const request = {
  name: "auditor",
  actors: [],
  policies: [{ allowDeny: "ALLOW", permissions: ["control-plane:organization:view"], resources: ["instance/*"] }]
}
const role = { id, type: "custom", ...request, createdAt: "2026-11-21T11:42:56.422Z", unknown: "kept" }
const admin = { id: "701e0000-0000-4000-8000-000000000001", name: "admin", type: "system" }

const run = (args: ReadonlyArray<string>, document?: object) =>
  headgate(["role", ...args], {
    env: everything(api.url),
    ...(document === undefined ? {} : { stdin: JSON.stringify(document) })
  })
const requests = () =>
  api.received.map(({ body, method, path }) => [`${method} ${path}`, body === "" ? undefined : JSON.parse(body)])

describe("headgate role", () => {
  it("list prints a row for each role, and with --json what the service sent", async () => {
    api.respondWith(enveloped([admin, role]))
    const text = await run(["list"])
    assert.deepStrictEqual([text.exitCode, text.stderr], [0, ""])
    assert.deepStrictEqual(
      text.stdout
        .trimEnd()
        .split("\n")
        .map((line) => line.split(/ {2,}/)),
      [
        ["ID", "NAME", "TYPE"],
        [admin.id, "admin", "system"],
        [id, "auditor", "custom"]
      ]
    )
    assert.deepStrictEqual(JSON.parse((await run(["list", "--json"])).stdout), [admin, role])
    assert.deepStrictEqual(requests()[0], [`GET ${path}`, undefined])
  })

  it("get, create and update send the document and print the role", async () => {
    api.respondWith(enveloped(role))
    for (const [args, document] of [
      [["get", id]],
      [["create", "--file", "-"], request],
      [["update", id, "--file", "-"], { name: "auditor" }]
    ] as const) {
      const { exitCode, stderr, stdout } = await run([...args, "--json"], document)
      assert.deepStrictEqual([exitCode, stderr, JSON.parse(stdout)], [0, "", role])
    }
    assert.deepStrictEqual(requests(), [
      [`GET ${path}/${id}`, undefined],
      [`POST ${path}`, request],
      [`PATCH ${path}/${id}`, { name: "auditor" }]
    ])
    assert.match((await run(["get", id])).stdout, /^name +auditor$/m)
  })

  it.each<[string, ReadonlyArray<string>, object | undefined, string]>([
    ["a misspelt field", ["create", "--file", "-"], { ...request, polices: [] }, "did you mean policies?"],
    ["a missing field", ["create", "--file", "-"], { name: "auditor" }, "policies: "],
    ["a misspelt field of a change", ["update", id, "--file", "-"], { nane: "x" }, "did you mean name?"],
    ["a file that is missing", ["create", "--file", "/does/not/exist.json"], undefined, "there is no such file"],
    ["a deletion without --yes", ["delete", id], undefined, "--yes"]
  ])("refuses %s and sends nothing", async (_, args, document, words) => {
    const { exitCode, stderr, stdout } = await run(args, document)
    assert.deepStrictEqual([exitCode, stdout, requests()], [2, "", []])
    assert.include(stderr, words)
  })

  it("delete deletes with --yes", async () => {
    api.respondWith({ status: 200, body: { status: 200, requestId } })
    const deleted = await run(["delete", id, "--yes"])
    assert.deepStrictEqual(deleted, { exitCode: 0, stdout: "", stderr: `Role ${id} was deleted.\n` })
    assert.deepStrictEqual(JSON.parse((await run(["delete", id, "-y", "--json"])).stdout), { id, deleted: true })
    assert.deepStrictEqual(requests()[0], [`DELETE ${path}/${id}`, undefined])
  })

  it.each(["get", "delete"])("%s ends with 5 if there is no such role, and says where the ids are", async (verb) => {
    api.respondWith(errorReply(404, "NOT_FOUND: no such role"))
    const { exitCode, stderr, stdout } = await run([verb, id, ...(verb === "delete" ? ["--yes"] : [])])
    assert.deepStrictEqual([exitCode, stdout], [5, ""])
    assert.include(stderr, "headgate role list")
  })
})
