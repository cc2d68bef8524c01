import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, describe, it } from "vitest"

const root = join(import.meta.dirname, "../../..")
const data = mkdtempSync(join(tmpdir(), "headgate-"))
afterAll(() => rmSync(data, { recursive: true }))

const node = async (...args: ReadonlyArray<string>) => {
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root })
  return stdout
}

describe("npm start", () => {
  it("leaves one key and one dashboard, however often it is run", async () => {
    const start = join(root, "tooling/toolchain/start.mjs")
    assert.include(await node(start, "--once", "--data", data), "$ headgate dashboard create --file")
    assert.notInclude(await node(start, "--once", "--data", data), "$ headgate dashboard create --file")
    const server = join(root, "apps/server/bin/headgate-server.mjs")
    assert.strictEqual(JSON.parse(await node(server, "key", "list", "--json", "--data", data)).length, 1)
    const [{ dashboards }] = JSON.parse(await node(server, "export", "--data", data)).organizations
    assert.strictEqual(dashboards.length, 1)
  })
})
