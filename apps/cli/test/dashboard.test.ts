import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { type ReceivedRequest, service } from "./Service.ts"
import { everything, headgate } from "./headgate.ts"

const api = service()
const directory = mkdtempSync(join(tmpdir(), "headgate-"))
afterAll(() => rmSync(directory, { recursive: true }))

const tile = {
  id: "t1",
  name: "Errors",
  x: 0,
  y: 0,
  w: 12,
  h: 4,
  series: [{ type: "time", aggFn: "count", where: "level:error" }]
}
const document = { name: "Errors", tiles: [tile], tags: ["ops"], note: "kept" }

const respondLikeTheService = () =>
  api.respondWith((received: ReceivedRequest) => ({
    status: 200,
    body: { data: { tiles: [], tags: [], ...JSON.parse(received.body), id: "d1" } }
  }))

const fileWith = (text: string): string => {
  const file = join(directory, "dashboard.json")
  writeFileSync(file, text)
  return file
}

const create = (args: ReadonlyArray<string>, stdin?: string) =>
  headgate(["dashboard", "create", ...args], { env: everything(api.url), ...(stdin === undefined ? {} : { stdin }) })

describe("headgate dashboard create", () => {
  it("sends the content of a file unchanged", async () => {
    respondLikeTheService()
    const run = await create(["--file", fileWith(JSON.stringify(document)), "--json"])
    assert.deepStrictEqual([run.exitCode, run.stderr], [0, ""])
    assert.deepStrictEqual(JSON.parse(api.received[0]?.body ?? ""), document)
    assert.deepStrictEqual(JSON.parse(run.stdout), { ...document, id: "d1" })
  })

  it("reads stdin for -", async () => {
    respondLikeTheService()
    const run = await create(["-f", "-"], JSON.stringify(document))
    assert.strictEqual(run.exitCode, 0)
    assert.deepStrictEqual(JSON.parse(api.received[0]?.body ?? ""), document)
    assert.match(run.stdout, /^id +d1$/m)
  })

  it("warns of a misspelt field of a chart, a filter and a container, and sends it", async () => {
    respondLikeTheService()
    const config = {
      displayType: "line",
      select: [{ aggFn: "count", whereLangage: "sql" }],
      asRato: true,
      groupBy: "a"
    }
    const misspelt = {
      name: "x",
      tiles: [{ ...tile, config }],
      filters: [{ name: "Host", isVariableEnable: true }],
      containers: [{ id: "k", title: "K", colapsed: true, tabs: [{ id: "t", titl: "T" }] }]
    }
    const run = await create(["--file", "-"], JSON.stringify(misspelt))
    assert.strictEqual(run.exitCode, 0)
    assert.strictEqual(
      run.stderr,
      [
        "unknown field tiles[0].config.select[0].whereLangage: did you mean whereLanguage?",
        "unknown field tiles[0].config.asRato: did you mean asRatio?",
        "unknown field filters[0].isVariableEnable: did you mean isVariableEnabled?",
        "unknown field containers[0].colapsed: did you mean collapsed?",
        "unknown field containers[0].tabs[0].titl: did you mean title?"
      ]
        .map((line) => `warning: --file -: ${line} It is kept as it is.\n`)
        .join("")
    )
    assert.deepInclude(JSON.parse(api.received[0]?.body ?? ""), { filters: misspelt.filters })
  })

  it("warns of a field that is near to a known one, and sends it", async () => {
    respondLikeTheService()
    const misspelt = {
      name: "x",
      tag: ["a"],
      owner: "me",
      tiles: [{ ...tile, asratio: true, config: {}, series: [{ type: "search", fields: ["a"], wher: "b" }] }]
    }
    const run = await create(["--file", "-"], JSON.stringify(misspelt))
    assert.strictEqual(run.exitCode, 0)
    assert.strictEqual(
      run.stderr,
      [
        "unknown field tag: did you mean tags?",
        "unknown field tiles[0].series[0].wher: did you mean where?",
        "unknown field tiles[0].asratio: did you mean asRatio?"
      ]
        .map((line) => `warning: --file -: ${line} It is kept as it is.\n`)
        .join("")
    )
    assert.deepInclude(JSON.parse(api.received[0]?.body ?? ""), { tag: ["a"], owner: "me" })
  })

  it("shows the display type of a tile with a config, not all of it", async () => {
    respondLikeTheService()
    const config = { displayType: "line", select: [{ aggFn: "count", where: "" }] }
    const run = await create(
      ["-f", "-"],
      JSON.stringify({ name: "x", tiles: [{ ...tile, series: undefined, config }] })
    )
    assert.match(run.stdout, /^ {2}name .* config$/m)
    assert.match(run.stdout, /^ {2}Errors .* line$/m)
  })

  it("creates an empty dashboard with --name", async () => {
    respondLikeTheService()
    const run = await create(["--name", "Latency"])
    assert.strictEqual(run.exitCode, 0)
    assert.deepStrictEqual(JSON.parse(api.received[0]?.body ?? ""), { name: "Latency", tiles: [], tags: [] })
  })

  it("reports every wrong field of a document by its path, and sends nothing", async () => {
    const bad = { name: 7, tiles: [{ ...tile, w: 0, series: [{ type: 7 }] }] }
    const run = await create(["--file", "-", "--json"], JSON.stringify(bad))
    assert.deepStrictEqual([run.exitCode, run.stdout, api.received.length], [2, "", 0])
    const { error } = JSON.parse(run.stderr)
    assert.strictEqual(error.tag, "DocumentError")
    assert.match(error.message, /^--file -: this is not a dashboard: name: /)
    assert.deepStrictEqual(
      error.issues.map(({ path }: { path: string }) => path),
      ["name", "tiles[0].w", "tiles[0].series[0].type"]
    )
  })

  it.each<[string, ReadonlyArray<string>, number, string]>([
    ["neither file nor name", [], 2, "Give one of --file <dashboard.json>, --name <name> and --from-pipe <pipe>."],
    ["both", ["--file", "x.json", "--name", "x"], 2, "Give one of --file <dashboard.json>, --name <name>"],
    ["a table without a pipe", ["--name", "x", "--table", "x"], 2, "--table needs --from-pipe"],
    ["a missing file", ["--file", "/no/such.json"], 2, "--file /no/such.json: there is no such file"],
    ["a file that is not JSON", ["--file", "-"], 2, "error: --file -: this is not JSON: "],
    ["a directory", ["--file", tmpdir()], 2, `--file ${tmpdir()}: it is a directory`],
    ["stdin for both --file and --token", ["--file", "-", "--token", "-"], 2, "both read stdin"]
  ])("rejects %s", async (_, args, exitCode, words) => {
    const run = await create(args, "{nonsense")
    assert.deepStrictEqual([run.exitCode, run.stdout, api.received.length], [exitCode, "", 0])
    assert.include(run.stderr, words)
  })
})

describe("headgate dashboard list", () => {
  const all = [
    { id: "d1", name: "Errors", tiles: [tile], tags: ["ops", "web"], extra: { kept: true } },
    { id: "d22", name: "Überblick 東京", tiles: null, tags: null }
  ]

  it("prints a table that is aligned with wide characters", async () => {
    api.respondWith({ status: 200, body: { data: all } })
    const run = await headgate(["dashboard", "list"], { env: everything(api.url) })
    assert.deepStrictEqual(run, {
      exitCode: 0,
      stdout: "ID   NAME            TILES  TAGS\nd1   Errors          1      ops, web\nd22  Überblick 東京  0\n",
      stderr: ""
    })
  })

  it.each([["--json"], ["--output", "json"], ["--output=json"], ["--output=table", "--json"]])(
    "prints all fields with %s %s",
    async (...args) => {
      api.respondWith({ status: 200, body: { data: all } })
      const run = await headgate(["dashboard", "list", ...args.filter(Boolean)], { env: everything(api.url) })
      assert.deepStrictEqual(JSON.parse(run.stdout), all)
    }
  )

  it("prints what cannot be read with --json, and a warning on stderr", async () => {
    const odd = [...all, { id: "d3", name: 7 }, null]
    api.respondWith({ status: 200, body: { data: odd } })
    const warning =
      "warning: GET /api/v2/dashboards: left out 2 of 4 elements, which cannot be read: data[2].name: Expected string\n"
    const asJson = await headgate(["dashboard", "list", "--json"], { env: everything(api.url) })
    assert.deepStrictEqual([asJson.exitCode, asJson.stderr, JSON.parse(asJson.stdout)], [0, warning, odd])
    const asTable = await headgate(["dashboard", "list"], { env: everything(api.url) })
    assert.deepStrictEqual([asTable.exitCode, asTable.stderr], [0, warning])
    assert.match(asTable.stdout, /^ID .*\nd1 .*\nd22 .*\n$/)
  })

  it("escapes what controls a terminal, in JSON too", async () => {
    const hostile = [{ id: "d1", name: "a\u009b31m\u202eb\u200f\u007f\u001b", tiles: [], tags: [] }]
    api.respondWith({ status: 200, body: { data: hostile } })
    const run = await headgate(["dashboard", "list", "--json"], { env: everything(api.url) })
    assert.deepStrictEqual(JSON.parse(run.stdout), hostile)
    assert.match(run.stdout, /^[\n\u0020-\u007e]+$/)
    const table = await headgate(["dashboard", "list"], { env: everything(api.url) })
    assert.match(table.stdout, /^[\n\u0020-\u007e]+$/)
  })

  it("prints a note to stderr if there are no dashboards", async () => {
    api.respondWith({ status: 200, body: { data: [] } })
    const run = await headgate(["dashboard", "list"], { env: everything(api.url) })
    assert.deepStrictEqual([run.exitCode, run.stdout], [0, ""])
    assert.include(run.stderr, "No dashboards yet")
    const asJson = await headgate(["dashboard", "list", "--json"], { env: everything(api.url) })
    assert.deepStrictEqual(JSON.parse(asJson.stdout), [])
  })
})
