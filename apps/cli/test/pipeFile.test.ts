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

describe.each(["create", "discover"])("headgate pipe %s", (verb) => {
  it("reads the document of --file, and names its wrong fields", async () => {
    const file = join(directory, "pipe.json")
    writeFileSync(file, JSON.stringify({ name: 1 }))
    const run = await headgate(["pipe", verb, "--file", file], { env: everything(api.url) })
    assert.deepStrictEqual([run.exitCode, run.stdout, api.received.length], [2, "", 0])
    assert.include(run.stderr, "this is not a request for a pipe")
  })
})
