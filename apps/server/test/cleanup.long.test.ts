// What a deleted pipe leaves in its source and its warehouse: it is removed however the pipe was deleted, and listed until then.
import { assert, it } from "@effect/vitest"
import { postgresRequest, sourcePassword } from "@headgate/harness/pipeRequests"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { startServer } from "../../../packages/mover-clickhouse/test/support/chdb.ts"
import { describePostgres, type TestDatabase } from "../../../packages/mover-postgres/test/support/describePostgres.ts"
import { newDatabase, query, startServing, until, untilState } from "./support/moving.ts"
import { operate, readCredentials, temporaryDirectory } from "./support/processes.ts"

const mapping = { sourceSchemaName: "public", sourceTable: "t" }

/** The slots and the publications of a database. */
const leftIn = (source: TestDatabase) =>
  Effect.map(
    source.run(`SELECT slot_name::text AS name FROM pg_replication_slots WHERE database = '${source.name}'
      UNION ALL SELECT pubname::text FROM pg_publication`),
    (rows) => rows.map(({ name }) => String(name))
  )
const untilReleased = (source: TestDatabase) => until(Effect.map(leftIn(source), ({ length }) => length === 0))

const listed = Effect.fnUntraced(function* (directory: string) {
  const { code, stderr, stdout } = yield* operate("cleanup", "list", "--json", "--data", directory)
  assert.strictEqual(code, 0, stderr)
  assert.notInclude(stdout, sourcePassword)
  const found: ReadonlyArray<Record<string, unknown>> = JSON.parse(stdout)
  return found
})

describePostgres("deleted pipes", (newSource) => {
  it.live(
    "leave nothing, whatever the server has that deletes them, and are listed until then",
    () =>
      Effect.gen(function* () {
        const source = yield* newSource
        yield* source.run("CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1), (2)")
        const warehouse = yield* startServer()
        const database = yield* newDatabase(warehouse)
        const directory = yield* temporaryDirectory
        const start = (...args: ReadonlyArray<string>) => startServing(directory, {}, "--data", directory, ...args)
        const toWarehouse = ["--warehouse", warehouse.url]

        const moving = yield* start(...toWarehouse)
        const id = yield* moving.create(postgresRequest(source, database))
        yield* untilState(moving, id, "Running")
        assert.strictEqual((yield* leftIn(source)).length, 2)
        // As the mover of object storage leaves it: that of another pipe is none of its business.
        const stagings = [id, "b1be0000-0000-4000-8000-000000000000"].map(
          (pipe) => `headgate_stage_${pipe.replaceAll("-", "")}_1_${"0".repeat(16)}_${"1".repeat(16)}`
        )
        for (const name of stagings) {
          yield* query(warehouse, `CREATE TABLE ${database}.${name} (n Int32) ENGINE = MergeTree ORDER BY n`)
        }
        yield* Effect.promise(() => moving.stop())
        assert.deepStrictEqual(yield* listed(directory), [])

        // A server without a warehouse.
        const without = yield* start()
        assert.strictEqual((yield* without.call("DELETE", `/${id}`)).status, 200)
        const { complaints } = yield* Effect.promise(() => without.stop())
        assert.include(complaints, `pipe ${id} is deleted: what it has made in its source stays`)
        const name = `headgate_${id.replaceAll("-", "")}`
        const [kept, ...others] = yield* listed(directory)
        assert.deepStrictEqual(others, [])
        assert.deepInclude(kept, {
          pipeId: id,
          kind: "postgres",
          warehouse: "*",
          attempts: 0,
          lastError: null,
          remains: `slot ${name} and publication ${name} in database ${source.name} at 127.0.0.1:${source.port}`
        })
        const human = yield* operate("cleanup", "list", "--data", directory)
        assert.include(human.stdout, id)
        assert.notInclude(human.stdout + human.stderr, sourcePassword)

        // A server that may not read from the host any more.
        const refusing = yield* start(...toWarehouse, "--allow-source", "10.0.0.0/8")
        yield* until(Effect.map(listed(directory), ([one]) => Number(one?.["attempts"]) > 0))
        assert.include(String((yield* listed(directory))[0]?.["lastError"]), "not among the hosts")
        const metrics = yield* Effect.promise(async () => (await fetch(`${refusing.url}/metrics`)).text())
        assert.match(metrics, /^headgate_deleted_pipes 1$/m)
        yield* Effect.promise(() => refusing.stop())
        assert.strictEqual((yield* leftIn(source)).length, 2)

        const able = yield* start(...toWarehouse)
        yield* untilReleased(source)
        yield* until(Effect.map(listed(directory), ({ length }) => length === 0))
        const tables = yield* query(warehouse, `SELECT name FROM system.tables WHERE database = '${database}'`)
        assert.notInclude(tables, stagings[0]!)
        assert.include(tables, stagings[1]!)
        assert.include(tables, "copied")

        // The service is removed by a command beside the server.
        const second = yield* able.create(
          postgresRequest(source, database, { tableMappings: [{ ...mapping, targetTable: "second" }] })
        )
        yield* untilState(able, second, "Running")
        const [owner] = readCredentials(join(directory, "credentials.json"))
        const removed = yield* operate("service", "remove", owner!.services[0]!.id, "--yes", "--data", directory)
        assert.strictEqual(removed.code, 0, removed.stderr)
        yield* untilReleased(source)
        yield* until(Effect.map(listed(directory), ({ length }) => length === 0))
      }).pipe(Effect.scoped),
    240_000
  )

  it.live("are forgotten with their credentials by a command, which says what they have left", () =>
    Effect.gen(function* () {
      const source = yield* newSource
      yield* source.run("CREATE TABLE t (id int PRIMARY KEY)")
      const warehouse = yield* startServer()
      const database = yield* newDatabase(warehouse)
      const directory = yield* temporaryDirectory
      const server = yield* startServing(directory, {}, "--data", directory, "--warehouse", warehouse.url)
      const id = yield* server.create(postgresRequest(source, database))
      yield* untilState(server, id, "Running")
      yield* Effect.promise(() => server.stop())
      const without = yield* startServing(directory, {}, "--data", directory)
      yield* without.call("DELETE", `/${id}`)
      const forget = (...args: ReadonlyArray<string>) => operate("cleanup", "forget", ...args, "--data", directory)
      const claimFor = (millis: number) =>
        Effect.sync(() => {
          const store = new DatabaseSync(join(directory, "headgate.sqlite"))
          store.exec(`UPDATE deleted_pipe SET claimed_until = (unixepoch() * 1000) + ${millis}`)
          store.close()
        })
      // A server cleans up after it.
      yield* claimFor(600_000)
      const early = yield* forget(id, "--yes")
      assert.strictEqual(early.code, 1, early.stderr)
      assert.include(early.stderr, `a server removes what pipe ${id} has left at this moment`)
      assert.strictEqual((yield* listed(directory)).length, 1)
      yield* claimFor(0)
      const asked = yield* forget(id)
      assert.notStrictEqual(asked.code, 0)
      assert.match(asked.stderr, /slot headgate_\w+ and publication .* would be removed for good: pass --yes/)
      const forgotten = yield* forget(id, "--yes")
      assert.strictEqual(forgotten.code, 0, forgotten.stderr)
      assert.include(forgotten.stderr, "remove by hand what it has left: slot headgate_")
      assert.deepStrictEqual(yield* listed(directory), [])
      assert.include((yield* forget(id, "--yes")).stderr, `no deleted pipe ${id} has left anything`)
      assert.strictEqual((yield* leftIn(source)).length, 2)
      yield* source.run("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE NOT active")
    }).pipe(Effect.scoped)
  )

  it.live(
    "leave nothing when the server is killed after the deletion",
    () =>
      Effect.gen(function* () {
        const source = yield* newSource
        yield* source.run("CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1), (2)")
        const warehouse = yield* startServer()
        const database = yield* newDatabase(warehouse)
        const directory = yield* temporaryDirectory
        const start = startServing(directory, {}, "--data", directory, "--warehouse", warehouse.url)
        const server = yield* start
        const id = yield* server.create(postgresRequest(source, database))
        yield* untilState(server, id, "Running")
        assert.strictEqual((yield* server.call("DELETE", `/${id}`)).status, 200)
        // The answer is there, and the source is released some seconds later.
        yield* Effect.promise(() => server.stop("SIGKILL"))
        assert.strictEqual((yield* leftIn(source)).length, 2)
        assert.strictEqual((yield* listed(directory)).length, 1)
        yield* start
        yield* untilReleased(source)
        yield* until(Effect.map(listed(directory), ({ length }) => length === 0))
      }).pipe(Effect.scoped),
    240_000
  )
})
