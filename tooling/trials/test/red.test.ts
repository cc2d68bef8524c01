// A trial that cannot fail proves nothing: each runs against a server with a fault, and must fail.
import { spawnSync } from "node:child_process"
import { assert, describe, it } from "vitest"
import { postgresBinaries } from "../../../packages/sql-adapter/test/support/postgresBinaries.ts"
import { bundlePage } from "../src/browser/bundlePage.ts"
import { sizeFaults } from "../src/browser/sizeFaults.ts"
import { execute, file, run } from "./support/run.ts"

describe("trial:durability turns red", () => {
  it("on a server that acknowledges a write it does not store", async () => {
    const { code, output } = await run("durability", "losesDashboards", "--only", "^kill$")
    assert.match(output, /RED lost, through server 1 after kill \d: dashboard/)
    assert.match(output, /RED lost, export after kill: dashboard/)
    assert.strictEqual(code, 1)
  })

  it("on a server that carries a repeated creation out again", async () => {
    const { code, output } = await run("durability", "ignoresIdempotencyKeys", "--only", "^kill$")
    assert.match(output, /RED created twice under one Idempotency-Key, through server 1 after kill \d: /)
    assert.strictEqual(code, 1)
  })

  it("on a server that acknowledges a deletion before it happens", async () => {
    const { code, output } = await run("durability", "acknowledgesDeletionEarly", "--only", "^kill$")
    assert.match(output, /RED lost, through server 1 after kill \d+: deletion/)
    assert.strictEqual(code, 1)
  })
})

describe.skipIf(postgresBinaries() === undefined)("trial:durability turns red", () => {
  it("on servers that cache authentication", async () => {
    const { code, output } = await run("durability", "cachesAuthentication", "--only", "one of two")
    for (const who of ["a disabled key", "a deleted key", "a revoked token"]) {
      assert.include(output, `RED ${who}: server 1 answered 200 instead of 401`)
      assert.include(output, `RED ${who}: server 2 answered 200 instead of 401`)
    }
    assert.strictEqual(code, 1)
  })

  it("on a server that exits at the first signal", async () => {
    const { code, output } = await run("durability", "exitsAtFirstSignal", "--only", "restart")
    assert.match(output, /RED not answered in restart \d: /)
    assert.match(output, /RED requests that the balancer got no answer to: /)
    assert.strictEqual(code, 1)
  })
})

describe("trial:matrix turns red", () => {
  it("on a server that caches authentication, whatever the address", async () => {
    const { code, output } = await run("matrix", "cachesAuthentication", "--seed", "1")
    assert.match(output, /RED answers that were not as expected: .*expected 40[13], got 200/)
    assert.match(output, /^matrix: \d+ cells, [1-9]\d* disagreements$/m)
    assert.strictEqual(code, 1)
  })
})

describe("trial:fuzz turns red", () => {
  it("on a server that acknowledges a write it does not store", async () => {
    const { code, output } = await run("fuzz", "losesDashboards", "--seed", "3")
    assert.match(output, /RED in memory, .*: acknowledged, but not stored: dashboard/)
    assert.match(output, /RED in SQLite, .*: acknowledged, but not stored: dashboard/)
    assert.strictEqual(code, 1)
  })
})

describe("trial:secrets turns red", () => {
  it("on a server that logs the Authorization header", async () => {
    const { code, output } = await run("secrets", "logsAuthorization", "--only", "requests over HTTP")
    assert.match(output, /RED secrets where they must not be: .*guess at \w+\.\w+ .*stderr of the server/)
    assert.strictEqual(code, 1)
  }, 600_000)

  it("on a server that stores and answers unknown fields of a source in clear", async () => {
    const { code, output } = await run("secrets", "keepsUnknownFields", "--only", "unknown fields")
    assert.match(output, /RED secrets where they must not be: .*unknown field/i)
    assert.strictEqual(code, 1)
  }, 600_000)
})

describe("trial:secrets turns red", () => {
  it("on a command line that leaks to the process list, a file, a request and its output, and that shows its files to others", async () => {
    const { code, output } = await execute([file("../src/secrets.ts"), "--only", "operator"], {
      TRIAL_CLI: file("./broken/leakyCommandLine.mjs")
    })
    assert.match(output, /RED secrets where they must not be: /)
    for (const where of [
      "headgate apply [^;]*, process list",
      "after apply and export, file work/cache.json",
      "request GET /v1/organizations\\?debug=",
      "headgate key rotate developer --yes --dry-run --verbose, stderr"
    ]) {
      assert.match(output, new RegExp(`secret of the admin key \\(beginning\\) in ${where}`))
    }
    assert.include(output, "after key rotate: work/new.env has secrets and mode 644")
    assert.strictEqual(code, 1)
  }, 600_000)
})

describe("trial:abuse turns red", () => {
  it("on a server that accepts few connections", async () => {
    const { code, output } = await run("abuse", "acceptsFewConnections", "--only", "idle")
    assert.match(output, /RED 10,000 idle connections: the control client was not answered: /)
    assert.strictEqual(code, 1)
  }, 900_000)

  it("on a server that keeps memory for each reader, and works long on a large body", async () => {
    const only = "3,000 connections|slow readers|tiles that are empty|largest legal bodies"
    const { code, output } = await run("abuse", "wastesMemory", "--only", only)
    for (const readers of ["3,000 connections that never read /docs", "300 slow readers of a list of 20 MiB"]) {
      assert.match(output, new RegExp(`RED ${readers}: the server took \\d+ MiB`))
    }
    assert.match(output, /RED bodies of 1 MiB, tiles that are empty: expected 400 .*, got 200 in 1\d{5}$/m)
    for (const bodies of ["15 bodies of 1 MiB, tiles that are empty", "15 of the largest legal bodies"]) {
      assert.match(output, new RegExp(`RED ${bodies}: the event loop was blocked for \\d+ ms`))
    }
    assert.match(output, /^abuse: 0 of 4 attacks endured, /m)
    assert.strictEqual(code, 1)
  }, 900_000)
})

describe("trial:browser turns red", () => {
  it("on a page that follows redirects, aborts nothing, shows a secret and sends a request to another origin", async () => {
    const { code, output } = await execute([file("./broken/followsRedirects.ts")])
    assert.include(output, "RED faulty: the browser sent requests to another origin: http://127.0.0.1:1")
    assert.match(output, /RED a redirect was followed to another origin: GET \/v1\/organizations\//)
    assert.include(output, "RED faulty: 0 requests were aborted on the wire, not 1")
    assert.match(output, /RED faulty, key: expected "faulty, <redacted>, opens pipe \w+", the page shows "/)
    assert.strictEqual(code, 1)
  })

  it("on a server that accepts a wrong secret", async () => {
    const { code, output } = await run("browser", "acceptsWrongSecret", "--only", "bundled")
    for (const page of ["adapter", "client", "entries"]) {
      assert.include(output, `RED ${page}, wrongKey: expected "Unauthorized 401", the page shows "failed: `)
    }
    assert.strictEqual(code, 1)
  })

  it("on a page that is larger than it may be", async () => {
    const whole = new URL("../src/browser/size/wholeClient.ts", import.meta.url)
    const said: Array<string> = []
    const faults = await sizeFaults([{ name: "a page", script: whole, limit: 64_000 }], (text) => said.push(text))
    assert.match(faults.join(), /^a page has \d+ bytes, more than 64000$/)
    assert.lengthOf(said, 1)
  })

  it("on a bundle that imports a module of Node", async () => {
    const { faults } = await bundlePage(file("./broken/nodePage.ts"))
    assert.include(faults, "imports node:path")
  })

  it("on a console that takes texts for HTML", async () => {
    const { code, output } = await run("browser", "writesHtml", "--only", "hostileTexts")
    assert.match(output, /RED with hostile texts: .*elsewhere: https:/)
    assert.strictEqual(code, 1)
  }, 600_000)

  it("on a console that keeps what is typed", async () => {
    const { code, output } = await run("browser", "keepsTypedSecrets", "--only", "secrets")
    assert.include(output, "RED a wrong secret stays in the page after it was refused")
    assert.match(output, /RED still in the page: hgs_/)
    assert.strictEqual(code, 1)
  }, 600_000)

  it("on a console that draws what is out of view", async () => {
    const { code, output } = await run("browser", "drawsEverything", "--only", "muchContent")
    assert.match(output, /RED a filter of pipes: [\d.]+ ms of CPU over much, [\d.]+ over little/)
    assert.match(output, /RED a filter of tiles: [\d.]+ ms of CPU over much, [\d.]+ over little/)
    assert.strictEqual(code, 1)
  }, 600_000)
})

const officialTool = process.env["HEADGATE_CLICKHOUSECTL"] ?? "clickhousectl"

describe.skipIf(spawnSync(officialTool, ["--version"]).status !== 0)("trial:clients turns red", () => {
  it("on a server that quotes credentials in an error, and keeps a key that it says it deleted", async () => {
    const { code, output } = await run("clients", "quotesCredentials")
    assert.match(output, /RED key get \{key\}: exit 0: /)
    assert.match(output, /RED clickpipe schema-discover kafka .*: exit 1: /)
    assert.match(output, /RED clickpipe schema-discover kafka .*: shows a credential/)
    assert.match(output, /RED commands of the tool's help that did not exit 0: clickpipe schema-discover kafka; /)
    assert.match(output, /^clients: \d+ runs of clickhousectl 0\.5\.0, .* [1-9]\d* faults$/m)
    assert.strictEqual(code, 1)
  })
})

describe.skipIf(process.env["HEADGATE_GENERATORS"] === undefined)("trial:generators turns red", () => {
  it("on a document with descriptions in an allOf, and with a wrong type", async () => {
    const { code, output } = await run("generators", "changesOpenApi", "--only", "openapi-(typescript|python-client)")
    assert.match(output, /RED openapi-typescript, clickhouse: the calls printed .*Type 'number' is not assignable to/)
    assert.match(output, /RED openapi-python-client, clickhouse: the generator: exit 1: [\s\S]*allOf/)
    assert.match(output, /^generators: 2 generators, [1-9]\d* faults$/m)
    assert.strictEqual(code, 1)
  }, 600_000)
})

describe.skipIf(postgresBinaries() === undefined)("trial:guide turns red", () => {
  it("on a server that prints more than the guide shows", async () => {
    const { code, output } = await run("guide", "logsAuthorization", "--only", "guide")
    assert.match(output, /RED docs\/operators-guide\.md:\d+: "GET \/readyz undefined" is not in the guide/)
    assert.match(output, /^guide: .* [1-9]\d* faults$/m)
    assert.strictEqual(code, 1)
  }, 600_000)
})
