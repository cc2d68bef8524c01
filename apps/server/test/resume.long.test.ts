import { it, assert } from "@effect/vitest"
import { kafkaRequest, objectStorageRequest } from "@headgate/harness/pipeRequests"
import * as Effect from "effect/Effect"
import { cpSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describeChdb, startServer } from "../../../packages/mover-clickhouse/test/support/chdb.ts"
import { describeKafka } from "../../../packages/mover-kafka/test/support/describeKafka.ts"
import { deleteBefore, makeTopic, produce, recreate } from "../../../packages/mover-kafka/test/support/topics.ts"
import { describeStorage, makeBucket } from "../../../packages/mover-object-storage/test/support/storage.ts"
import {
  counts,
  newDatabase,
  query,
  rows,
  type Serving,
  startServing,
  untilRows,
  untilState
} from "./support/moving.ts"
import { operate, temporaryDirectory } from "./support/processes.ts"

const resume = Effect.fnUntraced(function* (server: Serving, id: string, decision: object) {
  const { json, status } = yield* server.call("POST", `/${id}/resume`, decision)
  assert.deepStrictEqual([status, json.result?.state], [200, "Provisioning"], JSON.stringify(json))
})

/** Starts a server over a directory, and kills it at moments after a decision, which takes some 100 ms to be carried out. */
const restartsOf = (directory: string, warehouse: string) => {
  const start = startServing(directory, {}, "--data", directory, "--warehouse", warehouse)
  const resumeAndKill = Effect.fnUntraced(function* (first: Serving, id: string, decision: object) {
    let server = first
    yield* resume(server, id, decision)
    for (const delay of [100, 400, 800, 1200, 1600, 2000]) {
      yield* Effect.sleep(`${delay} millis`)
      yield* Effect.promise(() => server.stop("SIGKILL"))
      server = yield* start
    }
    yield* untilState(server, id, "Running")
    return server
  })
  return { start, resumeAndKill }
}

describeChdb("a pipe that needs a decision", () => {
  describeKafka("from Kafka", (kafka) => {
    const setUp = Effect.fnUntraced(function* (partitions = 1) {
      const broker = yield* kafka
      const warehouse = yield* startServer()
      const directory = yield* temporaryDirectory
      const database = yield* newDatabase(warehouse)
      const topic = yield* makeTopic(broker, { partitions })
      const { resumeAndKill, start } = restartsOf(directory, warehouse.url)
      const server = yield* start
      const id = yield* server.create(kafkaRequest(broker.plain, topic, database))
      yield* untilState(server, id, "Running")
      return { broker, warehouse, directory, database, topic, server, id, start, resumeAndKill }
    })

    it.live("goes on from the warehouse after the database of the server was restored from a backup", () =>
      Effect.gen(function* () {
        const { broker, database, directory, id, resumeAndKill, server, start, topic, warehouse } = yield* setUp(2)
        yield* produce(broker, topic, rows(500))
        yield* untilRows(warehouse, database, 500)
        yield* Effect.promise(() => server.stop())
        const backup = yield* temporaryDirectory
        cpSync(directory, backup, { recursive: true })

        const later = yield* start
        yield* produce(broker, topic, rows(500, 500), 1)
        yield* produce(broker, topic, rows(500, 1000))
        yield* untilRows(warehouse, database, 1500)
        yield* Effect.promise(() => later.stop())
        cpSync(backup, directory, { recursive: true })

        const restored = yield* start
        yield* untilState(restored, id, "Failed")
        const { message } = yield* restored.statusOf(id)
        assert.include(message, "the ledger and the warehouse differ")
        assert.include(message, "headgate pipe resume NAME --from warehouse")
        assert.include(message, 'POST .../resume {"from":"warehouse"}')
        // A start decides nothing.
        yield* restored.setState(id, "start")
        yield* untilState(restored, id, "Failed")

        const running = yield* resumeAndKill(restored, id, { from: "warehouse" })
        yield* produce(broker, topic, rows(100, 1500))
        yield* untilRows(warehouse, database, 1600)
        assert.strictEqual(yield* counts(warehouse, database), "1600\t1600")
        assert.isNull((yield* running.statusOf(id)).message)
        assert.strictEqual((yield* running.call("POST", `/${id}/resume`, { from: "start" })).status, 409)
      })
    )

    it.live("reads a topic that was made again from its start, once, also when it is killed", () =>
      Effect.gen(function* () {
        const { broker, database, id, resumeAndKill, server, start, topic, warehouse } = yield* setUp()
        yield* produce(broker, topic, rows(100))
        yield* untilRows(warehouse, database, 100)
        yield* Effect.promise(() => server.stop())
        yield* recreate(broker, topic)
        yield* produce(broker, topic, rows(200, 1000))
        const again = yield* start
        yield* untilState(again, id, "Failed")
        assert.include((yield* again.statusOf(id)).message, "headgate pipe resume NAME --from start")
        const running = yield* resumeAndKill(again, id, { from: "start" })
        yield* untilRows(warehouse, database, 300)
        // It is not carried out again once rows have moved.
        yield* Effect.promise(() => running.stop("SIGKILL"))
        yield* untilState(yield* start, id, "Running")
        yield* produce(broker, topic, rows(10, 2000))
        yield* untilRows(warehouse, database, 310)
        assert.strictEqual(yield* counts(warehouse, database), "310\t310")
      })
    )

    it.live("is adopted by another server that imports it, and goes on where the first one was", () =>
      Effect.gen(function* () {
        const { broker, database, directory, id, server, topic, warehouse } = yield* setUp()
        yield* produce(broker, topic, rows(100))
        yield* untilRows(warehouse, database, 100)
        yield* Effect.promise(() => server.stop())
        const other = yield* temporaryDirectory
        const document = join(other, "export.json")
        const exported = yield* operate("export", "--data", directory)
        assert.strictEqual(exported.code, 0, exported.stderr)
        writeFileSync(document, exported.stdout)
        cpSync(join(directory, "credentials.json"), join(other, "credentials.json"))
        const imported = yield* operate("import", document, "--data", other)
        assert.strictEqual(imported.code, 0, imported.stderr)
        yield* produce(broker, topic, rows(100, 100))

        const without = yield* startServing(other, {}, "--data", other)
        assert.isTrue((yield* without.statusOf(id)).simulated)
        const refused = yield* without.call("POST", `/${id}/adopt`)
        assert.deepStrictEqual(
          [refused.status, (yield* without.call("POST", `/${id}/resume`, { from: "start" })).status],
          [409, 409]
        )
        assert.include(refused.text, "no warehouse")
        yield* Effect.promise(() => without.stop())

        const elsewhere = startServing(other, {}, "--data", other, "--warehouse", warehouse.url)
        const narrow = yield* startServing(
          other,
          {},
          "--data",
          other,
          "--warehouse",
          warehouse.url,
          "--allow-source",
          "b.example.com"
        )
        const notAllowed = yield* narrow.call("POST", `/${id}/adopt`)
        assert.strictEqual(notAllowed.status, 400, notAllowed.text)
        assert.include(notAllowed.text, "source.kafka.brokers")
        yield* Effect.promise(() => narrow.stop())
        const adopting = yield* elsewhere
        const { json, status } = yield* adopting.call("POST", `/${id}/adopt`)
        assert.deepStrictEqual([status, json.result?.state], [200, "Provisioning"], JSON.stringify(json))
        yield* untilState(adopting, id, "Failed")
        const { message, simulated } = yield* adopting.statusOf(id)
        assert.isFalse(simulated)
        assert.include(message, "headgate pipe resume NAME --from warehouse")
        assert.strictEqual((yield* adopting.call("POST", `/${id}/adopt`)).status, 409)
        yield* resume(adopting, id, { from: "warehouse" })
        yield* untilState(adopting, id, "Running")
        yield* untilRows(warehouse, database, 200)
        assert.strictEqual(yield* counts(warehouse, database), "200\t200")
      })
    )

    it.live("leaves out the messages that the topic has lost", () =>
      Effect.gen(function* () {
        const { broker, database, id, server, topic, warehouse } = yield* setUp(2)
        yield* produce(broker, topic, rows(100))
        yield* untilRows(warehouse, database, 100)
        yield* server.setState(id, "stop")
        yield* untilState(server, id, "Stopped")
        yield* produce(broker, topic, rows(100, 100))
        yield* produce(broker, topic, rows(100, 200), 1)
        yield* deleteBefore(broker, topic, 150n)
        yield* server.setState(id, "start")
        yield* untilState(server, id, "Failed")
        assert.include((yield* server.statusOf(id)).message, "headgate pipe resume NAME --skip")
        yield* resume(server, id, { pending: "skip" })
        // A mover that meets the change leaves the decision to the next one.
        for (const name of ["one", "two", "three"]) {
          yield* Effect.sleep("300 millis")
          yield* server.call("PATCH", `/${id}`, { name })
        }
        yield* untilState(server, id, "Running")
        yield* untilRows(warehouse, database, 250)
        const missing = yield* query(
          warehouse,
          `SELECT countIf(n >= 100 AND n < 150), count(), uniqExact(n) FROM ${database}.t`
        )
        assert.strictEqual(missing, "0\t250\t250")
      })
    )
  })

  describeStorage("from object storage", (storage) => {
    it.live("reads another bucket from its start, and takes no decision about batches", () =>
      Effect.gen(function* () {
        const bucket = yield* makeBucket(yield* storage)
        const warehouse = yield* startServer()
        const directory = yield* temporaryDirectory
        const database = yield* newDatabase(warehouse)
        const server = yield* startServing(directory, {}, "--data", directory, "--warehouse", warehouse.url)
        yield* bucket.put("b/1.json", rows(100).join("\n"))
        yield* bucket.put("a/1.json", rows(50, 1000).join("\n"))
        const id = yield* server.create(
          objectStorageRequest(`${bucket.base}/b/*.json`, database, { isContinuous: true })
        )
        yield* untilState(server, id, "Running")
        yield* untilRows(warehouse, database, 100)
        yield* server.setState(id, "stop")
        yield* untilState(server, id, "Stopped")
        const url = `${bucket.base}/a/*.json`
        yield* server.call("PATCH", `/${id}`, { source: { objectStorage: { url } } })
        yield* server.setState(id, "start")
        yield* untilState(server, id, "Failed")
        assert.include((yield* server.statusOf(id)).message, "headgate pipe resume NAME --from start")
        assert.strictEqual((yield* server.call("POST", `/${id}/resume`, { pending: "skip" })).status, 400)
        // The keys of the one bucket say nothing of those of the other one.
        yield* resume(server, id, { from: "ledger" })
        yield* untilState(server, id, "Failed")
        assert.strictEqual(yield* counts(warehouse, database), "100\t100")
        yield* resume(server, id, { from: "start" })
        yield* untilRows(warehouse, database, 150)
        yield* bucket.put("a/2.json", rows(10, 2000).join("\n"))
        yield* untilRows(warehouse, database, 160)
        assert.strictEqual(yield* counts(warehouse, database), "160\t160")
      })
    )
  })
})
