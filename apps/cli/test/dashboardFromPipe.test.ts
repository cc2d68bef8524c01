import { dashboardRules } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { assert, describe, it } from "vitest"
import { dashboardOf, fewValues } from "../src/dashboard/pipeDashboard.ts"
import { enveloped, type ReceivedRequest, type Reply, service } from "./Service.ts"
import { everything, headgate, organization, pipeId, serviceId } from "./headgate.ts"

const api = service()
const dashboardId = "65f5e4a3b9e77c001a567896"
const sourceId = "65f5e4a3b9e77c001a567891"
// The first 24 hex digits of SHA-256 of "warehouse <id of the service>" and of "warehouse *".
const ofService = "aa3c7f3f7516f0ee70bd49b7"
const ofAll = "983574704215cacb0ffb8d1c"

const pipe = {
  id: pipeId,
  serviceId,
  name: "clicks",
  state: "Running",
  source: { kafka: {} },
  destination: { database: "default", table: "clicks" }
}
const column = (name: string, type: string, role = "value") => ({ name, type, role })
const columns = [
  column("page", "String"),
  column("user agent", "Nullable(String)"),
  column("at", "DateTime64(3)", "time"),
  column("ms", "UInt32"),
  column("isBot", "Bool"),
  column("id", "UUID")
]
const newest = Date.UTC(2026, 10, 23, 18)
const data = (given: object) => ({
  displayType: "search",
  from: 0,
  to: 0,
  columns,
  rows: [["/", "a", newest, 1, false, "x"]],
  hiddenSeries: 0,
  truncated: false,
  rowsRead: 1,
  elapsedMs: 1,
  warnings: [],
  ...given
})
/** How many values page, user agent, isBot and id have. */
const counts = (values: ReadonlyArray<number>) =>
  data({ displayType: "table", columns: values.map((_, index) => column(`v${index}`, "UInt64")), rows: [values] })

interface Stored {
  readonly pipe?: object
  readonly dashboards?: ReadonlyArray<object>
  readonly sources?: ReadonlyArray<object>
  readonly connections?: ReadonlyArray<object>
  readonly rows?: object
  /** The answer to the question of how many values the columns have. */
  readonly values?: (sent: number) => Reply | object
}

const respond = (stored: Stored = {}) => {
  let asked = 0
  api.respondWith(({ body, method, path }: ReceivedRequest): Reply => {
    const answered = (result: unknown): Reply =>
      path.startsWith("/v1") ? enveloped(result) : { status: 200, body: { data: result } }
    if (path.includes("/dbpipes/")) return answered({ ...pipe, ...stored.pipe })
    if (path.endsWith("/dbpipes")) return answered([{ ...pipe, ...stored.pipe }])
    if (path.endsWith("/charts/query")) {
      if ("pipeId" in JSON.parse(body).tile) return answered(stored.rows ?? data({}))
      const answer = stored.values?.(asked++) ?? counts([40, 5, 2, 90])
      return "status" in answer ? (answer as Reply) : answered(answer)
    }
    if (path.endsWith("/connections"))
      return answered(stored.connections ?? [{ id: "65f5e4a3b9e77c001a567890", name: "warehouse" }])
    if (path.endsWith("/sources"))
      return answered(method === "GET" ? (stored.sources ?? []) : { ...JSON.parse(body), id: sourceId })
    if (path.includes("/sources/")) return answered(method === "DELETE" ? {} : { ...JSON.parse(body), id: sourceId })
    if (method === "GET") return answered(stored.dashboards ?? [])
    const { tiles, ...dashboard } = JSON.parse(body)
    return answered({
      ...dashboard,
      id: dashboardId,
      tiles: tiles.map((tile: object, index: number) => ({ ...tile, id: `t${index}` }))
    })
  })
}

const create = (...args: ReadonlyArray<string>) =>
  headgate(["dashboard", "create", "--from-pipe", "clicks", ...args], { env: everything(api.url) })
const changes = () =>
  api.received
    .filter(({ method, path }) => method !== "GET" && !path.endsWith("/charts/query"))
    .map(({ body, method, path }) => [`${method} ${path}`, body === "" ? undefined : JSON.parse(body)] as const)

const source = {
  name: "clicks",
  kind: "log",
  connection: "65f5e4a3b9e77c001a567890",
  from: { databaseName: "default", tableName: "clicks" },
  timestampValueExpression: "at",
  defaultTableSelectExpression: "at, page, `user agent`, ms, isBot, id"
}

describe("headgate dashboard create --from-pipe", () => {
  it("creates a source of the table, and a dashboard of four tiles", async () => {
    respond()
    const run = await create()
    assert.strictEqual(run.exitCode, 0, run.stderr)
    const count = { sourceId, aggFn: "count", where: "", whereLanguage: "sql" }
    assert.deepStrictEqual<unknown>(changes(), [
      ["POST /api/v2/sources", source],
      [
        "POST /api/v2/dashboards",
        {
          name: "clicks",
          tags: [],
          tiles: [
            {
              name: "Rows over time",
              x: 0,
              y: 0,
              w: 18,
              h: 4,
              series: [{ ...count, type: "time", displayType: "stacked_bar", groupBy: [] }]
            },
            { name: "Rows", x: 18, y: 0, w: 6, h: 4, series: [{ ...count, type: "number" }] },
            {
              name: "Rows by user agent",
              x: 0,
              y: 4,
              w: 24,
              h: 4,
              series: [{ ...count, type: "time", displayType: "stacked_bar", groupBy: ["`user agent`"] }]
            },
            {
              name: "Latest rows",
              x: 0,
              y: 8,
              w: 24,
              h: 6,
              series: [
                {
                  type: "search",
                  sourceId,
                  fields: ["at", "page", "`user agent`", "ms", "isBot", "id"],
                  where: "",
                  whereLanguage: "sql"
                }
              ]
            }
          ]
        }
      ]
    ])
    assert.match(run.stdout, /^name +clicks$/m)
    assert.include(run.stderr, `'headgate dashboard show ${dashboardId}' draws it.`)
  })

  it("asks how many values the columns of texts and truth values have, in the day before the newest row", async () => {
    respond()
    await create()
    const [rows, values] = api.received
      .filter(({ path }) => path.endsWith("/charts/query"))
      .map(({ body }) => JSON.parse(body))
    assert.deepStrictEqual(rows.tile, { pipeId, table: "clicks" })
    assert.deepStrictEqual([values.from, values.to], [newest - 86_400_000, newest + 1000])
    assert.deepStrictEqual(
      values.tile.config.select.map((item: { readonly valueExpression: string }) => item.valueExpression),
      ["page", "`user agent`", "isBot", "id"]
    )
    assert.deepStrictEqual([values.tile.config.displayType, values.tile.config.sourceId], ["table", sourceId])
  })

  it("takes the names of the service for what is there: a second run creates nothing", async () => {
    respond({ dashboards: [{ id: dashboardId, name: "clicks", tiles: [], tags: [] }] })
    const run = await create()
    assert.strictEqual(run.exitCode, 0)
    assert.include(run.stderr, 'A dashboard "clicks" is there already: nothing was created.')
    assert.include(run.stdout, dashboardId)
    assert.deepStrictEqual(changes(), [])
  })

  it("uses the source that an interrupted run has left", async () => {
    respond({ sources: [{ ...source, id: sourceId }] })
    const run = await create()
    assert.strictEqual(run.exitCode, 0)
    assert.deepStrictEqual(
      changes().map(([request]) => request),
      ["POST /api/v2/dashboards"]
    )
  })

  it("has no tile by a column where none has few values, and says so", async () => {
    respond({ values: () => counts([0, 1, 101, 5000]) })
    const run = await create("--name", "Other")
    assert.strictEqual(run.exitCode, 0)
    const [, dashboard] = changes().at(-1) ?? []
    assert.strictEqual(dashboard.name, "Other")
    assert.deepStrictEqual(
      dashboard.tiles.map(({ name }: { readonly name: string }) => name),
      ["Rows over time", "Rows", "Latest rows"]
    )
    assert.include(run.stderr.replaceAll("\n", " "), "the dashboard has no tile by a column")
  })

  it("looks at the newest rows where there are too many to be counted", async () => {
    const rows = ["a", "b", "b"].map((agent, index) => [`/${index}`, agent, newest, 1, false, "x"])
    respond({ rows: data({ rows }), values: () => ({ status: 400, body: { message: "too many rows" } }) })
    await create()
    assert.strictEqual(changes().at(-1)?.[1].tiles[2].name, "Rows by page")
  })

  it("prints the requests with --dry-run, and sends none that changes something", async () => {
    respond()
    const run = await create("--dry-run")
    assert.strictEqual(run.exitCode, 0, run.stderr)
    assert.deepStrictEqual(changes(), [])
    assert.match(run.stdout, /^curl -X POST '.*\/api\/v2\/sources' [^]*\n\ncurl -X POST '.*\/api\/v2\/dashboards' /)
    assert.include(run.stdout, '"sourceId":"<id of that source>"')
  })

  it("reaches all through the service with a key alone, and tries the warehouse of the service and that of all", async () => {
    const missing = { status: 404, body: { status: 404, error: "NOT_FOUND: there is no connection of the source" } }
    const { HEADGATE_TOKEN: _, ...key } = everything(api.url)
    respond({ values: (asked) => (asked === 0 ? missing : counts([40, 5, 2, 90])) })
    const run = await headgate(["dashboard", "create", "--from-pipe", pipeId], { env: key })
    assert.strictEqual(run.exitCode, 0, run.stderr)
    const stack = `/v1/organizations/${organization}/services/${serviceId}/dbstack`
    assert.deepStrictEqual(
      changes().map(([request, body]) => [request, body.connection]),
      [
        [`POST ${stack}/sources`, ofService],
        [`PUT ${stack}/sources/${sourceId}`, ofAll],
        [`POST ${stack}/dashboards`, undefined]
      ]
    )
  })

  it("leaves no source where no connection has the table", async () => {
    respond({ values: () => ({ status: 404, body: { message: "there is no table default.clicks" } }) })
    const run = await create()
    assert.strictEqual(run.exitCode, 5)
    assert.include(run.stderr, "there is no table default.clicks")
    assert.deepStrictEqual(
      changes().map(([request]) => request),
      ["POST /api/v2/sources", `DELETE /api/v2/sources/${sourceId}`]
    )
  })

  const mapped = {
    source: { postgres: { tableMappings: [{ targetTable: "orders" }, { targetTable: "items\u001b[2J" }] } },
    destination: { database: "default" }
  }

  it("makes a dashboard of one of several tables", async () => {
    respond({ pipe: mapped })
    const run = await create("--table", "orders")
    assert.strictEqual(run.exitCode, 0, run.stderr)
    assert.deepStrictEqual(
      changes().map(([, body]) => body.name),
      ["clicks orders", "clicks orders"]
    )
  })

  it.each<[string, Stored, ReadonlyArray<string>, number, string]>([
    ["several tables", { pipe: mapped }, [], 2, "The pipe has 2 tables: give --table."],
    ["an unknown table", { pipe: mapped }, ["--table", "x"], 2, 'the pipe has no table "x"'],
    ["no time", { rows: data({ columns: [column("page", "String")] }) }, [], 2, "has no column with a time"],
    ["no warehouse", { connections: [{ id: sourceId, name: "production" }] }, [], 5, 'no connection "warehouse"'],
    ["--file, too", {}, ["--file", "x.json"], 2, "Give one of --file"]
  ])("refuses %s", async (_, stored, args, exitCode, message) => {
    respond(stored)
    const run = await create(...args)
    assert.strictEqual(run.exitCode, exitCode, run.stderr)
    assert.include(run.stderr.replaceAll("\n", " "), message)
    assert.notInclude(run.stderr, "\u001b")
    assert.deepStrictEqual(changes(), [])
  })

  it("makes tiles that both kinds of services take", async () => {
    const time = "at"
    const table = {
      database: "default",
      table: "clicks",
      columns: columns.map((one) => ({ ...one, role: "value" }) as const),
      time
    }
    const request = dashboardOf("clicks", sourceId, table, "page")
    const find = () => Effect.succeed({ sources: [{ id: sourceId, kind: "log" }], connectionIds: [], dashboardIds: [] })
    const made = (kind: "series" | "config") =>
      Effect.runPromise(dashboardRules(kind).create(request, find).pipe(Effect.provide(SecureRandom.layerWebCrypto)))
    const [ofSeries, ofConfig] = [await made("series"), await made("config")]
    assert.deepStrictEqual(
      ofSeries.tiles?.map(({ series }) => series?.[0]?.type),
      ["time", "number", "time", "search"]
    )
    assert.deepStrictEqual<unknown>(
      ofConfig.tiles?.map(({ config }) => config),
      [
        {
          displayType: "stacked_bar",
          sourceId,
          select: [{ aggFn: "count", valueExpression: "", where: "", whereLanguage: "sql" }],
          asRatio: false,
          fillNulls: true
        },
        {
          displayType: "number",
          sourceId,
          select: [{ aggFn: "count", valueExpression: "", where: "", whereLanguage: "sql" }]
        },
        {
          displayType: "stacked_bar",
          sourceId,
          select: [{ aggFn: "count", valueExpression: "", where: "", whereLanguage: "sql" }],
          asRatio: false,
          fillNulls: true,
          groupBy: "page"
        },
        {
          displayType: "search",
          sourceId,
          select: "at, page, `user agent`, ms, isBot, id",
          where: "",
          whereLanguage: "sql"
        }
      ]
    )
  })

  it.each<[ReadonlyArray<readonly [string, number]>, string | undefined]>([
    [[], undefined],
    [[["a", 1]], undefined],
    [
      [
        ["a", 2],
        ["b", 12],
        ["c", 13]
      ],
      "b"
    ],
    [
      [
        ["a", 101],
        ["b", 80],
        ["c", 13]
      ],
      "c"
    ]
  ])("chooses of %j the column %s", (values, expected) => {
    assert.strictEqual(fewValues(values), expected)
  })
})
