// A server that serves charts of what it moves: turned on by a user of queries or by --charts, over a restart, and what the start logs for an operator.
import { assert, it } from "@effect/vitest"
import { kafkaRequest } from "@headgate/harness/pipeRequests"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { describeChdb, startServer } from "../../../packages/mover-clickhouse/test/support/chdb.ts"
import { frontUser } from "../../../packages/mover-clickhouse/test/support/httpFront.ts"
import { describeKafka } from "../../../packages/mover-kafka/test/support/describeKafka.ts"
import { makeTopic, produce } from "../../../packages/mover-kafka/test/support/topics.ts"
import { bearer } from "./support/liveServer.ts"
import { newDatabase, query, rows, startServing, until } from "./support/moving.ts"
import { operate, operateIn, readCredentials, temporaryDirectory } from "./support/processes.ts"
import { withEngine } from "./support/withEngine.ts"

const asQueryUser = { HEADGATE_QUERY_USER: frontUser.name, HEADGATE_QUERY_PASSWORD: frontUser.password }
const range = { from: 0, to: 4_000_000_000_000 }

/** The observability API of a server, for the token of its credentials. */
const observe = (directory: string, url: string) => {
  const [owner] = readCredentials(join(directory, "credentials.json"))
  return (path: string, body?: unknown) =>
    Effect.promise(async () => {
      const response = await fetch(`${url}/api/v2${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: { authorization: bearer(owner?.token ?? ""), "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      const text = await response.text()
      return { status: response.status, text, json: text.startsWith("{") ? JSON.parse(text) : undefined }
    })
}

describeChdb("a server with charts", () => {
  describeKafka("of a pipe from Kafka", (kafka) => {
    it.live(
      "answers what its pipe has moved, after a restart and after the pipe, until the table is forgotten",
      () =>
        Effect.gen(function* () {
          const broker = yield* kafka
          const warehouse = yield* startServer()
          const directory = yield* temporaryDirectory
          const database = yield* newDatabase(warehouse)
          const topic = yield* makeTopic(broker)
          const flags = ["--data", directory, "--warehouse", warehouse.url]
          const start = (environment: Record<string, string>, ...args: ReadonlyArray<string>) =>
            startServing(directory, environment, ...flags, ...args)

          const without = yield* start({})
          yield* produce(broker, topic, rows(500))
          const id = yield* without.create(kafkaRequest(broker.plain, topic, database))
          yield* until(Effect.map(without.statusOf(id), (status) => status.rows === 500))
          const newest = { tile: { pipeId: id }, ...range }
          const off = yield* observe(directory, without.url)("/charts/query", newest)
          assert.deepStrictEqual([off.status, off.text.includes("--charts")], [424, true], off.text)
          assert.deepStrictEqual((yield* observe(directory, without.url)("/connections")).json.data, [])
          yield* Effect.promise(() => without.stop())

          // With --charts alone there is nobody to ask the warehouse as.
          const userless = yield* start({}, "--charts")
          const refused = yield* observe(directory, userless.url)("/charts/query", newest)
          assert.strictEqual(refused.status, 424, refused.text)
          for (const part of ["CREATE USER chart_reader", "GRANT SELECT ON `default`.*", "HEADGATE_QUERY_PASSWORD"]) {
            assert.include(refused.text, part)
          }
          yield* Effect.promise(() => userless.stop())

          const server = yield* start(asQueryUser)
          const observed = observe(directory, server.url)
          const found = yield* observed("/charts/query", newest)
          assert.strictEqual(found.status, 200, found.text)
          assert.isAtLeast(found.json.data.rows.length, 1)
          const [connection] = (yield* observed("/connections")).json.data
          assert.strictEqual(connection.name, "warehouse")
          const source = yield* observed("/sources", {
            name: "rows",
            kind: "log",
            connection: connection.id,
            from: { databaseName: database, tableName: "t" },
            timestampValueExpression: "toDateTime(n)",
            defaultTableSelectExpression: "n"
          })
          assert.strictEqual(source.status, 200, source.text)
          const number = {
            tile: {
              config: {
                displayType: "number",
                sourceId: source.json.data.id,
                select: [{ aggFn: "count", where: "n < 200", whereLanguage: "sql" }]
              }
            },
            ...range
          }
          const counted = yield* observed("/charts/query", number)
          assert.strictEqual(counted.status, 200, counted.text)
          assert.deepStrictEqual(counted.json.data.rows, [[200]])
          // The user of the front may do everything.
          yield* Effect.promise(() => server.printedBy(/the user of queries .* may do more than read: .*INSERT/))
          assert.strictEqual((yield* server.call("DELETE", `/${id}`)).status, 200)
          yield* Effect.promise(() => server.stop())

          const last = yield* start(asQueryUser, "--query-timeout", "30s", "--query-memory", "1GiB")
          const afterPipe = yield* observe(directory, last.url)("/charts/query", number)
          assert.deepStrictEqual(afterPipe.json?.data.rows, [[200]], afterPipe.text)
          const forgotten = yield* operate("tables", "forget", database, "t", "--yes", "--data", directory)
          assert.strictEqual(forgotten.code, 0, forgotten.stderr)
          const gone = yield* observe(directory, last.url)("/charts/query", number)
          assert.strictEqual(gone.status, 404, gone.text)
          yield* Effect.promise(() => last.stop())

          const named = yield* start(asQueryUser, "--query-database", database)
          const byOperator = yield* observe(directory, named.url)("/charts/query", number)
          assert.deepStrictEqual(byOperator.json?.data.rows, [[200]], byOperator.text)
          // With a second organization it is nobody's, which the next start says.
          const added = yield* operate("organization", "add", "--name", "Other", "--data", directory)
          assert.strictEqual(added.code, 0, added.stderr)
          const nobodys = yield* observe(directory, named.url)("/charts/query", number)
          assert.strictEqual(nobodys.status, 404, nobodys.text)
          yield* Effect.promise(() => named.stop())
          const several = yield* start(asQueryUser, "--query-database", database)
          assert.include(several.printed.stderr, `charts do not read --query-database ${database}`)
          yield* Effect.promise(() => several.stop())
          const [owner] = readCredentials(join(directory, "credentials.json"))
          const pair = yield* start(asQueryUser, "--query-database", `${owner?.organization.id}=${database}`)
          const ofPair = yield* observe(directory, pair.url)("/charts/query", number)
          assert.deepStrictEqual(ofPair.json?.data.rows, [[200]], ofPair.text)
          yield* Effect.promise(() => pair.stop())

          // A stored connection is asked as its own user, where its host is allowed.
          const ofHosts = (...hosts: ReadonlyArray<string>) =>
            startServing(
              directory,
              {},
              "--data",
              directory,
              "--charts",
              ...hosts.flatMap((host) => ["--allow-query-host", host])
            )
          const [user, password] = [frontUser.name, frontUser.password]
          const stored = { name: "own", host: warehouse.url, username: user, password }
          const allowed = yield* ofHosts("127.0.0.1")
          const own = observe(directory, allowed.url)
          const created = yield* own("/connections", stored)
          const { id: _, ...copied } = source.json.data
          const ownSource = yield* own("/sources", { ...copied, name: "own", connection: created.json.data.id })
          const ofOwn = { ...number, tile: { config: { ...number.tile.config, sourceId: ownSource.json.data.id } } }
          const byHost = yield* own("/charts/query", ofOwn)
          assert.deepStrictEqual(byHost.json?.data.rows, [[200]], byHost.text)
          yield* Effect.promise(() => allowed.stop())
          const others = yield* ofHosts("10.0.0.0/8")
          const notAllowed = yield* observe(directory, others.url)("/charts/query", ofOwn)
          assert.deepStrictEqual([notAllowed.status, notAllowed.text.includes("--allow-query-host")], [400, true])
          yield* Effect.promise(() => others.stop())
          yield* query(warehouse, `DROP DATABASE ${database}`)
        }),
      { timeout: 600_000 }
    )

    it.live(
      "is the engine inside its process with --charts alone, which an operator asks when the server is stopped",
      () =>
        Effect.gen(function* () {
          const broker = yield* kafka
          const directory = yield* temporaryDirectory
          const warehouse = `embedded:${join(directory, "warehouse")}`
          const topic = yield* makeTopic(broker)
          yield* produce(broker, topic, rows(500))
          const flags = ["--data", directory, "--warehouse", warehouse, "--charts"]
          const server = yield* startServing(directory, withEngine, ...flags)
          const id = yield* server.create(kafkaRequest(broker.plain, topic, "default"))
          yield* until(Effect.map(server.statusOf(id), (status) => status.rows === 500))
          const newest = { tile: { pipeId: id }, ...range }
          const found = yield* observe(directory, server.url)("/charts/query", newest)
          assert.strictEqual(found.status, 200, found.text)
          assert.isAtLeast(found.json.data.rows.length, 1)
          const ask = operateIn(withEngine, "query", "--warehouse", warehouse, "SELECT count() AS rows FROM t")
          const running = yield* ask
          assert.deepStrictEqual([running.code, running.stderr.includes(`another process (${server.pid})`)], [1, true])
          yield* Effect.promise(() => server.stop())
          assert.strictEqual((yield* ask).stdout, "rows\n500\n")
          const bounded = yield* startServing(directory, withEngine, ...flags, "--query-rows", "100")
          const tooMany = yield* observe(directory, bounded.url)("/charts/query", newest)
          assert.strictEqual(tooMany.status, 400, tooMany.text)
        }),
      { timeout: 600_000 }
    )
  })
})
