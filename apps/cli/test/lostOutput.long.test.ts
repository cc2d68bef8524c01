import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "vitest"
import { enveloped, service } from "./Service.ts"
import { everything, headgateProcess, pipeId, serviceId } from "./headgate.ts"

const api = service()

const respondLikeTheService = () =>
  api.respondWith(({ body, method, path }) => {
    if (path.startsWith("/api/")) {
      const created = { id: "d1", name: "Errors", tiles: [], tags: [] }
      return { status: 200, body: { data: method === "POST" ? created : [created] } }
    }
    if (path.endsWith("/dbpipes")) return enveloped([])
    if (method === "DELETE") return enveloped(undefined)
    const key = { ...JSON.parse(body), id: pipeId, keySuffix: "4f2c", createdAt: "2026-01-02T03:04:05Z" }
    return enveloped({ key, keyId: "keyIdOfTheNew4f2c", keySecret: "hgs_new" })
  })

const run = (args: ReadonlyArray<string>, stdout: "/dev/full" | "closed") =>
  headgateProcess(args, { env: everything(api.url), stdout })

const createKey = ["key", "create", "--name", "x", "--role", "admin"]
const changes: ReadonlyArray<readonly [command: ReadonlyArray<string>, done: string]> = [
  [createKey, `The secret of the new key ${pipeId} is lost: delete or disable this key`],
  [[...createKey, "--json"], `The secret of the new key ${pipeId} is lost: delete or disable this key`],
  [["dashboard", "create", "--name", "Errors"], "Dashboard d1 was created"],
  [["pipe", "delete", pipeId, "--yes", "--json"], `Pipe ${pipeId} was deleted`]
]
const reads: ReadonlyArray<ReadonlyArray<string>> = [
  ["dashboard", "list"],
  ["dashboard", "list", "--json"],
  ["pipe", "list", "--json"]
]

it.each([[[]], [["--json"]]])("pipe watch %j ends with its reader, while nothing changes", async (flags) => {
  api.respondWith(({ path }) =>
    enveloped(
      path.endsWith("/status")
        ? { state: "Running", simulated: true }
        : { id: pipeId, serviceId, name: "orders", state: "Running" }
    )
  )
  const bin = join(import.meta.dirname, "../bin/headgate.mjs")
  const watch = [process.execPath, bin, "pipe", "watch", pipeId, ...flags].map((word) => `'${word}'`).join(" ")
  const { stderr, stdout } = await promisify(execFile)("sh", ["-c", `${watch} | head -1`], { env: everything(api.url) })
  assert.strictEqual(stderr, "")
  assert.match(stdout, /Running.*\n$/)
})

describe("output that cannot be written", () => {
  it.each(changes)("is an error that says what was done: %j", async (command, done) => {
    respondLikeTheService()
    for (const stdout of ["/dev/full", "closed"] as const) {
      const { exitCode, stderr } = await run(command, stdout)
      assert.strictEqual(exitCode, 1, stderr)
      assert.include(stderr, done)
      assert.include(stderr, stdout === "closed" ? "EPIPE" : "ENOSPC")
      assert.notInclude(stderr, "hgs_")
      assert.notInclude(stderr, "keep them now")
    }
  })

  it.each(reads.map((command) => [command]))("is an error: %j", async (command) => {
    respondLikeTheService()
    const { exitCode, stderr } = await run(command, "/dev/full")
    assert.strictEqual(exitCode, 1)
    assert.include(stderr, "The output could not be written: ENOSPC")
  })

  it.each([[["--help"]], [["key", "create", "--help"]], [["--version"]], [["--completions", "bash"]]])(
    "is an error: %j",
    async (command) => {
      const { exitCode, stderr } = await run(command, "/dev/full")
      assert.strictEqual(exitCode, 1)
      assert.include(stderr, "The output could not be written: ENOSPC")
    }
  )

  it.each([[["dashboard", "list"]], [["dashboard", "list", "--json"]], [["--help"]]])(
    "is no error if the reader has ended: %j",
    async (command) => {
      respondLikeTheService()
      assert.deepStrictEqual(await run(command, "closed"), { exitCode: 0, stdout: "", stderr: "" })
    }
  )
})
