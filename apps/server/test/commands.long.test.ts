// start, stop, resync and delete while rows move: nothing stays in the source, the warehouse, the store or the list of processes. The
// tables with the rows, the errors and the log stay by design.
import { assert, it } from "@effect/vitest"
import { makeRandom } from "@headgate/harness/Random"
import { kafkaRequest, objectStorageRequest, postgresRequest } from "@headgate/harness/pipeRequests"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { spawnSync } from "node:child_process"
import { describeChdb, startServer } from "../../../packages/mover-clickhouse/test/support/chdb.ts"
import type { Front } from "../../../packages/mover-clickhouse/test/support/httpFront.ts"
import { describeKafka } from "../../../packages/mover-kafka/test/support/describeKafka.ts"
import { makeTopic, produce } from "../../../packages/mover-kafka/test/support/topics.ts"
import { describeStorage, makeBucket } from "../../../packages/mover-object-storage/test/support/storage.ts"
import { describePostgres } from "../../../packages/mover-postgres/test/support/describePostgres.ts"
import { newDatabase, query, rows, type Serving, startServing, until } from "./support/moving.ts"
import { operate, temporaryDirectory } from "./support/processes.ts"

const seeds = [1, 2, 3]
const commandsPerSeed = 6

const commands = ["start", "stop", "resync"] as const

/** Sends commands in a random order while rows arrive, then deletes the pipe. A command that its state refuses is a 409. */
const commandAndDelete = Effect.fnUntraced(function* (
  server: Serving,
  request: unknown,
  addRows: (from: number) => Effect.Effect<unknown>,
  seed: number
) {
  const random = makeRandom(seed)
  const id = yield* server.create(request)
  let added = 0
  const adding = yield* Effect.forkChild(
    Effect.forever(
      Effect.andThen(
        Effect.suspend(() => addRows(seed * 1_000_000 + (added += 10))),
        Effect.sleep("50 millis")
      )
    )
  )
  // Rows have moved in the first pipe, however slow the machine is. The others get their commands from the beginning.
  if (seed === seeds[0]) yield* until(Effect.map(server.statusOf(id), ({ rows }) => rows > 0))
  for (let sent = 0; sent < commandsPerSeed; sent += 1) {
    yield* Effect.sleep(random.between(0, 1500))
    const command = random.pick(commands)
    const { status, text } = yield* server.setState(id, command)
    assert.include([200, 400, 409], status, `seed ${seed}, ${command}: ${text}`)
  }
  yield* Effect.sleep(random.between(0, 1000))
  assert.strictEqual((yield* server.call("DELETE", `/${id}`)).status, 200)
  yield* Fiber.interrupt(adding)
})

/** A server with a warehouse, and the wait until it has cleaned up after all deleted pipes. */
const start = Effect.gen(function* () {
  const warehouse = yield* startServer()
  const directory = yield* temporaryDirectory
  const database = yield* newDatabase(warehouse)
  const server = yield* startServing(directory, {}, "--data", directory, "--warehouse", warehouse.url)
  const cleanedUp = until(
    Effect.map(operate("cleanup", "list", "--json", "--data", directory), ({ stdout }) => stdout.trim() === "[]")
  )
  return { cleanedUp, database, server, warehouse }
})

const assertNothingLeft = Effect.fnUntraced(function* (server: Serving, warehouse: Front, database: string) {
  const sql = `SELECT name FROM system.tables WHERE database = '${database}' AND startsWith(name, 'headgate_stage_')`
  assert.strictEqual(yield* query(warehouse, sql), "")
  // The commands came while rows moved.
  const moved = `SELECT sum(total_rows) > 0 FROM system.tables WHERE database = '${database}' AND name NOT LIKE 'headgate%'`
  assert.strictEqual(yield* query(warehouse, moved), "1")
  const metrics = yield* Effect.promise(async () => (await fetch(`${server.url}/metrics`)).text())
  assert.notMatch(metrics, /^headgate_pipe_info\{/mu)
  // A server moves pipes in its own process.
  assert.strictEqual(spawnSync("pgrep", ["-P", String(server.pid)], { encoding: "utf8" }).stdout, "")
})

describePostgres("commands while rows move from Postgres", (newSource) => {
  it.live(
    "leave no slot and no publication",
    () =>
      Effect.gen(function* () {
        const source = yield* newSource
        yield* source.run("CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t SELECT generate_series(1, 5000)")
        const { cleanedUp, database, server, warehouse } = yield* start
        for (const seed of seeds) {
          const tableMappings = [{ sourceSchemaName: "public", sourceTable: "t", targetTable: `t${seed}` }]
          const request = { ...postgresRequest(source, database, { tableMappings }), name: `seed ${seed}` }
          const addRows = (from: number) => source.run(`INSERT INTO t SELECT generate_series(${from}, ${from + 9})`)
          yield* commandAndDelete(server, request, addRows, seed)
        }
        yield* cleanedUp
        const left = yield* source.run(`SELECT slot_name::text AS name FROM pg_replication_slots
          WHERE database = '${source.name}' UNION ALL SELECT pubname::text FROM pg_publication`)
        assert.deepStrictEqual(left, [])
        yield* assertNothingLeft(server, warehouse, database)
      }).pipe(Effect.scoped),
    300_000
  )
})

describeChdb("commands while rows move", () => {
  describeKafka("from Kafka", (kafka) => {
    it.live(
      "leave nothing",
      () =>
        Effect.gen(function* () {
          const broker = yield* kafka
          const { cleanedUp, database, server, warehouse } = yield* start
          for (const seed of seeds) {
            const topic = yield* makeTopic(broker)
            const addRows = (from: number) => produce(broker, topic, rows(10, from))
            yield* commandAndDelete(server, kafkaRequest(broker.plain, topic, database), addRows, seed)
          }
          yield* cleanedUp
          yield* assertNothingLeft(server, warehouse, database)
        }).pipe(Effect.scoped),
      300_000
    )
  })

  describeStorage("from object storage", (storage) => {
    it.live(
      "leave no staging table",
      () =>
        Effect.gen(function* () {
          const running = yield* storage
          const { cleanedUp, database, server, warehouse } = yield* start
          for (const seed of seeds) {
            const bucket = yield* makeBucket(running)
            const addRows = (from: number) =>
              bucket.put(`${String(from).padStart(9, "0")}.json`, rows(1000, from).join("\n"))
            const url = `${bucket.base}/*.json`
            const request = {
              ...objectStorageRequest(url, database, { isContinuous: true }),
              name: `seed ${seed}`
            }
            yield* commandAndDelete(server, request, addRows, seed)
          }
          yield* cleanedUp
          yield* assertNothingLeft(server, warehouse, database)
        }).pipe(Effect.scoped),
      300_000
    )
  })
})
