import { assert, describe, it } from "vitest"
import { enveloped, errorReply, type ReceivedRequest, service } from "./Service.ts"
import { everything, headgate, organization, pipeId, serviceId } from "./headgate.ts"

const api = service()
const at = Date.UTC(2026, 10, 23, 18)
const columns = [
  { name: "at", type: "DateTime", role: "time" },
  { name: "page", type: "String", role: "value" },
  { name: "visitors", type: "UInt64", role: "value" }
]
const answer = {
  displayType: "search",
  from: 0,
  to: 0,
  columns,
  rows: [
    [at + 1000, "/checkout\u001b[2J", "18446744073709551615"],
    [at, null, 12000],
    [at - 1000, "/", 1]
  ],
  hiddenSeries: 0,
  truncated: false,
  rowsRead: 3,
  elapsedMs: 1,
  warnings: ["the engine may hold several versions of a row"]
}
const mapped = { postgres: { tableMappings: [{ targetTable: "orders" }, { targetTable: "items" }] } }

const respond = (given: object = {}, source: object = { kafka: {} }) =>
  api.respondWith(({ path }: ReceivedRequest) =>
    enveloped(
      path.endsWith("/charts/query")
        ? { ...answer, ...given }
        : { id: pipeId, serviceId, name: "clicks", state: "Running", source, destination: { table: "clicks" } }
    )
  )
const rows = (args: ReadonlyArray<string>, env: Record<string, string> = {}) =>
  headgate(["pipe", "rows", pipeId, ...args], { env: { ...everything(api.url), ...env } })
const queries = () =>
  api.received
    .filter(({ path }) => path.endsWith("/charts/query"))
    .map(({ body, path }) => [path, JSON.parse(body)] as const)

describe("headgate pipe rows", () => {
  it("shows the newest rows of the table in the columns of the terminal", async () => {
    respond()
    const run = await rows(["--limit", "2"], { COLUMNS: "60" })
    assert.deepStrictEqual([run.exitCode, run.stderr], [0, "warning: the engine may hold several versions of a row\n"])
    assert.deepStrictEqual(run.stdout.split("\n"), [
      "at                   page                          visitors",
      "2026-11-23 18:00:01  /checkout\\x1b[2J  18446744073709551615",
      "2026-11-23 18:00:00  NULL                             12000",
      ""
    ])
    const [path, query] = queries()[0] ?? ["", {}]
    assert.strictEqual(path, `/v1/organizations/${organization}/services/${serviceId}/dbstack/charts/query`)
    assert.deepStrictEqual(query.tile, { pipeId, table: "clicks" })
  })

  it("prints them as JSON with some of their columns, and a line for each value with --plain", async () => {
    respond()
    const json = await rows(["--fields", "page, at", "--json"])
    assert.deepStrictEqual(JSON.parse(json.stdout), [
      { page: "/checkout\u001b[2J", at: at + 1000 },
      { page: null, at },
      { page: "/", at: at - 1000 }
    ])
    const plain = await rows(["--fields", "visitors", "--plain"])
    assert.strictEqual(plain.stdout, "visitors: 18446744073709551615\n\nvisitors: 12000\n\nvisitors: 1\n")
  })

  it("asks for those of a time by the column that tells it", async () => {
    respond({ columns: [{ ...columns[0], name: "order" }, ...columns.slice(1)] })
    const run = await rows(["--from", "2026-11-23T18:00:00Z", "--to", "2026-11-24"])
    assert.strictEqual(run.exitCode, 0)
    const last = queries().at(-1)?.[1]
    assert.strictEqual(
      last.where,
      `order >= fromUnixTimestamp64Milli(${at}) AND order < fromUnixTimestamp64Milli(${at + 6 * 3600_000})`
    )
    assert.strictEqual(last.whereLanguage, "sql")
  })

  it("takes one of several tables, and lists them without it", async () => {
    respond({}, mapped)
    const none = await rows([])
    assert.strictEqual(none.exitCode, 2)
    assert.include(none.stderr, "The pipe has 2 tables: give --table.\n  orders\n  items")
    assert.lengthOf(queries(), 0)
    await rows(["--table", "items"])
    assert.deepStrictEqual(queries()[0]?.[1].tile, { pipeId, table: "items" })
  })

  it("says that there are none, and names the columns that there are", async () => {
    respond({ rows: [], warnings: [] })
    const none = await rows([])
    assert.deepStrictEqual([none.exitCode, none.stdout, none.stderr], [0, "", "The table has no rows of that time.\n"])
    const unknown = await rows(["--fields", "pages"])
    assert.strictEqual(unknown.exitCode, 2)
    assert.include(unknown.stderr, '--fields: the table has no column "pages". It has: at, page, visitors.')
    respond({ columns: columns.slice(1) })
    const timeless = await rows(["--from", "-1h"])
    assert.strictEqual(timeless.exitCode, 2)
    assert.include(timeless.stderr, "the table has no column with a time")
  })

  it("says what a server needs that queries nothing", async () => {
    const refused = errorReply(424, "FAILED_DEPENDENCY: this server queries no charts")
    api.respondWith(({ path }) =>
      path.endsWith("/charts/query") ? refused : enveloped({ id: pipeId, serviceId, name: "clicks", state: "Running" })
    )
    const run = await rows([])
    assert.strictEqual(run.exitCode, 1)
    assert.include(run.stderr, "this server queries no charts")
    assert.include(run.stderr, "hint: 'headgate-server --charts' queries charts")
  })
})
