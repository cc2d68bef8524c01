// What a server asks the Postgres of a pipe beside moving it: whether it can be copied, and how much log it keeps.
import { assert, it } from "@effect/vitest"
import { postgresRequest } from "@headgate/harness/pipeRequests"
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { startServer } from "../../../packages/mover-clickhouse/test/support/chdb.ts"
import { describePostgres } from "../../../packages/mover-postgres/test/support/describePostgres.ts"
import { newDatabase, query, startServing, until, untilState } from "./support/moving.ts"
import { takenPort, temporaryDirectory } from "./support/processes.ts"

const mapping = (sourceTable: string, targetTable = sourceTable) => ({
  sourceSchemaName: "public",
  sourceTable,
  targetTable
})

const start = Effect.gen(function* () {
  const warehouse = yield* startServer()
  const directory = yield* temporaryDirectory
  const database = yield* newDatabase(warehouse)
  const server = yield* startServing(directory, {}, "--data", directory, "--warehouse", warehouse.url)
  return { database, server, warehouse }
})

describePostgres("the source of a pipe", (newSource) => {
  it.live(
    "is refused where it answers that it cannot be copied, by the field; one that does not answer is not",
    () =>
      Effect.gen(function* () {
        const source = yield* newSource
        const reader = `reader_${source.name}`
        yield* source.run(
          `CREATE TABLE t (id int PRIMARY KEY); CREATE TABLE keyless (id int); CREATE ROLE ${reader} LOGIN`
        )
        const { database, server } = yield* start
        const refused: ReadonlyArray<readonly [postgres: object, ...parts: ReadonlyArray<string>]> = [
          [{ tableMappings: [mapping("t"), mapping("keyless")] }, "tableMappings[1]", "ADD PRIMARY KEY"],
          [{ tableMappings: [mapping("none")] }, "tableMappings[0]", "there is no table"],
          [
            { tableMappings: [mapping("t"), mapping("t", "again")] },
            "tableMappings[1]",
            "is in tableMappings[0] already"
          ],
          [
            { tableMappings: [mapping("t"), mapping("other", "t")] },
            "tableMappings[1].targetTable",
            "t is the target of tableMappings[0] already"
          ],
          [
            { tableMappings: [{ ...mapping("t"), excludedColumns: ["emial"] }] },
            "tableMappings[0]",
            "it has no column emial, which excludedColumns names"
          ],
          [{ credentials: { username: reader, password: "x" } }, "credentials", "REPLICATION"],
          [{ credentials: { username: "nobody", password: "x" } }, "credentials", "nobody"],
          [{ database: "none" }, "database", "none"],
          [{ disableTls: false }, "disableTls", "set disableTls to true"],
          [
            { settings: { replicationMode: "cdc_only", replicationSlotName: "mine" } },
            "settings.replicationSlotName",
            "pg_create_logical"
          ]
        ]
        for (const [postgres, field, ...parts] of refused) {
          const { status, text } = yield* server.call("POST", "", postgresRequest(source, database, postgres))
          assert.strictEqual(status, 400, `${field}: ${text}`)
          for (const part of [`source.postgres.${field}`, ...parts]) assert.include(text, part)
        }
        assert.deepStrictEqual((yield* server.call("GET")).json.result, [])

        // What the refusal says to run makes the creation work.
        yield* source.run(`ALTER ROLE ${reader} REPLICATION; GRANT SELECT ON t TO ${reader}`)
        const credentials = { username: reader, password: "x" }
        // One under the id that stands for no pipe does not make it pass.
        yield* source.run(`CREATE PUBLICATION headgate_00000000000040008000000000000000 FOR TABLE t
          WITH (publish_via_partition_root = true)`)
        const unpublished = yield* server.call("POST", "", postgresRequest(source, database, { credentials }))
        assert.strictEqual(unpublished.status, 400, unpublished.text)
        const message: string = JSON.parse(unpublished.text).error
        const [, statement, name] =
          /settings\.publicationName: .* Run: (CREATE PUBLICATION .*); then set settings\.publicationName: (\w+)/.exec(
            message
          ) ?? []
        assert.strictEqual(name, "my_pipe", message)
        yield* source.run(statement ?? "")
        const settings = { replicationMode: "cdc", publicationName: name }
        const published = yield* server.create(
          postgresRequest(source, database, { credentials, settings, tableMappings: [mapping("t", "published")] })
        )
        yield* untilState(server, published, "Running")
        yield* server.call("DELETE", `/${published}`)

        const id = yield* server.create(postgresRequest(source, database))
        yield* untilState(server, id, "Running")
        const changed = yield* server.call("PATCH", `/${id}`, { source: { postgres: { database: "none" } } })
        assert.strictEqual(changed.status, 400, changed.text)
        assert.include(changed.text, "source.postgres.database")
        assert.strictEqual((yield* server.call("PATCH", `/${id}`, { name: "renamed" })).status, 200)

        const silent = yield* server.create(postgresRequest(source, database, { port: yield* takenPort }))
        yield* untilState(server, silent, "Degraded")
        assert.isString((yield* server.statusOf(silent)).message)

        yield* server.setState(id, "stop")
        yield* untilState(server, id, "Paused")
        const repeated = yield* server.call("PATCH", `/${id}`, {
          source: { postgres: { tableMappingsToAdd: [mapping("other", "copied")] } }
        })
        assert.strictEqual(repeated.status, 400, repeated.text)
        assert.include(repeated.text, "copied is the target of tableMappings[0] already")
      }).pipe(Effect.scoped),
    240_000
  )

  it.live(
    "is not changed where the old one would keep the slot of the pipe and its log for ever",
    () =>
      Effect.gen(function* () {
        const [source, another] = [yield* newSource, yield* newSource]
        for (const one of [source, another]) {
          yield* one.run("CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1)")
        }
        yield* source.run("CREATE PUBLICATION mine FOR TABLE t WITH (publish_via_partition_root = true)")
        const { database, server } = yield* start
        const id = yield* server.create(postgresRequest(source, database))
        yield* untilState(server, id, "Running")
        const change = (pipe: string, postgres: object) => server.call("PATCH", `/${pipe}`, { source: { postgres } })
        const refused = [
          { database: another.name },
          // It does not say that it is the same server.
          { port: yield* takenPort },
          { settings: { replicationMode: "snapshot" } },
          { settings: { publicationName: "mine" } }
        ]
        for (const postgres of refused) {
          const { status, text } = yield* change(id, postgres)
          assert.strictEqual(status, 400, text)
          const name = `headgate_${id.replaceAll("-", "")}`
          assert.include(text, `slot ${name} and publication ${name} in database ${source.name} at 127.0.0.1`)
        }
        assert.strictEqual((yield* server.statusOf(id)).state, "Running")
        // Another name of the same server: 127.1 is 127.0.0.1.
        const renamed = yield* change(id, { host: "127.1" })
        assert.strictEqual(renamed.status, 200, renamed.text)
        yield* untilState(server, id, "Running")

        // A pipe that never reached its source has made nothing there.
        const [tableMappings, port] = [[mapping("t", "of_another")], yield* takenPort]
        const silent = yield* server.create(postgresRequest(source, database, { port, tableMappings }))
        yield* untilState(server, silent, "Degraded")
        const mended = yield* change(silent, { port: another.port, database: another.name })
        assert.strictEqual(mended.status, 200, mended.text)
        yield* untilState(server, silent, "Running")
      }).pipe(Effect.scoped),
    240_000
  )

  it.live(
    "is changed to a promoted server, and where the old one does not answer, which a line of the log says",
    () =>
      Effect.gen(function* () {
        const [source, another] = [yield* newSource, yield* newSource]
        for (const one of [source, another]) {
          yield* one.run("CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1)")
        }
        const [shown] = yield* source.run("SHOW data_directory")
        const { database, server } = yield* start
        const create = Effect.fnUntraced(function* (target: string) {
          const tableMappings = [mapping("t", target)]
          const id = yield* server.create(postgresRequest(source, database, { tableMappings }))
          yield* untilState(server, id, "Running")
          return id
        })
        const change = (id: string, postgres: object) => server.call("PATCH", `/${id}`, { source: { postgres } })
        const resynced = Effect.fnUntraced(function* (id: string) {
          yield* untilState(server, id, "Failed")
          yield* server.setState(id, "resync")
          yield* untilState(server, id, "Running")
        })
        const warned = (id: string) => {
          const name = `headgate_${id.replaceAll("-", "")}`
          return `drop slot ${name} and publication ${name} in database ${source.name} at 127.0.0.1`
        }

        const moved = yield* create("moved")
        const away = yield* source.whileStopped(change(moved, { database: another.name }))
        assert.strictEqual(away.status, 200, away.text)
        yield* untilState(server, moved, "Failed")
        // By hand, as the log says: the two databases are of one server, which has one slot of a name.
        yield* source.run(`SELECT pg_drop_replication_slot('headgate_${moved.replaceAll("-", "")}')`)
        yield* resynced(moved)
        assert.include(server.printed.stdout + server.printed.stderr, warned(moved))

        const promoted = yield* create("promoted")
        yield* source.whileStopped(
          Effect.sync(() => writeFileSync(join(String(shown?.["data_directory"]), "standby.signal"), ""))
        )
        yield* source.run("SELECT pg_promote()")
        const renamed = yield* change(promoted, { host: "127.1" })
        assert.strictEqual(renamed.status, 200, renamed.text)
        yield* resynced(promoted)
        assert.include(server.printed.stdout + server.printed.stderr, warned(promoted))
      }).pipe(Effect.scoped),
    240_000
  )

  it.live(
    "is asked for a pipe that is adopted by the name of its slot, which is one of those that are taken",
    () =>
      Effect.gen(function* () {
        const source = yield* newSource
        yield* source.run("CREATE TABLE t (id int PRIMARY KEY)")
        const warehouse = yield* startServer()
        const directory = yield* temporaryDirectory
        const database = yield* newDatabase(warehouse)
        const simulating = yield* startServing(directory, {}, "--data", directory)
        const [id, another] = [
          yield* simulating.create(postgresRequest(source, database)),
          yield* simulating.create(postgresRequest(source, database))
        ]
        yield* Effect.promise(() => simulating.stop())
        const slotOf = (pipe: string) => `headgate_${pipe.replaceAll("-", "")}`
        yield* Effect.acquireRelease(
          source.run(`SELECT pg_create_logical_replication_slot('${slotOf(id)}', 'pgoutput');
            SELECT pg_create_physical_replication_slot('taken_' || n) FROM generate_series(1,
              current_setting('max_replication_slots')::int - (SELECT count(*) FROM pg_replication_slots)::int) AS n`),
          () =>
            source.run(
              "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name LIKE 'taken%'"
            )
        )
        const server = yield* startServing(directory, {}, "--data", directory, "--warehouse", warehouse.url)
        const refused = yield* server.call("POST", `/${another}/adopt`)
        assert.strictEqual(refused.status, 400, refused.text)
        assert.include(refused.text, "all replication slots are taken")
        const adopted = yield* server.call("POST", `/${id}/adopt`)
        assert.strictEqual(adopted.status, 200, adopted.text)
        yield* untilState(server, id, "Running")
      }).pipe(Effect.scoped),
    240_000
  )

  it.live(
    "shows how much log it keeps, also for a stopped pipe, and warns",
    () =>
      Effect.gen(function* () {
        const source = yield* newSource
        yield* source.run("CREATE TABLE t (id int PRIMARY KEY)")
        const { database, server, warehouse } = yield* start
        const id = yield* server.create(postgresRequest(source, database))
        yield* untilState(server, id, "Running")
        const running = yield* server.statusOf(id)
        assert.isNumber(running.retainedLogBytes)
        assert.deepStrictEqual(running.warnings, [])
        yield* server.setState(id, "stop")
        yield* untilState(server, id, "Paused")
        // Each switch ends a file of 16 MiB.
        for (let file = 0; file < 66; file += 1) {
          yield* source.run(`INSERT INTO t VALUES (${file}); SELECT pg_switch_wal()`)
        }
        const paused = yield* server.statusOf(id)
        assert.isAbove(paused.retainedLogBytes, 1024 ** 3)
        assert.match(paused.warnings[0], /makes the source keep 1\.\d GiB of its log\. Start the pipe, or delete it/)
        const away = yield* source.whileStopped(server.statusOf(id))
        assert.deepStrictEqual([away.state, away.retainedLogBytes, away.warnings], ["Paused", null, []])
        yield* server.setState(id, "start")
        yield* until(
          Effect.map(query(warehouse, `SELECT count() FROM ${database}.copied FINAL`), (rows) => rows === "66")
        )
      }).pipe(Effect.scoped),
    240_000
  )
})
