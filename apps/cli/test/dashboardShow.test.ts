import { assert, describe, it } from "vitest"
import { enveloped, type ReceivedRequest, type Reply, service } from "./Service.ts"
import { everything, headgate, headgateProcess, secrets } from "./headgate.ts"

const api = service()
const id = "65f5e4a3b9e77c001a567896"
const minute = 60_000

const place = (y: number, x = 0) => ({ x, y, w: 6, h: 4 })
const config = { displayType: "line", sourceId: "65f5e4a3b9e77c001a567891", select: [{ aggFn: "count" }] }
const dashboard = {
  id,
  name: "Clicks",
  tags: [],
  filters: [
    { id: "f1", type: "QUERY_EXPRESSION", name: "Service", expression: "service", sourceId: config.sourceId },
    { id: "f2", type: "STATIC_LIST", name: "Service=x", options: ["1"] }
  ],
  tiles: [
    { id: "t4", name: "Patterns", ...place(9), config: { ...config, displayType: "event_patterns", select: "" } },
    { id: "t3", name: "Notes", ...place(4), config: { displayType: "markdown", markdown: "Ask **us**\u001b[2J" } },
    { id: "t2", name: "Errors", ...place(0, 6), config: { ...config, displayType: "number" } },
    { id: "t1", name: "Requests by service", ...place(0), config }
  ]
}

const data = (given: object) => ({
  displayType: "line",
  from: 0,
  to: 0,
  columns: [],
  rows: [],
  hiddenSeries: 0,
  truncated: false,
  rowsRead: 9,
  elapsedMs: 1,
  warnings: [],
  ...given
})
const count = { name: "count", type: "UInt64", role: "value" }

const answers: Readonly<Record<string, (query: { readonly from: number; readonly to: number }) => Reply>> = {
  t1: ({ from, to }) => ({
    status: 200,
    body: {
      data: data({
        from,
        to,
        granularitySeconds: 60,
        columns: [
          { name: "time", type: "DateTime", role: "time" },
          { name: "service", type: "String", role: "group" },
          count
        ],
        rows: [
          [from, "api", 7],
          [from + 2 * minute, "api", "9007199254740993"],
          [from, "web", 0]
        ]
      })
    }
  }),
  t2: () => ({ status: 200, body: { data: data({ displayType: "number", columns: [count], rows: [[12]] }) } }),
  t4: () => ({
    status: 400,
    body: { message: "Body validation failed: tile.config: event_patterns tiles are not queried" }
  })
}

interface Query {
  readonly tile: { readonly dashboardId: string; readonly tileId: string }
  readonly from: number
  readonly to: number
  readonly [name: string]: unknown
}

const respond = (change: Partial<typeof answers> = {}) =>
  api.respondWith(({ body, path }: ReceivedRequest): Reply => {
    if (path.endsWith("/dashboards")) return { status: 200, body: { data: [dashboard] } }
    if (!path.endsWith("/charts/query")) return { status: 200, body: { data: dashboard } }
    const query: Query = JSON.parse(body)
    return { ...answers, ...change }[query.tile.tileId]?.(query)
  })

const queries = (): ReadonlyArray<Query> =>
  api.received.filter(({ path }) => path.endsWith("/charts/query")).map(({ body }) => JSON.parse(body))

const env = () => ({ HEADGATE_OBSERVABILITY_URL: api.url, HEADGATE_TOKEN: secrets.token, COLUMNS: "60" })
const show = (...args: ReadonlyArray<string>) => headgate(["dashboard", "show", id, ...args], { env: env() })
const range = ["--from", "2026-11-23T18:00:00Z", "--to", "2026-11-23T18:03:00Z"]

describe("headgate dashboard show", () => {
  it("draws the tiles in the order of the grid, and ends with 1 for one that failed, whose reason is on stderr", async () => {
    respond()
    const run = await show(...range)
    assert.strictEqual(run.exitCode, 1)
    assert.deepStrictEqual(run.stdout.split("\n"), [
      "Clicks  2026-11-23 18:00:00 - 18:03:00 UTC, 1 minute",
      "",
      "Requests by service                    last              max",
      ...run.stdout.split("\n").slice(3, 5),
      "",
      "Errors          12",
      "",
      "Notes",
      "  Ask **us**\\x1b[2J",
      "",
      "Patterns        not shown: tile.config: event_patterns tiles",
      "                are not queried",
      ""
    ])
    assert.match(run.stdout, /^ {2}api +▂ █ +9,007,199,254,7… 9,007,199,254,7…$/m)
    assert.match(run.stdout, /^ {2}web +▁ +0 +0$/m)
    assert.strictEqual(run.stderr, 'error: Tile "Patterns": tile.config: event_patterns tiles\nare not queried\n')
  })

  it("asks for the tiles that are queried, with the range, the zone and the chosen filters", async () => {
    respond()
    const chosen = ["--filter", "Service=api", "--filter", "Service=web", "--filter", "Service=x=1"]
    const run = await show(
      ...range,
      ...chosen,
      "--timezone",
      "Europe/Berlin",
      "--granularity",
      "1m",
      "--tile",
      "Errors"
    )
    assert.deepStrictEqual([run.exitCode, run.stderr], [0, ""])
    assert.strictEqual(run.stdout, "Clicks  2026-11-23 19:00:00 - 19:03:00 Europe/Berlin\n\nErrors          12\n")
    assert.deepStrictEqual(queries(), [
      {
        tile: { dashboardId: id, tileId: "t2" },
        from: Date.UTC(2026, 10, 23, 18),
        to: Date.UTC(2026, 10, 23, 18, 3),
        granularity: "1m",
        timezone: "Europe/Berlin",
        filters: [
          { filterId: "f1", in: ["api", "web"] },
          { filterId: "f2", in: ["1"] }
        ]
      }
    ])
    assert.strictEqual(api.received.at(-1)?.headers.authorization, `Bearer ${secrets.token}`)
  })

  it("names the zone as it was given", async () => {
    respond()
    const run = await show(...range, "--timezone", "Asia/Kolkata", "--tile", "t2")
    assert.match(run.stdout, /^Clicks {2}2026-11-23 23:30:00 - 23:33:00 Asia\/Kolkata$/m)
    assert.strictEqual(queries()[0]?.["timezone"], "Asia/Kolkata")
  })

  it("begins an hour ago, or a time ago with a minus", async () => {
    respond()
    const begin = Date.now()
    await show("--tile", "t2")
    await show("--tile", "t2", "--from", "-7d", "--to", "-15m")
    const [hour, week] = queries()
    assert.strictEqual((hour?.to ?? 0) - (hour?.from ?? 0), 60 * minute)
    assert.isAtLeast(hour?.to ?? 0, begin)
    assert.strictEqual((week?.to ?? 0) - (week?.from ?? 0), (7 * 24 * 60 - 15) * minute)
  })

  it("reaches the dashboard through the service with a key alone", async () => {
    api.respondWith(({ path }) =>
      enveloped(path.endsWith("/query") ? data({ displayType: "number", columns: [count], rows: [[1]] }) : dashboard)
    )
    const { HEADGATE_TOKEN: _, ...key } = everything(api.url)
    const run = await headgate(["dashboard", "show", id, "--tile", "Errors"], { env: { ...key, COLUMNS: "60" } })
    assert.strictEqual(run.exitCode, 0, run.stderr)
    assert.match(api.received.at(-1)?.path ?? "", /^\/v1\/organizations\/.*\/charts\/query$/)
  })

  it("prints the answers of all tiles as JSON, also without a terminal", async () => {
    respond()
    const json = await show(...range, "--json")
    const { COLUMNS: _, ...noTerminal } = env()
    const piped = await headgate(["dashboard", "show", id, ...range], { env: noTerminal })
    assert.deepStrictEqual([json.exitCode, piped.exitCode], [1, 1])
    assert.strictEqual(piped.stdout, json.stdout)
    const { tiles, ...shown } = JSON.parse(json.stdout)
    assert.deepStrictEqual(shown, {
      dashboardId: id,
      name: "Clicks",
      from: Date.UTC(2026, 10, 23, 18),
      to: Date.UTC(2026, 10, 23, 18, 3),
      timezone: "UTC"
    })
    assert.deepStrictEqual(
      tiles.map((tile: object) => Object.keys(tile).join(" ")),
      ["tileId name data", "tileId name data", "tileId name text", "tileId name error"]
    )
    assert.deepStrictEqual(tiles[0].data.rows[1][2], "9007199254740993")
    assert.deepStrictEqual(tiles[3].error, {
      tag: "InvalidRequest",
      message: "tile.config: event_patterns tiles are not queried"
    })
    assert.strictEqual(JSON.parse(json.stderr).error.tag, "TilesFailed")
  })

  it("prints a line for each value with --plain", async () => {
    respond()
    const { stdout } = await show(...range, "--plain")
    assert.include(stdout, "tile: Errors\ncount: 12\n")
    assert.include(stdout, "tile: Patterns\nnot shown: tile.config: event_patterns tiles are not queried\n")
    assert.include(stdout, "time: 2026-11-23 18:00:00\nservice: web\ncount: 0\n")
    assert.notMatch(stdout, /[▁-█]/)
  })

  it.each<[string, ReadonlyArray<string>, number, string]>([
    [
      "a tile",
      ["--tile", "Eror"],
      5,
      'has no tile "Eror". It has "Requests by service", "Errors", "Notes", "Patterns".'
    ],
    ["a filter", ["--filter", "Region=eu"], 5, 'has no filter "Region". It has "Service", "Service=x".'],
    ["a filter without a value", ["--filter", "Service"], 2, "expected name=value"],
    ["a time", ["--from", "yesterday"], 2, "Expected now, a time ago"],
    ["a range that ends before it begins", ["--from", "-1h", "--to", "-2h"], 2, "it must be before --to"],
    ["a zone", ["--timezone", "Berlin"], 2, "Expected a time zone such as UTC or Europe/Berlin"],
    ["an interval", ["--watch", "10ms"], 2, "Expected at least 1s"]
  ])("refuses %s that is none", async (_, args, exitCode, message) => {
    respond()
    const run = await show(...args)
    assert.strictEqual(run.exitCode, exitCode)
    assert.include(run.stderr.replaceAll("\n", " "), message)
    assert.lengthOf(queries(), 0)
  })
})

describe("headgate dashboard show --watch", () => {
  /** Runs it until the service has been asked `times` times for the tile; then the dashboard may be read no more. */
  const watch = async (replies: ReadonlyArray<Reply>, ...args: ReadonlyArray<string>) => {
    let asked = 0
    let atWork = 0
    let most = 0
    const times: Array<number> = []
    respond({
      t2: () => {
        most = Math.max(most, ++atWork)
        atWork -= 1
        times.push(Date.now())
        return replies[asked++] ?? { status: 401, body: { message: "no more" } }
      }
    })
    const begin = ["dashboard", "show", id, "--tile", "Errors", "--watch", "1s", "--max-retries", "0"]
    const run = await headgate([...begin, ...args], { env: env(), speed: 50 })
    const pauses = times.slice(1).map((time, index) => (time - (times[index] ?? 0)) * 50)
    return { ...run, pauses, most }
  }
  const value = (number: number): Reply => ({
    status: 200,
    body: { data: data({ displayType: "number", columns: [count], rows: [[number]] }) }
  })
  const away: Reply = { status: 503, body: { message: "away" } }

  it("shows it again, keeps a picture that cannot be renewed with its age, and asks less often then", async () => {
    const { exitCode, most, pauses, stderr, stdout } = await watch([value(1), away, away, value(2)])
    assert.strictEqual(exitCode, 4)
    assert.include(stderr, "no more")
    const lines = stdout.split("\n").filter((line) => line !== "" && !line.startsWith("Clicks"))
    assert.deepStrictEqual(
      lines.map((line) => line.replace(/of \S+ ago/, "of _ ago")),
      [
        "Errors          1",
        "Errors          1",
        "  of _ ago: the service failed (HTTP 503): away",
        "Errors          1",
        "  of _ ago: the service failed (HTTP 503): away",
        "Errors          2"
      ]
    )
    assert.strictEqual(most, 1)
    // 1 s, then 5 and 10 s after failures, then 1 s again.
    assert.isAtLeast(pauses[1] ?? 0, 4500)
    assert.isAtLeast(pauses[2] ?? 0, 9000)
  })

  it("prints a document a line with --json", async () => {
    const { stdout } = await watch([value(1), away], "--json")
    const documents = stdout.trim().split("\n")
    assert.deepStrictEqual(
      documents.map((line) => JSON.parse(line).tiles[0]).map(({ data, error }) => [data.rows, error?.message]),
      [
        [[[1]], undefined],
        [[[1]], "the service failed (HTTP 503): away"]
      ]
    )
  })

  it("ends at Ctrl-C", async () => {
    respond()
    const { exitCode } = await headgateProcess(["dashboard", "show", id, "--tile", "Errors", "--watch", "30s"], {
      env: env(),
      onStart: (kill) => {
        const timer = setInterval(() => {
          if (queries().length === 0) return
          clearInterval(timer)
          setTimeout(() => kill("SIGINT"), 200)
        }, 20)
      }
    })
    assert.strictEqual(exitCode, 130)
  })
})

// Last: requests of the other tiles may still come after it has ended.
describe("headgate dashboard show, without the permission", () => {
  it("says once why no tile may be queried", async () => {
    const refused = () => ({ status: 403, body: { message: "the token may not query charts" } })
    respond({ t1: refused, t2: refused, t4: refused })
    const run = await show(...range)
    assert.deepStrictEqual([run.exitCode, run.stdout], [4, ""])
    assert.include(run.stderr, "The credentials do not allow this")
  })
})
