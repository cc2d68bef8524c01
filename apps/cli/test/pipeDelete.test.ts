import { assert, describe, it } from "vitest"
import { errorReply, requestId, service } from "./Service.ts"
import { everything, headgate, pipeId } from "./headgate.ts"

const api = service()

describe("headgate pipe delete", () => {
  it("requires --yes without a terminal, and sends nothing without it", async () => {
    const run = await headgate(["pipe", "delete", pipeId], { env: everything(api.url), stdin: "y\n" })
    assert.deepStrictEqual([run.exitCode, run.stdout, api.received.length], [2, "", 0])
    assert.include(run.stderr, "--yes")
  })

  it.each(["--yes", "-y"])("deletes with %s and prints a note to stderr", async (yes) => {
    api.respondWith({ status: 200, body: { status: 200, requestId } })
    const run = await headgate(["pipe", "delete", pipeId, yes], { env: everything(api.url) })
    assert.deepStrictEqual(run, { exitCode: 0, stdout: "", stderr: `Pipe ${pipeId} was deleted.\n` })
    assert.strictEqual(api.received[0]?.method, "DELETE")
  })

  it.each([
    [["-dash", "--yes"]],
    [[pipeId, "-hy"]],
    [[pipeId, "-yh"]],
    [[pipeId, "--yes", "-hyh"]],
    [["-yvh", pipeId]]
  ])("deletes nothing with short flags in one word, one of them -h or -v: %j", async (words) => {
    const run = await headgate(["pipe", "delete", ...words], { env: everything(api.url) })
    assert.deepStrictEqual([run.exitCode, run.stdout, api.received.length], [2, "", 0])
  })

  it("prints JSON with --json", async () => {
    api.respondWith({ status: 200, body: { status: 200, requestId } })
    const run = await headgate(["pipe", "delete", pipeId, "--yes", "--json"], { env: everything(api.url) })
    assert.deepStrictEqual([run.exitCode, run.stderr], [0, ""])
    assert.deepStrictEqual(JSON.parse(run.stdout), { id: pipeId, deleted: true })
  })

  it("ends with 5 if there is no such pipe", async () => {
    api.respondWith(errorReply(404, "NOT_FOUND: no such pipe"))
    const run = await headgate(["pipe", "delete", pipeId, "--yes"], { env: everything(api.url) })
    assert.deepStrictEqual([run.exitCode, run.stdout], [5, ""])
  })
})
