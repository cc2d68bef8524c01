// What a caller may try with a pipe: reach what stands behind the warehouse's password, or read what only the server may.
import { assert, it } from "@effect/vitest"
import { kafkaRequest, objectStorageRequest, postgresRequest } from "@headgate/harness/pipeRequests"
import * as Effect from "effect/Effect"
import { createServer } from "node:http"
import { describeChdb, startServer } from "../../../packages/mover-clickhouse/test/support/chdb.ts"
import { describeKafka } from "../../../packages/mover-kafka/test/support/describeKafka.ts"
import { makeTopic, produce } from "../../../packages/mover-kafka/test/support/topics.ts"
import { newDatabase, query, rows, startServing, untilRows, untilState } from "./support/moving.ts"
import { temporaryDirectory } from "./support/processes.ts"

/** A server that nobody asks, unless a statement that a caller smuggled in is run. */
const makeListener = Effect.gen(function* () {
  const asked: Array<string> = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? "")
    response.end("1\n")
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () => Effect.sync(() => server.close())
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return { asked, url: `http://127.0.0.1:${port}` }
})

/** Text that runs something where it is read as SQL, each in the place of a name, a type or an expression. */
const smuggled = (url: string): ReadonlyArray<string> => {
  const read = `url('${url}/hit', 'LineAsString')`
  return [
    `(SELECT count() FROM ${read})`,
    `String DEFAULT (SELECT count() FROM ${read})`,
    `x\`) ENGINE = Memory AS SELECT * FROM ${read} -- `,
    `x") ENGINE = Memory AS SELECT * FROM ${read} -- `,
    `x') SETTINGS x = 1; DROP TABLE behind.t -- `,
    `x\\\`, y String) ENGINE = Null; INSERT INTO behind.t SELECT 1 -- `,
    `x\`; SELECT * FROM ${read} FORMAT Null; --`,
    `Enum8('a' = (SELECT 1 FROM ${read}))`,
    `tuple() AS SELECT * FROM ${read}`,
    "file('/etc/passwd', 'LineAsString')",
    "behind.t",
    "../../behind/t",
    "x\u0000y"
  ]
}

/** The places of a request that reach SQL, each with a value in it. */
const places: Readonly<Record<string, (request: ReturnType<typeof kafkaRequest>, value: string) => object>> = {
  "destination.database": (request, value) => ({
    ...request,
    destination: { ...request.destination, database: value }
  }),
  "destination.table": (request, value) => ({ ...request, destination: { ...request.destination, table: value } }),
  "destination.columns.name": (request, value) => ({
    ...request,
    destination: { ...request.destination, columns: [...request.destination.columns, { name: value, type: "String" }] }
  }),
  "destination.columns.type": (request, value) => ({
    ...request,
    destination: { ...request.destination, columns: [...request.destination.columns, { name: "more", type: value }] }
  }),
  "destination.tableDefinition.engine": (request, value) => ({
    ...request,
    destination: {
      ...request.destination,
      tableDefinition: { ...request.destination.tableDefinition, engine: { type: value } }
    }
  }),
  "destination.tableDefinition.sortingKey": (request, value) => ({
    ...request,
    destination: {
      ...request.destination,
      tableDefinition: { ...request.destination.tableDefinition, sortingKey: [value] }
    }
  }),
  "destination.tableDefinition.primaryKey": (request, value) => ({
    ...request,
    destination: {
      ...request.destination,
      tableDefinition: { ...request.destination.tableDefinition, primaryKey: value }
    }
  }),
  "destination.tableDefinition.partitionBy": (request, value) => ({
    ...request,
    destination: {
      ...request.destination,
      tableDefinition: { ...request.destination.tableDefinition, partitionBy: value }
    }
  }),
  "fieldMappings.sourceField": (request, value) => ({
    ...request,
    fieldMappings: [{ sourceField: value, destinationField: "text" }]
  }),
  "fieldMappings.destinationField": (request, value) => ({
    ...request,
    fieldMappings: [{ sourceField: "text", destinationField: value }]
  })
}

const linkLocal = [
  "169.254.169.254",
  "[fe80::1]",
  "[fd00:ec2::254]",
  "[::ffff:169.254.169.254]",
  // Other ways to write it, which only a resolver reads.
  "0xa9fea9fe",
  "2852039166",
  "0251.0376.0251.0376"
]

describeChdb("a caller of a server with a warehouse", () => {
  describeKafka("over Kafka", (kafka) => {
    it.live(
      "runs no statement of its own, whatever a field holds",
      () =>
        Effect.gen(function* () {
          const broker = yield* kafka
          const listener = yield* makeListener
          const warehouse = yield* startServer()
          const database = yield* newDatabase(warehouse)
          yield* query(warehouse, "CREATE DATABASE IF NOT EXISTS behind")
          yield* query(warehouse, "CREATE TABLE behind.t (n UInt8) ENGINE = MergeTree ORDER BY n")
          yield* query(warehouse, "INSERT INTO behind.t VALUES (7)")
          // That the engine would run what is smuggled in.
          assert.strictEqual(
            yield* query(warehouse, `SELECT count() FROM url('${listener.url}/sane', 'LineAsString')`),
            "1"
          )
          const topic = yield* makeTopic(broker)
          yield* produce(broker, topic, rows(3))
          const directory = yield* temporaryDirectory
          const server = yield* startServing(directory, {}, "--data", directory, "--warehouse", warehouse.url)

          let tables = 0
          const attack = Effect.fnUntraced(function* (place: string, value: string) {
            tables += 1
            const request = kafkaRequest(broker.plain, topic, database)
            const named = { ...request, destination: { ...request.destination, table: `t${tables}` } }
            const { json, status, text } = yield* server.call("POST", "", places[place]?.(named, value))
            assert.include([200, 400], status, `${place} ${value}: ${text}`)
            if (status === 400) return "400"
            const id = String(json.result.id)
            let found = yield* server.statusOf(id)
            for (let look = 0; look < 300 && found.state === "Provisioning"; look += 1) {
              yield* Effect.sleep("100 millis")
              found = yield* server.statusOf(id)
            }
            // What is no name and no type is refused with a reason; what is a strange name is one.
            assert.include(["Running", "Failed"], found.state, `${place} ${value}: ${found.message}`)
            if (found.state === "Failed") assert.match(found.message, /destination|fieldMappings|table|column/)
            yield* server.call("DELETE", `/${id}`)
            return found.state
          })
          const attacks = Object.keys(places).flatMap((place) =>
            smuggled(listener.url).map((value) => [place, value] as const)
          )
          const ends = yield* Effect.forEach(attacks, ([place, value]) => attack(place, value), { concurrency: 4 })
          const count = (end: string) => ends.filter((one) => one === end).length
          console.log(
            `${ends.length} attacks: ${count("400")} answered 400, ${count("Failed")} Failed, ${count("Running")} names`
          )

          assert.deepStrictEqual(
            listener.asked.filter((path) => path !== "/sane"),
            []
          )
          assert.strictEqual(yield* query(warehouse, "SELECT groupArray(n) FROM behind.t"), "[7]")
          const held = `SELECT count() FROM merge(REGEXP('.*'), '^(t|x).*') WHERE toString(tuple(*)) LIKE '%root:%'`
          assert.strictEqual(yield* query(warehouse, held), "0")
          // The server and the warehouse go on.
          const last = yield* server.create(kafkaRequest(broker.plain, topic, database))
          yield* untilState(server, last, "Running")
          yield* untilRows(warehouse, database, 3)
          assert.strictEqual((yield* server.statusOf(last)).errors, 0)
        }),
      300_000
    )

    it.live("reaches no link-local address through any source, however it is written", () =>
      Effect.gen(function* () {
        const warehouse = yield* startServer()
        const directory = yield* temporaryDirectory
        const server = yield* startServing(directory, {}, "--data", directory, "--warehouse", warehouse.url)
        const requests = (host: string): ReadonlyArray<{ readonly source: object }> => [
          kafkaRequest(`${host}:9092`, "t", "d"),
          objectStorageRequest(`https://${host}/bucket/*.json`, "d"),
          postgresRequest({ name: "d", port: 5432 }, "d", { host: host.replaceAll(/[[\]]/g, "") })
        ]
        for (const host of linkLocal) {
          for (const request of requests(host)) {
            const { json, status, text } = yield* server.call("POST", "", request)
            const [kind] = Object.keys(request.source)
            if (status === 400) {
              assert.match(text, /link-local|resolved|source\./, `${kind} ${host}`)
              continue
            }
            assert.strictEqual(status, 200, `${kind} ${host}: ${text}`)
            const id = String(json.result.id)
            let { message, state } = yield* server.statusOf(id)
            for (let look = 0; look < 100 && state === "Provisioning"; look += 1) {
              yield* Effect.sleep("100 millis")
              ;({ message, state } = yield* server.statusOf(id))
            }
            assert.match(String(message), /link-local|resolved/, `${kind} ${host} is ${state}`)
            yield* server.call("DELETE", `/${id}`)
          }
        }
      })
    )
  })
})
