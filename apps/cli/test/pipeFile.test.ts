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
  it.each([
    ["changes.json", `{"name":"orders"}`],
    ["changes.yaml", "name: orders # both\n"]
  ])("sends the document of --file %s", async (name, text) => {
    const file = join(directory, name)
    writeFileSync(file, text)
    api.respondWith(enveloped(wholePipe("db_")))
    const run = await headgate(["pipe", "update", pipeId, "--file", file], { env: everything(api.url) })
    assert.deepStrictEqual([run.exitCode, run.stderr], [0, ""])
    assert.deepStrictEqual(JSON.parse(api.received[0]?.body ?? ""), { name: "orders" })
  })

  it.each([`{"name":"orders"}`, "name: orders # both\n"])("sends the document of stdin: %s", async (stdin) => {
    api.respondWith(enveloped(wholePipe("db_")))
    const run = await headgate(["pipe", "update", pipeId, "--file", "-"], { env: everything(api.url), stdin })
    assert.deepStrictEqual([run.exitCode, run.stderr], [0, ""])
    assert.deepStrictEqual(JSON.parse(api.received[0]?.body ?? ""), { name: "orders" })
  })

  it("warns of a field that is near to a known one, in the names of the dialect", async () => {
    const file = join(directory, "misspelt.json")
    const changes = {
      nam: "orders",
      source: { kafka: { consumerGruop: "a", mine: 1 } },
      settings: { clickhouse_max_thread: 1 }
    }
    writeFileSync(file, JSON.stringify(changes))
    api.respondWith(enveloped(wholePipe("clickhouse_")))
    const args = ["pipe", "update", pipeId, "--file", file, "--dialect", "clickhouse"]
    const run = await headgate(args, { env: everything(api.url) })
    assert.deepStrictEqual(
      [run.exitCode, run.stderr.replaceAll(file, "<file>").trimEnd().split("\n")],
      [
        0,
        [
          "warning: --file <file>: unknown field nam: did you mean name? It is kept as it is.",
          "warning: --file <file>: unknown field source.kafka.consumerGruop: did you mean consumerGroup? It is kept as it is.",
          "warning: --file <file>: unknown field settings.clickhouse_max_thread: did you mean clickhouse_max_threads? It is kept as it is."
        ]
      ]
    )
  })
})

describe("headgate pipe create --infer", () => {
  const fields = [
    { name: "at", type: "DateTime", optional: false },
    { name: "user", type: "Int64", optional: false },
    { name: "no\u001bte", type: "Nullable(String)", optional: true }
  ]
  const create = (document: object, ...flags: ReadonlyArray<string>) => {
    const file = join(directory, "infer.json")
    writeFileSync(file, JSON.stringify(document))
    api.respondWith(({ path }) => enveloped(path.endsWith("/schemaDiscovery") ? { fields } : wholePipe("db_")))
    return headgate(["pipe", "create", "--file", file, "--infer", ...flags], { env: everything(api.url) })
  }
  const kafka = { kafka: { type: "kafka", format: "JSONEachRow", brokers: "b:9092", topics: "t" } }
  const document = (sortingKey: ReadonlyArray<string>, source: object = kafka) => ({
    name: "clicks",
    source,
    destination: { table: "clicks", managedTable: true, tableDefinition: { sortingKey } }
  })

  it("creates the pipe with the fields of its source as columns, and shows them", async () => {
    const run = await create(document(["toDate(at)", "user"]), "--json")
    assert.strictEqual(run.exitCode, 0, run.stderr)
    const [discovery, creation] = api.received.map(({ body }) => JSON.parse(body))
    assert.deepStrictEqual(discovery, { source: kafka })
    assert.deepStrictEqual(creation.destination, {
      ...document(["toDate(at)", "user"]).destination,
      columns: fields.map(({ name, type }) => ({ name, type }))
    })
    assert.match(run.stderr, /^ {2}at +DateTime$/m)
    assert.match(run.stderr, /^ {2}user +Int64$/m)
    assert.notInclude(run.stderr, "\u001b")
    assert.strictEqual(JSON.parse(run.stdout).name, "orders")
  })

  it("with --dry-run asks for the fields, and prints the creation", async () => {
    const run = await create(document(["user"]), "--dry-run")
    assert.deepStrictEqual(
      [run.exitCode, api.received.map(({ path }) => path.split("/").at(-1))],
      [0, ["schemaDiscovery"]]
    )
    assert.include(run.stdout, '"type":"DateTime"')
  })

  it.each([
    ["a key that takes null", document(["no\u001bte"]), "is in a key of the table, which takes no null"],
    ["a database", document(["at"], { postgres: { host: "h" } }), "postgres has columns of its own"],
    [
      "columns that are there",
      { ...document(["at"]), destination: { columns: [{ name: "a", type: "String" }] } },
      "the document has destination.columns"
    ]
  ])("creates nothing for %s", async (_, wrong, message) => {
    const run = await create(wrong)
    assert.strictEqual(run.exitCode, 2, run.stderr)
    assert.include(run.stderr, message)
    assert.notInclude(run.stderr, "\u001b")
    assert.isFalse(api.received.some(({ path }) => !path.endsWith("/schemaDiscovery")))
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
