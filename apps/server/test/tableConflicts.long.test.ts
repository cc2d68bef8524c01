// Two organizations of one server, and what each is told about the tables of the other one.
import { assert, it } from "@effect/vitest"
import { fixtureCredentials, fixtureIds, fixtureSnapshot } from "@headgate/conformance/fixtures"
import { Snapshot } from "@headgate/core"
import { freePorts } from "@headgate/harness/freePorts"
import { objectStorageRequest, postgresRequest } from "@headgate/harness/pipeRequests"
import { startStorageDouble } from "@headgate/harness/StorageDouble"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describeChdb, startServer } from "../../../packages/mover-clickhouse/test/support/chdb.ts"
import { newDatabase, pipesOf, query, rows, until, warehouseEnvironment } from "./support/moving.ts"
import { operate, serverProcessIn, temporaryDirectory } from "./support/processes.ts"

const { organizations, services } = fixtureIds
const { keys } = fixtureCredentials
const callers = {
  acme: { organizationId: organizations.acme, serviceId: services.ingest, ...keys.admin },
  globex: { organizationId: organizations.globex, serviceId: services.globex, ...keys.globex }
}

/** A server with both organizations, a database of its warehouse, and a bucket with ten rows that anyone may read. */
const makeEnvironment = Effect.gen(function* () {
  const [warehouse, storage, directory] = [yield* startServer(), yield* startStorageDouble(), yield* temporaryDirectory]
  storage.put("bucket/a.json", rows(10).join("\n"))
  const database = yield* newDatabase(warehouse)
  const file = join(directory, "snapshot.json")
  const snapshot = yield* Schema.encodeEffect(Schema.fromJsonString(Snapshot))(yield* fixtureSnapshot)
  writeFileSync(file, snapshot)
  const data = join(directory, "data")
  const imported = yield* operate("import", file, "--data", data)
  assert.strictEqual(imported.code, 0, imported.stderr)
  const { url } = yield* serverProcessIn(warehouseEnvironment, "--data", data, "--warehouse", warehouse.url)
  /** The pipes of one of the organizations. */
  const openPipes = (name: keyof typeof callers) => {
    const { keySecret, ...caller } = callers[name]
    const call = pipesOf(url, { ...caller, keySecret: Redacted.value(keySecret) })
    const requestOf = (table: string, startPaused = false) => {
      const open = { authentication: undefined, accessKey: undefined }
      const request = objectStorageRequest(`${storage.url}/bucket/*.json`, database, open)
      return { ...request, name: table, startPaused, destination: { ...request.destination, table } }
    }
    const isCompleted = (id: string) =>
      Effect.map(call("GET", `/${id}/status`), ({ json, text }) => {
        assert.notStrictEqual(json.result.state, "Failed", text)
        return json.result.state === "Completed"
      })
    return {
      call,
      create: (table: string, startPaused?: boolean) => call("POST", "", requestOf(table, startPaused)),
      /** Has a new pipe write its rows into a table. */
      fill: Effect.fnUntraced(function* (table: string) {
        const { json, status, text } = yield* call("POST", "", requestOf(table))
        assert.strictEqual(status, 200, text)
        yield* until(isCompleted(json.result.id))
      })
    }
  }
  const make = (table: string) =>
    query(
      warehouse,
      `CREATE TABLE ${database}.${table} (n UInt32, text String) ENGINE = MergeTree ORDER BY n
      SETTINGS non_replicated_deduplication_window = 100000`
    )
  return { database, make, openPipes, warehouse }
})
type Environment = Effect.Success<typeof makeEnvironment>
type Pipes = ReturnType<Environment["openPipes"]>

/** Makes the tables of an organization in each way there is; their names end alike. */
const makeTables = Effect.fnUntraced(function* ({ database, make, warehouse }: Environment, pipes: Pipes, end: string) {
  yield* pipes.fill(`created_${end}`)
  yield* make(`opened_${end}`)
  yield* pipes.fill(`opened_${end}`)
  const paused = yield* pipes.create(`paused_${end}`, true)
  assert.strictEqual(paused.status, 200, paused.text)
  yield* pipes.fill(`old_${end}`)
  for (const name of ["", "_pipe_errors"]) {
    yield* query(warehouse, `RENAME TABLE ${database}.old_${end}${name} TO ${database}.renamed_${end}${name}`)
  }
  yield* pipes.fill(`remade_${end}`)
  yield* query(warehouse, `DROP TABLE ${database}.remade_${end} SYNC`)
  yield* make(`remade_${end}`)
  return ["created", "opened", "paused", "old", "renamed", "remade"].map((name) => `${name}_${end}`)
})

const isRefused = ({ json, status, text }: Effect.Success<ReturnType<Pipes["call"]>>, name: string) => {
  assert.strictEqual(status, 409, `${name}: ${text}`)
  assert.include(json.error, "is not this organization's")
  // Nothing of the other organization's pipe.
  assert.notMatch(json.error, /[0-9a-f]{8}-[0-9a-f]{4}-/)
}

describeChdb("a table of another organization", () => {
  it.live(
    "is a 409 over HTTP, at a creation and at an update that names it",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const environment = yield* makeEnvironment
          const [port = 0] = yield* freePorts(1)
          for (const [owner, other] of [
            ["acme", "globex"],
            ["globex", "acme"]
          ] as const) {
            const [own, foreign] = [environment.openPipes(owner), environment.openPipes(other)]
            // A pipe that may be edited, older than all that the other organization names.
            const mapping = (targetTable: string, sourceTable: string) => ({
              sourceSchemaName: "public",
              sourceTable,
              targetTable
            })
            const created = yield* foreign.call("POST", "", {
              ...postgresRequest({ name: "d", port }, environment.database, {
                tableMappings: [mapping(`copied_of_${other}`, "t")]
              }),
              startPaused: true
            })
            assert.strictEqual(created.status, 200, created.text)
            const path = `/${created.json.result.id}`
            const isPaused = Effect.map(foreign.call("GET", path), ({ json }) => json.result.state === "Paused")
            yield* until(isPaused)
            const update = (postgres: object) => foreign.call("PATCH", path, { source: { postgres } })

            const tables = yield* makeTables(environment, own, `of_${owner}`)
            const before = yield* foreign.call("GET")
            for (const name of tables.flatMap((table) => [table, `${table}_pipe_errors`])) {
              isRefused(yield* foreign.create(name), `created: ${name}`)
              isRefused(yield* update({ tableMappingsToAdd: [mapping(name, "more")] }), `added: ${name}`)
            }
            const [name = ""] = tables
            isRefused(yield* foreign.create(name, true), "created with startPaused")
            isRefused(yield* update({ tableMappings: [mapping(name, "t")] }), "replaced")
            assert.deepStrictEqual((yield* foreign.call("GET")).json.result, before.json.result)
            for (const table of tables) {
              const { status, text } = yield* own.create(table, true)
              assert.strictEqual(status, 200, text)
            }
            // What it names already stays its own, and what nobody names is free.
            const added = yield* update({ tableMappingsToAdd: [mapping(`free_of_${other}`, "more")] })
            assert.strictEqual(added.status, 200, added.text)
          }
        })
      ),
    240_000
  )
})
