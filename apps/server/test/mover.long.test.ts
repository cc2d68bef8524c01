import { assert, it } from "@effect/vitest"
import { pipeRequests } from "@headgate/conformance/fixtures"
import { freePorts } from "@headgate/harness/freePorts"
import { kafkaRequest, objectStorageRequest, sourcePassword } from "@headgate/harness/pipeRequests"
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import { describeChdb, startServer } from "../../../packages/mover-clickhouse/test/support/chdb.ts"
import { frontUser } from "../../../packages/mover-clickhouse/test/support/httpFront.ts"
import { describeKafka, user } from "../../../packages/mover-kafka/test/support/describeKafka.ts"
import { makeTopic, produce } from "../../../packages/mover-kafka/test/support/topics.ts"
import { describeStorage, makeBucket } from "../../../packages/mover-object-storage/test/support/storage.ts"
import { counts, newDatabase, query, rows, startServing, until, untilRows, untilState } from "./support/moving.ts"
import { operate, temporaryDirectory } from "./support/processes.ts"

/** A server over a database in a directory. */
const startAlone = (directory: string, ...args: ReadonlyArray<string>) =>
  startServing(directory, {}, "--data", directory, ...args)

const startMoving = (directory: string, warehouse: string, ...args: ReadonlyArray<string>) =>
  startAlone(directory, "--warehouse", warehouse, ...args)

describeChdb("a server that moves rows", () => {
  describeKafka("from Kafka to ClickHouse", (kafka) => {
    it.live("moves a pipe through its life, with rejected rows, and shows its figures", () =>
      Effect.gen(function* () {
        const broker = yield* kafka
        const warehouse = yield* startServer()
        const directory = yield* temporaryDirectory
        const database = yield* newDatabase(warehouse)
        const topic = yield* makeTopic(broker, { partitions: 2 })
        const server = yield* startMoving(directory, warehouse.url)
        yield* produce(broker, topic, [`{"n":0,"text":"row 0","more":null}`])
        const { source } = kafkaRequest(broker.plain, topic, database, { offset: { strategy: "from_latest" } })
        const discovered = yield* server.call("POST", "/schemaDiscovery", { source })
        assert.deepStrictEqual(discovered.json.result.fields, [
          { name: "n", type: "Int64", optional: false },
          { name: "text", type: "String", optional: false },
          { name: "more", type: "Nullable(String)", optional: true }
        ])
        assert.deepStrictEqual(discovered.json.result.samples, [["0", "row 0", null]])
        const empty = { source: kafkaRequest(broker.plain, yield* makeTopic(broker), database).source }
        assert.include((yield* server.call("POST", "/schemaDiscovery", empty)).text, "no rows yet")
        const id = yield* server.create(
          kafkaRequest(broker.saslTls, topic, database, {
            authentication: "SCRAM-SHA-256",
            type: "redpanda",
            caCertificate: broker.certificate,
            credentials: { username: user.name, password: user.password }
          })
        )
        yield* untilState(server, id, "Running")
        yield* produce(broker, topic, [...rows(498, 1), `{"n":499,"text":"row 499","more":1}`], 0)
        yield* produce(broker, topic, [...rows(490, 500), ...Array.from({ length: 10 }, () => `{"n":"none"}`)], 1)
        yield* untilRows(warehouse, database, 990)
        assert.strictEqual(yield* counts(warehouse, database), "990\t990")
        const bad = yield* query(warehouse, `SELECT count() FROM ${database}.t_pipe_errors`)
        assert.strictEqual(bad, "10")
        yield* until(Effect.map(server.statusOf(id), ({ rows }) => rows === 1000))
        const status = yield* server.statusOf(id)
        assert.deepInclude(status, {
          state: "Running",
          simulated: false,
          warehouse: "*",
          guarantee: "exactly once",
          lag: 0,
          errors: 10,
          unknownFields: [{ name: "more", rows: 2 }],
          warnings: []
        })
        const metrics = yield* Effect.promise(() => fetch(`${server.url}/metrics`).then((answer) => answer.text()))
        assert.include(metrics, `headgate_pipe_rows_total{pipe="${id}"} 1000`)
        assert.include(metrics, `headgate_pipe_unknown_fields{pipe="${id}"} 1`)
        assert.include(metrics, `headgate_pipe_info{pipe="${id}",state="Running"} 1`)

        yield* server.setState(id, "stop")
        yield* untilState(server, id, "Stopped")
        yield* produce(broker, topic, rows(10, 1000))
        yield* Effect.sleep("2 seconds")
        assert.strictEqual(yield* counts(warehouse, database), "990\t990")
        yield* server.setState(id, "start")
        yield* untilRows(warehouse, database, 1000)
        assert.strictEqual((yield* server.call("DELETE", `/${id}`)).status, 200)
        yield* produce(broker, topic, rows(10, 2000))
        yield* Effect.sleep("2 seconds")
        assert.strictEqual(yield* counts(warehouse, database), "1000\t1000")

        // Charts read it by this, after its pipe, too.
        const tables = yield* operate("tables", "list", "--json", "--data", directory)
        assert.deepStrictEqual(
          JSON.parse(tables.stdout).map((one: any) => [
            one.pipeId,
            one.database,
            one.table,
            one.isCreated,
            one.isDeleted
          ]),
          [[id, database, "t", true, true]]
        )

        const listed = execFileSync("ps", ["-ww", "-o", "args=", "-p", String(server.pid)]).toString()
        const { stderr, stdout } = yield* Effect.promise(() => server.stop())
        for (const text of [listed, stdout, stderr, JSON.stringify(status), metrics]) {
          assert.notInclude(text, frontUser.password)
          assert.notInclude(text, user.password)
        }
        assert.include(stderr, `pipe ${id}: Provisioning -> Running`)
      })
    )

    it.live("delivers each row once while the server is killed and started again", () =>
      Effect.gen(function* () {
        const broker = yield* kafka
        const warehouse = yield* startServer()
        const directory = yield* temporaryDirectory
        const database = yield* newDatabase(warehouse)
        const topic = yield* makeTopic(broker, { partitions: 3 })
        const produced = 60_000
        let server = yield* startMoving(directory, warehouse.url)
        const id = yield* server.create(kafkaRequest(broker.plain, topic, database))
        yield* untilState(server, id, "Running")
        for (let batch = 0; batch < 6; batch += 1) {
          const [size, from] = [produced / 6, (batch * produced) / 6]
          yield* produce(broker, topic, rows(size, from), batch % 3)
          yield* Effect.sleep(`${200 + 150 * batch} millis`)
          yield* Effect.promise(() => server.stop("SIGKILL"))
          server = yield* startMoving(directory, warehouse.url)
        }
        yield* untilRows(warehouse, database, produced)
        assert.strictEqual(yield* counts(warehouse, database), `${produced}\t${produced}`)
        yield* untilState(server, id, "Running")
      })
    )

    it.live("keeps what a pipe has counted while it is stopped, and goes on from there", () =>
      Effect.gen(function* () {
        const broker = yield* kafka
        const warehouse = yield* startServer()
        const directory = yield* temporaryDirectory
        const database = yield* newDatabase(warehouse)
        const topic = yield* makeTopic(broker)
        let server = yield* startMoving(directory, warehouse.url)
        const id = yield* server.create(kafkaRequest(broker.plain, topic, database))
        const send = (first: number) => produce(broker, topic, [...rows(9, first), `{"n":"none","more":1}`])
        const untilCounted = (count: number) => until(Effect.map(server.statusOf(id), ({ rows }) => rows === count))
        const counted = (times: number) => ({ rows: 10 * times, errors: times })
        yield* send(0)
        yield* untilCounted(10)
        const { bytes } = yield* server.statusOf(id)
        // A server that ends keeps what its pipes have counted.
        yield* Effect.promise(() => server.stop())
        server = yield* startMoving(directory, warehouse.url)
        yield* send(100)
        yield* untilCounted(20)
        assert.deepInclude(yield* server.statusOf(id), counted(2))
        yield* server.setState(id, "stop")
        yield* untilState(server, id, "Stopped")
        yield* Effect.promise(() => server.stop("SIGKILL"))
        server = yield* startMoving(directory, warehouse.url)
        const stopped = yield* server.statusOf(id)
        assert.deepInclude(stopped, { ...counted(2), state: "Stopped", guarantee: "exactly once" })
        assert.isAbove(stopped.bytes, bytes)
        for (const member of ["mover", "lag", "rowsPerSecond", "bytesPerSecond"]) assert.notProperty(stopped, member)
        yield* server.setState(id, "start")
        yield* send(200)
        yield* untilCounted(30)
        assert.deepInclude(yield* server.statusOf(id), counted(3))
        yield* server.setState(id, "stop")
        yield* untilState(server, id, "Stopped")
        // It is read again, and counted again.
        yield* server.call("POST", `/${id}/resume`, { from: "start" })
        yield* untilState(server, id, "Running")
        yield* untilCounted(30)
        assert.strictEqual(yield* counts(warehouse, database), "54\t27")
      })
    )

    it.live("keeps 10 bad of 50,000 messages with their origin, and 50,000 of 50,000", () =>
      Effect.gen(function* () {
        const broker = yield* kafka
        const warehouse = yield* startServer()
        const database = yield* newDatabase(warehouse)
        const topic = yield* makeTopic(broker)
        const isBad = (n: number) => n % 5000 === 4999
        yield* produce(
          broker,
          topic,
          rows(50_000).map((row, n) => (isBad(n) ? `{"n":"none ${n}"}` : row))
        )
        const server = yield* startMoving(yield* temporaryDirectory, warehouse.url)
        const id = yield* server.create(kafkaRequest(broker.plain, topic, database))
        const errorsOf = (expected: number) =>
          until(Effect.map(server.statusOf(id), ({ errors }) => errors === expected))
        yield* errorsOf(10)
        assert.strictEqual(yield* counts(warehouse, database), "49990\t49990")
        const origins = yield* query(
          warehouse,
          `SELECT raw_message, partition, range_row, error != '' FROM ${database}.t_pipe_errors ORDER BY raw_message`
        )
        assert.lengthOf(origins.split("\n"), 10)
        assert.match(origins.split("\n")[0] ?? "", /^\{"n":"none 14999"\}\ttopic-\d+\/0\t\d+\t1$/)
        yield* produce(
          broker,
          topic,
          rows(50_000).map(() => "no object")
        )
        yield* errorsOf(50_010)
        assert.strictEqual(yield* counts(warehouse, database), "49990\t49990")
        assert.strictEqual(yield* query(warehouse, `SELECT count() FROM ${database}.t_pipe_errors`), "50010")
      })
    )

    it.live("says why a pipe is Degraded and then Failed, and tries again when it is started", () =>
      Effect.gen(function* () {
        const broker = yield* kafka
        const warehouse = yield* startServer()
        const directory = yield* temporaryDirectory
        const database = yield* newDatabase(warehouse)
        const topic = yield* makeTopic(broker)
        const [port] = yield* freePorts(1)
        const nobody = `127.0.0.1:${port}`
        const server = yield* startMoving(directory, warehouse.url, "--give-up", "4s")
        const id = yield* server.create(kafkaRequest(nobody, topic, database))
        yield* untilState(server, id, "Degraded")
        assert.include((yield* server.statusOf(id)).message, `broker ${nobody}`)
        yield* untilState(server, id, "Failed")
        assert.match((yield* server.statusOf(id)).message, /tried for .* and gave up/)
        yield* produce(broker, topic, rows(5))
        yield* server.call("PATCH", `/${id}`, { source: { kafka: { brokers: broker.plain } } })
        yield* server.setState(id, "start")
        yield* untilState(server, id, "Running")
        yield* untilRows(warehouse, database, 5)

        yield* Effect.promise(() => server.stop())
        const without = yield* startAlone(directory)
        assert.deepInclude(yield* without.statusOf(id), {
          state: "Running",
          message:
            'the pipe waits for a server with the warehouse "*", which this one does not have: headgate-server --warehouse URL',
          simulated: false
        })
        assert.include(without.printed.stderr, '1 pipes wait for a server with the warehouse "*"')
        const metrics = yield* Effect.promise(async () => (await fetch(`${without.url}/metrics`)).text())
        assert.include(metrics, "\nheadgate_waiting_pipes 1\n")
        assert.strictEqual((yield* without.setState(id, "resync")).status, 409)
        yield* Effect.promise(() => without.stop())
        // Back with the warehouse it goes on by itself.
        yield* produce(broker, topic, rows(5, 5))
        yield* startMoving(directory, warehouse.url)
        yield* untilRows(warehouse, database, 10)
      })
    )

    it.live("answers 400 for what is not moved, and names the field", () =>
      Effect.gen(function* () {
        const warehouse = yield* startServer()
        const directory = yield* temporaryDirectory
        const server = yield* startMoving(directory, warehouse.url, "--allow-source", "broker.internal")
        const refused = Effect.fnUntraced(function* (request: unknown, field: string) {
          const { status, text } = yield* server.call("POST", "", request)
          assert.strictEqual(status, 400, text)
          assert.include(text, field)
        })
        const kafkaOf = (fields: object, brokers = "broker.internal:9092") => kafkaRequest(brokers, "t", "d", fields)
        yield* refused(kafkaOf({ format: "Avro" }), "source.kafka.format")
        yield* refused(
          kafkaOf({ type: "msk", authentication: "IAM_ROLE", iamRole: "arn" }),
          "source.kafka.authentication"
        )
        yield* refused(kafkaOf({}, "169.254.169.254:9092"), "link-local")
        yield* refused(kafkaOf({}, "broker.example.com:9092"), "--allow-source")
        const { bigquery } = pipeRequests
        yield* refused(bigquery, "source.bigquery")
        const simulating = yield* startMoving(yield* temporaryDirectory, warehouse.url, "--simulate-unsupported")
        const id = yield* simulating.create(bigquery)
        assert.isTrue((yield* simulating.statusOf(id)).simulated)
      })
    )
  })

  describeStorage("from a bucket to ClickHouse", (storage) => {
    it.live("reads a bucket once, and another one as its objects arrive, also when it is killed", () =>
      Effect.gen(function* () {
        const bucket = yield* makeBucket(yield* storage)
        const warehouse = yield* startServer()
        const directory = yield* temporaryDirectory
        const database = yield* newDatabase(warehouse)
        yield* bucket.put("once/a.json", rows(500).join("\n"))
        yield* bucket.put("once/b.json", [...rows(10), "no row"].join("\n"))
        yield* bucket.put("once/blank.json", "\n\n")
        yield* bucket.put("once/whole.json", '{\n"n":"none"\n}\n')
        const server = yield* startMoving(directory, warehouse.url)
        const id = yield* server.create(objectStorageRequest(`${bucket.base}/once/*.json`, database))
        yield* untilState(server, id, "Completed")
        assert.strictEqual(yield* counts(warehouse, database), "510\t500")
        const bad = yield* query(
          warehouse,
          `SELECT range_to, range_row, raw_message FROM ${database}.t_pipe_errors ORDER BY ALL`
        )
        assert.strictEqual(bad, "once/b.json\t10\tno row\nonce/whole.json\t0\tonce/whole.json")
        const noted = {
          rejectedObjects: { count: 1, newest: ["once/whole.json"] },
          emptyObjects: { count: 1, newest: ["once/blank.json"] },
          warnings: [
            "1 objects are in the error table whole, by their keys, such as once/whole.json",
            "1 objects have bytes and no row, such as once/blank.json"
          ]
        }
        const completed = yield* server.statusOf(id)
        assert.deepInclude(completed, { simulated: false, guarantee: "exactly once", errors: 2, ...noted })
        assert.strictEqual(
          completed.message,
          "2 rows or objects were rejected: see t_pipe_errors; 1 objects have bytes and no row, such as once/blank.json"
        )
        const nothing = yield* server.create(objectStorageRequest(`${bucket.base}/nothing/*.json`, database))
        yield* untilState(server, nothing, "Completed")
        assert.include((yield* server.statusOf(nothing)).message, "no object has a key that matches")

        const other = yield* newDatabase(warehouse)
        const continuous = objectStorageRequest(`${bucket.base}/more/*.json`, other, { isContinuous: true })
        const next = yield* server.create(continuous)
        yield* untilState(server, next, "Running")
        yield* bucket.put("more/0.json", "\n")
        yield* bucket.put("more/1.json", rows(100).join("\n"))
        yield* untilRows(warehouse, other, 100)
        yield* until(Effect.map(server.statusOf(next), ({ emptyObjects }) => emptyObjects.count === 1))
        const { listSeconds, nextList } = yield* server.statusOf(next)
        assert.isAbove(listSeconds, 0)
        assert.match(nextList, /^\d{4}-\d\d-\d\dT/)
        const metrics = yield* Effect.promise(() => fetch(`${server.url}/metrics`).then((answer) => answer.text()))
        assert.include(metrics, `headgate_pipe_empty_objects_total{pipe="${next}"} 1`)
        assert.include(metrics, `headgate_pipe_rejected_objects_total{pipe="${next}"} 0`)
        for (const name of ["list_seconds", "next_list_timestamp_seconds"]) {
          assert.match(metrics, new RegExp(`^headgate_pipe_${name}\\{pipe="${next}"\\} [\\d.e-]+$`, "m"))
        }
        yield* Effect.promise(() => server.stop("SIGKILL"))
        yield* bucket.put("more/2.json", rows(100, 100).join("\n"))
        const again = yield* startMoving(directory, warehouse.url)
        yield* untilRows(warehouse, other, 200)
        assert.strictEqual(yield* counts(warehouse, other), "200\t200")
        assert.deepInclude(yield* again.statusOf(id), { state: "Completed", rows: 510, errors: 2, ...noted })
        const { text } = yield* again.call("GET", `/${next}`)
        assert.notInclude(text, sourcePassword)
      })
    )

    it.live("inserts into a table with a view at least once, if the settings say so", () =>
      Effect.gen(function* () {
        const bucket = yield* makeBucket(yield* storage)
        yield* bucket.put("a.json", rows(10).join("\n"))
        const warehouse = yield* startServer()
        const database = yield* newDatabase(warehouse)
        const server = yield* startMoving(yield* temporaryDirectory, warehouse.url)
        const request = objectStorageRequest(`${bucket.base}/*.json`, database)
        yield* untilState(server, yield* server.create(request), "Completed")
        yield* query(
          warehouse,
          `CREATE MATERIALIZED VIEW ${database}.v ENGINE = MergeTree ORDER BY n AS SELECT n FROM ${database}.t`
        )
        const refused = yield* server.create(request)
        yield* untilState(server, refused, "Failed")
        assert.include((yield* server.statusOf(refused)).message, "set object_storage_exactly_once to false")
        const plain = { ...request, settings: { object_storage_exactly_once: false } }
        const id = yield* server.create(plain)
        yield* untilState(server, id, "Completed")
        assert.strictEqual((yield* server.statusOf(id)).guarantee, "at least once")
        assert.strictEqual(yield* query(warehouse, `SELECT count() FROM ${database}.v`), "10")
      })
    )

    it.live("discovers the fields of the first object, and names what it cannot read", () =>
      Effect.gen(function* () {
        const bucket = yield* makeBucket(yield* storage)
        const warehouse = yield* startServer()
        const server = yield* startMoving(yield* temporaryDirectory, warehouse.url)
        yield* bucket.put(
          "a.json",
          `{"id":1,"at":"2026-01-02 03:04:05","tags":["a"],"in":{"a":1,"b":"x"},"last":null}\n{"id":2,"at":"2026-01-02 03:04:06","tags":[],"in":{"a":1,"b":"y"},"last":1.5,"note":"x"}`
        )
        yield* bucket.put("b.json", "no row")
        yield* bucket.put("c.csv", "id,name,price\n1,a,\n2,,1.5\n")
        yield* bucket.put("d.csv", "1;a\n")
        const discover = (pattern: string, change: object = {}) =>
          server.call("POST", "/schemaDiscovery", {
            source: objectStorageRequest(`${bucket.base}/${pattern}`, "d", change).source
          })
        const found = yield* discover("*.json")
        assert.strictEqual(found.status, 200, found.text)
        assert.deepStrictEqual(found.json.result.fields, [
          { name: "id", type: "Int64", optional: false },
          { name: "at", type: "DateTime", optional: false },
          { name: "tags", type: "Array(String)", optional: false },
          { name: "in", type: "Tuple(a Int64, b String)", optional: false },
          { name: "last", type: "Nullable(Float64)", optional: true },
          { name: "note", type: "Nullable(String)", optional: true }
        ])
        assert.deepStrictEqual(found.json.result.samples, [
          ["1", "2026-01-02 03:04:05", "['a']", "(1,'x')", null, null],
          ["2", "2026-01-02 03:04:06", "[]", "(1,'y')", "1.5", "x"]
        ])
        assert.deepStrictEqual((yield* discover("c.csv", { format: "CSVWithNames" })).json.result.fields, [
          { name: "id", type: "Int64", optional: false },
          { name: "name", type: "Nullable(String)", optional: true },
          { name: "price", type: "Nullable(Float64)", optional: true }
        ])
        assert.deepStrictEqual((yield* discover("d.csv", { format: "CSV", delimiter: ";" })).json.result.fields, [
          { name: "c1", type: "Int64", optional: false },
          { name: "c2", type: "String", optional: false }
        ])
        for (const [pattern, change, expected] of [
          ["b.json", {}, "source.objectStorage.format: the first object cannot be read"],
          ["x*.json", {}, "source.objectStorage.url: no object has a key that it matches"],
          ["*.json", { format: "Avro" }, "source.objectStorage.format"]
        ] as const) {
          const { status, text } = yield* discover(pattern, change)
          assert.strictEqual(status, 400, text)
          assert.include(text, expected)
          assert.notInclude(text, sourcePassword)
        }
      })
    )

    it.live("answers 400 for a storage that is not served or not allowed", () =>
      Effect.gen(function* () {
        const warehouse = yield* startServer()
        const server = yield* startMoving(yield* temporaryDirectory, warehouse.url, "--allow-source", "s3.example.com")
        const url = "https://s3.example.com/bucket/*.json"
        const cases: ReadonlyArray<readonly [unknown, string]> = [
          [objectStorageRequest(url, "d", { type: "gcs" }), "source.objectStorage.type"],
          [objectStorageRequest(url, "d", { format: "Avro" }), "source.objectStorage.format"],
          [
            { ...objectStorageRequest(url, "d"), settings: { object_storage_exactly_once: "no" } },
            "settings.object_storage_exactly_once"
          ],
          [objectStorageRequest("https://169.254.169.254/bucket/*.json", "d"), "source.objectStorage.url"],
          [objectStorageRequest("https://other.example.com/bucket/*.json", "d"), "--allow-source"]
        ]
        for (const [request, expected] of cases) {
          for (const path of ["", "/schemaDiscovery"]) {
            const { status, text } = yield* server.call("POST", path, request)
            assert.strictEqual(status, 400, text)
            assert.include(text, expected)
          }
        }
      })
    )
  })
})
