// A trial that cannot fail proves nothing: each is run here against a server with a fault put into it, and must end red.
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"
import { bundlePage } from "../src/browser/bundlePage.ts"
import { postgresBinaries } from "../../../packages/sql-adapter/test/support/postgresBinaries.ts"

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const execute = (...args: ReadonlyArray<string>) =>
  new Promise<{ readonly code: unknown; readonly output: string }>((resolve) => {
    execFile(process.execPath, args, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, output: stdout + stderr })
    )
  })

const run = (trial: string, broken: string, ...args: ReadonlyArray<string>) =>
  execute(file(`../src/${trial}.ts`), "--server", file(`./broken/${broken}.mjs`), ...args)

describe("trial:kill turns red", () => {
  it("on a server that acknowledges a write it does not store", async () => {
    const { code, output } = await run("kill", "forgetful", "--rounds", "5")
    assert.match(output, /RED lost, over HTTP after round \d: dashboard/)
    assert.match(output, /RED lost, export at the end: dashboard/)
    assert.strictEqual(code, 1)
  })

  it("on a server that acknowledges a write before it stores it", async () => {
    const { code, output } = await run("kill", "hasty", "--rounds", "5")
    assert.match(output, /RED lost, over HTTP after round \d+: deletion/)
    assert.strictEqual(code, 1)
  })
})

describe.skipIf(postgresBinaries() === undefined)("trial:servers turns red", () => {
  it("on servers that remember who was let in", async () => {
    const { code, output } = await run("servers", "trusting", "--rounds", "1")
    for (const who of ["a disabled key", "a deleted key", "a revoked token"]) {
      assert.include(output, `RED ${who}: server 1 answered 200 instead of 401`)
      assert.include(output, `RED ${who}: server 2 answered 200 instead of 401`)
    }
    assert.strictEqual(code, 1)
  })
})

describe.skipIf(postgresBinaries() === undefined)("trial:restart turns red", () => {
  it("on a server that ends at the first signal, whatever runs", async () => {
    const { code, output } = await run("restart", "abrupt", "--rounds", "2")
    assert.match(output, /RED not answered in round \d: /)
    assert.match(output, /RED what the balancer got no answer to: /)
    assert.strictEqual(code, 1)
  })
})

describe("trial:matrix turns red", () => {
  it("on a server that remembers who was let in, wherever they come from by now", async () => {
    const { code, output } = await run("matrix", "trusting", "--every", "24", "--seed", "1")
    assert.match(output, /RED answers that were not as expected: .*expected 40[13], got 200/)
    assert.match(output, /^matrix: \d+ cells, [1-9]\d* disagreements$/m)
    assert.strictEqual(code, 1)
  })
})

describe("trial:fuzz turns red", () => {
  it("on a server that acknowledges a write it does not store", async () => {
    const { code, output } = await run("fuzz", "forgetful", "--requests", "800", "--seed", "1")
    assert.match(output, /RED in memory, .*: acknowledged, but not stored: dashboard/)
    assert.match(output, /RED in SQLite, .*: acknowledged, but not stored: dashboard/)
    assert.strictEqual(code, 1)
  })
})

describe("trial:browser turns red", () => {
  it("on a page that follows redirects, cannot abort, asks a stranger and shows a secret", async () => {
    const { code, output } = await execute(file("./broken/gullible.ts"))
    assert.include(output, "RED gullible: the browser asked another origin: http://127.0.0.1:1")
    assert.match(output, /RED a redirect was followed to another origin: GET \/v1\/organizations\//)
    assert.include(output, "RED gullible: 0 requests were aborted on the wire, not 1")
    assert.match(output, /RED gullible, key: expected "gullible, <redacted>, opens pipe \w+", the page shows "/)
    assert.strictEqual(code, 1)
  })

  it("on a server that takes a wrong secret", async () => {
    const { code, output } = await run("browser", "unlocked")
    for (const page of ["adapter", "client"]) {
      assert.include(output, `RED ${page}, wrongKey: expected "Unauthorized 401", the page shows "failed: `)
    }
    assert.strictEqual(code, 1)
  })

  it("on a bundle that wants a module of Node", async () => {
    const { faults } = await bundlePage(file("./broken/nodePage.ts"))
    assert.include(faults, "imports node:path")
  })
})

describe.skipIf(postgresBinaries() === undefined)("trial:guide turns red", () => {
  it("on a server that prints what the guide does not show", async () => {
    const { code, output } = await run("guide", "leaky")
    assert.match(output, /RED docs\/operators-guide\.md:\d+: "GET \/readyz undefined" is not in the guide/)
    assert.match(output, /^guide: .* [1-9]\d* faults$/m)
    assert.strictEqual(code, 1)
  }, 600_000)
})
