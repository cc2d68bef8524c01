import { assert, describe, it } from "vitest"
import { everything, headgate, pipeId } from "./headgate.ts"
import { refused, requestId, service } from "./Service.ts"

const api = service()

describe("headgate pipe delete", () => {
  it("wants --yes where there is no terminal, and sends nothing without", async () => {
    const run = await headgate(["pipe", "delete", pipeId], { env: everything(api.url), stdin: "y\n" })
    assert.deepStrictEqual([run.exitCode, run.stdout, api.asked.length], [2, "", 0])
    assert.include(run.stderr, "--yes")
  })

  it.each(["--yes", "-y"])("deletes with %s and says so on stderr", async (yes) => {
    api.answers({ status: 200, body: { status: 200, requestId } })
    const run = await headgate(["pipe", "delete", pipeId, yes], { env: everything(api.url) })
    assert.deepStrictEqual(run, { exitCode: 0, stdout: "", stderr: `Deleted pipe ${pipeId}.\n` })
    assert.strictEqual(api.asked[0]?.method, "DELETE")
  })

  it("answers a program with JSON", async () => {
    api.answers({ status: 200, body: { status: 200, requestId } })
    const run = await headgate(["pipe", "delete", pipeId, "--yes", "--json"], { env: everything(api.url) })
    assert.deepStrictEqual([run.exitCode, run.stderr], [0, ""])
    assert.deepStrictEqual(JSON.parse(run.stdout), { id: pipeId, deleted: true })
  })

  it("ends with 5 where there is none", async () => {
    api.answers(refused(404, "NOT_FOUND: no such pipe"))
    const run = await headgate(["pipe", "delete", pipeId, "--yes"], { env: everything(api.url) })
    assert.deepStrictEqual([run.exitCode, run.stdout], [5, ""])
  })
})
