import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { enveloped, service } from "./Service.ts"
import { everything, headgate, pipeId } from "./headgate.ts"
import { wholePipe } from "./wholePipe.ts"

const api = service()
const directory = mkdtempSync(join(tmpdir(), "headgate-pipes-"))
afterAll(() => rmSync(directory, { recursive: true }))

describe("headgate pipe update", () => {
  it("sends the document of --file", async () => {
    const file = join(directory, "changes.json")
    writeFileSync(file, JSON.stringify({ name: "orders" }))
    api.respondWith(enveloped(wholePipe("db_")))
    const run = await headgate(["pipe", "update", pipeId, "--file", file], { env: everything(api.url) })
    assert.deepStrictEqual([run.exitCode, run.stderr], [0, ""])
    assert.deepStrictEqual(JSON.parse(api.received[0]?.body ?? ""), { name: "orders" })
  })
})

describe.each(["create", "discover"])("headgate pipe %s", (verb) => {
  it("reads the document of --file, and names its wrong fields", async () => {
    const file = join(directory, "pipe.json")
    writeFileSync(file, JSON.stringify({ name: 1 }))
    const run = await headgate(["pipe", verb, "--file", file], { env: everything(api.url) })
    assert.deepStrictEqual([run.exitCode, run.stdout, api.received.length], [2, "", 0])
    assert.include(run.stderr, "this is not a request for a pipe")
  })
})
