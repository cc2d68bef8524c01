// A server with --demo: its first start, what it shows, and a second start over its own store.
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { describeChdb } from "../../../packages/mover-clickhouse/test/support/chdb.ts"
import { bearer } from "./support/liveServer.ts"
import { startServing } from "./support/moving.ts"
import { readCredentials, temporaryDirectory } from "./support/processes.ts"
import { withEngine } from "./support/withEngine.ts"

const idOf = (last: number) => `de300000-5b1c-4f0e-9d52-0c6a4e8f1b${last}`
const [clicks, orders, logs] = [idOf(11), idOf(12), idOf(13)]

const until = <A>(ask: Effect.Effect<A>, holds: (found: A) => boolean): Effect.Effect<A> =>
  Effect.flatMap(ask, (found) =>
    holds(found) ? Effect.succeed(found) : Effect.andThen(Effect.sleep("500 millis"), until(ask, holds))
  )

/** Starts a demo, as its command does. */
const startDemo = Effect.fnUntraced(function* (directory: string) {
  const server = yield* startServing(directory, withEngine, "--demo", "--data", directory)
  const [owner] = readCredentials(join(directory, "credentials.json"))
  const observed = (path: string, body?: unknown, method = body === undefined ? "GET" : "POST") =>
    Effect.promise(async () => {
      const response = await fetch(`${server.url}/api/v2${path}`, {
        method,
        headers: { authorization: bearer(owner?.token ?? ""), "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      const text = await response.text()
      return { status: response.status, text, json: text.startsWith("{") ? JSON.parse(text) : undefined }
    })
  return { ...server, observed }
})

describeChdb("headgate-server --demo", () => {
  it.live(
    "shows pipes that run, are stopped and have failed, rejected rows, and a dashboard whose tiles have rows",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const server = yield* startDemo(directory)
        const moved = yield* until(server.statusOf(clicks), ({ rows, state }) => state === "Running" && rows > 150_000)
        // One row in 500, of what was there and of what has come.
        assert.approximately(moved.errors / moved.rows, 1 / 500, 1 / 5000)
        const rejected = yield* server.call("GET", `/${clicks}/errors?limit=1`)
        const [{ error, message }] = rejected.json.result
        assert.strictEqual(error, "column duration_ms: timeout: it is no UInt32")
        assert.strictEqual(JSON.parse(message).duration_ms, "timeout")

        const [dashboard] = (yield* server.observed("/dashboards")).json.data
        assert.lengthOf(dashboard.tiles, 6)
        const now = Date.now()
        for (const { id: tileId, name } of dashboard.tiles) {
          const tile = { tile: { dashboardId: dashboard.id, tileId }, from: now - 900_000, to: now }
          const { json, status, text } = yield* server.observed("/charts/query", tile)
          assert.strictEqual(status, 200, `${name}: ${text}`)
          assert.isNotEmpty(json.data.rows, name)
        }

        const kafka = { type: "kafka", format: "JSONEachRow", brokers: "broker.example.com:9092", topics: "clicks" }
        const destination = {
          database: "default",
          table: "t",
          managedTable: true,
          columns: [{ name: "n", type: "Int32" }]
        }
        const request = { name: "own", source: { kafka }, destination }
        const other = yield* server.call("POST", "", request)
        assert.strictEqual(other.status, 400, other.text)
        assert.include(other.text, "source.kafka.brokers: a server with --demo")

        yield* until(server.statusOf(orders), ({ state }) => state === "Stopped")
        const failed = yield* until(server.statusOf(logs), ({ state }) => state === "Failed")
        assert.include(failed.message, "partition logs/0: the source no longer holds")
        assert.include(failed.message, "headgate pipe resume NAME --skip")
        const states = (yield* server.call("GET", `/${logs}/events`)).json.result.map(({ to }: { to: string }) => to)
        assert.deepStrictEqual(states.toReversed(), [
          "Provisioning",
          "Running",
          "Stopping",
          "Stopped",
          "Provisioning",
          "Failed"
        ])
        assert.strictEqual((yield* server.observed(`/dashboards/${dashboard.id}`, undefined, "DELETE")).status, 200)
        const before = yield* server.statusOf(clicks)
        yield* Effect.promise(() => server.stop())

        const second = yield* startDemo(directory)
        assert.notInclude(second.printed.stderr, "New credentials")
        yield* until(second.statusOf(clicks), ({ rows, state }) => state === "Running" && rows > before.rows)
        assert.strictEqual((yield* second.statusOf(orders)).state, "Stopped")
        // What was deleted stays so.
        assert.deepStrictEqual((yield* second.observed("/dashboards")).json.data, [])
        const resumed = yield* second.call("POST", `/${logs}/resume`, { pending: "skip" })
        assert.strictEqual(resumed.status, 200, resumed.text)
        yield* until(second.statusOf(logs), ({ state }) => state === "Running")
      }),
    { timeout: 600_000 }
  )
})
