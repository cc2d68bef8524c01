// trial:runtimes (tooling/packaging) runs with a damaged client and must fail.
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"

const script = fileURLToPath(new URL("../../packaging/src/trialRuntimes.ts", import.meta.url))

const run = (...args: ReadonlyArray<string>) =>
  new Promise<{ readonly code: unknown; readonly output: string }>((resolve) => {
    execFile(process.execPath, [script, ...args], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, output: stdout + stderr })
    )
  })

describe("trial:runtimes turns red", () => {
  it("when a file of the client was left out", async () => {
    const { code, output } = await run("--broken", "client", "--only", "Node 24")
    assert.match(output, /^RED Node 24 [^]*ERR_MODULE_NOT_FOUND[^]*shared\.js/m)
    assert.match(output, /^runtimes: .* 1 faults$/m)
    assert.strictEqual(code, 1)
  }, 600_000)

  it("in workerd and Chromium when the client imports a module of Node", async () => {
    const { code, output } = await run("--broken", "nodeModule")
    for (const name of ["Node 22", "Node 24"]) assert.match(output, new RegExp(`^(ok |SKIPPED) ${name}`, "m"))
    for (const name of ["workerd", "Chromium"]) assert.match(output, new RegExp(`^(RED|SKIPPED) ${name}`, "m"))
    assert.match(output, /^RED .*\n[^]*node:fs/m)
    assert.match(output, /^runtimes: .* [1-9]\d* faults$/m)
    assert.strictEqual(code, 1)
  }, 600_000)
})
