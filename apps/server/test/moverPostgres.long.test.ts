import { assert, it } from "@effect/vitest"
import { postgresRequest, sourcePassword } from "@headgate/harness/pipeRequests"
import * as Effect from "effect/Effect"
import { startServer } from "../../../packages/mover-clickhouse/test/support/chdb.ts"
import { describePostgres } from "../../../packages/mover-postgres/test/support/describePostgres.ts"
import { query, startServing, until, untilState } from "./support/moving.ts"
import { temporaryDirectory } from "./support/processes.ts"

/** A server over a database in a directory. */
const startMoving = (directory: string, warehouse: string) =>
  startServing(directory, {}, "--data", directory, "--warehouse", warehouse)

describePostgres("a server that copies a Postgres", (newDatabase) => {
  it.live(
    "moves a pipe through its life: a snapshot, changes, a pause, a resync",
    () =>
      Effect.gen(function* () {
        const source = yield* newDatabase
        const warehouse = yield* startServer()
        const directory = yield* temporaryDirectory
        const database = `served_pg_${process.pid}`
        yield* query(warehouse, `CREATE DATABASE ${database}`)
        yield* source.run(
          "CREATE TABLE t (id int PRIMARY KEY, v text); INSERT INTO t SELECT i, 'row ' || i FROM generate_series(1, 500) i"
        )
        const server = yield* startMoving(directory, warehouse.url)

        const refused = yield* server.call(
          "POST",
          "",
          postgresRequest(source, database, { authentication: "IAM_ROLE", iamRole: "r", credentials: undefined })
        )
        assert.strictEqual(refused.status, 400)
        assert.include(refused.text, "source.postgres.authentication")
        const linkLocal = yield* server.call("POST", "", postgresRequest(source, database, { host: "169.254.169.254" }))
        assert.strictEqual(linkLocal.status, 400)

        const created = yield* server.call("POST", "", postgresRequest(source, database))
        assert.strictEqual(created.status, 200, created.text)
        const id = String(created.json.result.id)
        const rowsOf = query(
          warehouse,
          `SELECT count(), sum(id), uniqExact(v) FROM ${database}.copied FINAL WHERE _peerdb_is_deleted = 0`
        )
        const same = Effect.gen(function* () {
          const [row] = yield* source.run(
            "SELECT concat_ws(E'\\t', count(*), sum(id), count(DISTINCT v)) AS line FROM t"
          )
          yield* until(Effect.map(rowsOf, (found) => found === row?.["line"]))
        })
        // The table is there.
        yield* untilState(server, id, "Running")
        yield* same
        yield* source.run(
          "UPDATE t SET v = 'changed' WHERE id < 100; DELETE FROM t WHERE id > 400; UPDATE t SET id = id + 1000 WHERE id = 7"
        )
        yield* same

        yield* server.call("PATCH", `/${id}/state`, { command: "stop" })
        yield* untilState(server, id, "Paused")
        yield* source.run("DELETE FROM t WHERE id < 50; INSERT INTO t VALUES (5000, 'while it was paused')")
        yield* server.call("PATCH", `/${id}/state`, { command: "start" })
        yield* same
        yield* untilState(server, id, "Running")

        yield* server.call("PATCH", `/${id}/state`, { command: "stop" })
        yield* untilState(server, id, "Paused")
        yield* source.run(
          `SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE database = '${source.name}'`
        )
        yield* source.run("UPDATE t SET v = 'unseen' WHERE id < 120")
        yield* server.call("PATCH", `/${id}/state`, { command: "start" })
        yield* untilState(server, id, "Failed")
        const failed = yield* server.call("GET", `/${id}/status`)
        assert.include(failed.text, "A resync copies the tables again")
        assert.notInclude(failed.text, sourcePassword)
        const resynced = yield* server.call("PATCH", `/${id}/state`, { command: "resync" })
        assert.strictEqual(resynced.status, 200, resynced.text)
        yield* same
        yield* untilState(server, id, "Running")

        // A resync of a pipe that runs.
        yield* query(warehouse, `TRUNCATE TABLE ${database}.copied`)
        yield* server.call("PATCH", `/${id}/state`, { command: "resync" })
        yield* same
        yield* untilState(server, id, "Running")

        // Deleted while its source is away: slot and publication go when it is back.
        const left =
          source.run(`SELECT slot_name::text AS name FROM pg_replication_slots WHERE database = '${source.name}'
        UNION ALL SELECT pubname::text FROM pg_publication`)
        assert.strictEqual((yield* left).length, 2)
        const deleted = yield* source.whileStopped(
          Effect.tap(server.call("DELETE", `/${id}`), () => Effect.sleep("5 seconds"))
        )
        assert.strictEqual(deleted.status, 200)
        yield* until(Effect.map(left, ({ length }) => length === 0))
      }).pipe(Effect.scoped),
    240_000
  )

  it.live(
    "keeps a pipe and its slot while no server has the warehouse, and goes on when one has it again",
    () =>
      Effect.gen(function* () {
        const [source, store] = [yield* newDatabase, yield* newDatabase]
        const [warehouse, directory] = [yield* startServer(), yield* temporaryDirectory]
        const database = `served_store_${process.pid}`
        yield* query(warehouse, `CREATE DATABASE ${database}`)
        yield* source.run("CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1)")
        const url = `postgres://headgate:${sourcePassword}@127.0.0.1:${store.port}/${store.name}`
        const start = (...args: ReadonlyArray<string>) =>
          startServing(directory, { HEADGATE_DATABASE_URL: url }, ...args)
        const untilIds = (ids: string) =>
          until(
            Effect.map(
              query(
                warehouse,
                `SELECT arrayStringConcat(arraySort(groupArray(id)), ' ') FROM ${database}.copied FINAL`
              ),
              (found) => found === ids
            )
          )
        const slots = source.run(
          `SELECT slot_name::text, confirmed_flush_lsn::text AS at FROM pg_replication_slots WHERE database = '${source.name}'`
        )

        const first = yield* start("--warehouse", warehouse.url)
        const id = yield* first.create(postgresRequest(source, database))
        yield* untilState(first, id, "Running")
        yield* untilIds("1")
        yield* Effect.promise(() => first.stop())
        const before = yield* slots
        assert.strictEqual(before.length, 1)

        const without = yield* start()
        yield* source.run("INSERT INTO t VALUES (2)")
        // Long enough for some rounds of a mover, which would end the pipe.
        yield* Effect.sleep("3 seconds")
        const { message, state } = yield* without.statusOf(id)
        assert.strictEqual(state, "Running")
        assert.include(message, 'the pipe waits for a server with the warehouse "*"')
        assert.include(without.printed.stderr, '1 pipes wait for a server with the warehouse "*"')
        // Nobody has read from it.
        assert.deepStrictEqual(yield* slots, before)
        yield* Effect.promise(() => without.stop())

        const again = yield* start("--warehouse", warehouse.url)
        yield* untilIds("1 2")
        yield* untilState(again, id, "Running")
        assert.strictEqual((yield* again.call("DELETE", `/${id}`)).status, 200)
        yield* until(Effect.map(slots, ({ length }) => length === 0))
      }).pipe(Effect.scoped),
    240_000
  )
})
