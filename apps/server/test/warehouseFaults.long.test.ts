import { assert, it } from "@effect/vitest"
import { kafkaRequest } from "@headgate/harness/pipeRequests"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describeChdb } from "../../../packages/mover-clickhouse/test/support/chdb.ts"
import { describeKafka } from "../../../packages/mover-kafka/test/support/describeKafka.ts"
import { makeTopic, produce } from "../../../packages/mover-kafka/test/support/topics.ts"
import { counts, query, rows, startServing, until, untilRows, untilState } from "./support/moving.ts"
import { temporaryDirectory } from "./support/processes.ts"
import { makeWarehouse } from "./support/warehouseProcess.ts"

// A small file system that can be filled wants a namespace of mounts.
const canMount = spawnSync("unshare", ["-rm", "true"]).status === 0
if (!canMount) console.error("\na full disk of the warehouse: NOT TESTED, for unshare -rm does not work here\n")

describeChdb("a server whose warehouse fails", () => {
  describeKafka("while rows move", (kafka) => {
    /** A warehouse, a server, and a pipe that runs. `around` is the command that the warehouse is started by. */
    const stage = Effect.fnUntraced(function* (...around: ReadonlyArray<string>) {
      const broker = yield* kafka
      const directory = yield* temporaryDirectory
      const path = join(directory, "warehouse")
      mkdirSync(path)
      const warehouse = yield* makeWarehouse(path, ...around.map((part) => (part === "PATH" ? path : part)))
      yield* query(warehouse.front, "CREATE DATABASE d")
      const topic = yield* makeTopic(broker, { partitions: 3 })
      const data = join(directory, "data")
      const server = yield* startServing(directory, {}, "--data", data, "--warehouse", warehouse.front.url)
      const id = yield* server.create(kafkaRequest(broker.plain, topic, "d"))
      yield* untilState(server, id, "Running")
      let sent = 0
      const send = (count: number) =>
        Effect.forEach([0, 1, 2], (partition) => {
          const messages = rows(count / 3, sent)
          sent += count / 3
          return produce(broker, topic, messages, partition)
        })
      return { ...warehouse, path, server, id, send, sent: () => sent }
    })

    it.live("delivers each row once while the warehouse is killed and started again", () =>
      Effect.gen(function* () {
        const { front, id, send, sent, server, start, stop } = yield* stage()
        for (let round = 0; round < 5; round += 1) {
          yield* Effect.forkChild(send(30_000))
          // In the middle of inserts, more or less.
          yield* Effect.sleep(`${300 + 130 * round} millis`)
          yield* stop
          // A pipe without new rows would not miss its warehouse.
          yield* send(300)
          yield* untilState(server, id, "Degraded")
          yield* start
          yield* untilState(server, id, "Running")
        }
        yield* until(Effect.sync(() => sent() === 151_500))
        yield* untilRows(front, "d", sent())
        assert.strictEqual(yield* counts(front, "d"), `${sent()}\t${sent()}`)
        assert.strictEqual(yield* query(front, "SELECT count() FROM d.t_pipe_errors"), "0")
      })
    )

    it.live("is Failed with both positions when the warehouse was restored from a backup, and resumed from there", () =>
      Effect.gen(function* () {
        const { front, id, path, send, sent, server, start, stop } = yield* stage()
        yield* send(3000)
        // A backup in the middle of a batch has its rows, and does not know that.
        const logged = query(front, "SELECT count() FROM d.headgate_pipe_log FINAL WHERE position = '1000'")
        yield* until(Effect.map(logged, (partitions) => partitions === "3"))
        yield* stop
        const backup = `${path}.backup`
        cpSync(path, backup, { recursive: true })
        yield* start
        yield* send(3000)
        yield* untilRows(front, "d", sent())
        yield* stop
        rmSync(path, { recursive: true })
        cpSync(backup, path, { recursive: true })
        yield* start
        // A pipe without new rows would not look.
        yield* send(300)
        yield* untilState(server, id, "Failed")
        assert.match((yield* server.statusOf(id)).message, /at 2000 in the ledger and at 1000 in the warehouse/)
        assert.strictEqual(yield* counts(front, "d"), "3000\t3000")
        assert.strictEqual((yield* server.call("POST", `/${id}/resume`, { from: "warehouse" })).status, 200)
        yield* untilRows(front, "d", sent())
        assert.strictEqual(yield* counts(front, "d"), `${sent()}\t${sent()}`)
      })
    )

    it.live.skipIf(!canMount)("is Degraded while the disk of the warehouse is full, and goes on with every row", () =>
      Effect.gen(function* () {
        const mounted = 'mount -t tmpfs -o size=64m none "$0" && exec "$@"'
        const { front, id, path, pid, send, sent, server } = yield* stage("unshare", "-rm", "sh", "-c", mounted, "PATH")
        yield* send(3000)
        yield* untilRows(front, "d", sent())
        // The file system of the warehouse, which other processes do not see.
        const filler = `/proc/${pid()}/root${path}/filler`
        const fill = Effect.try(() => writeFileSync(filler, Buffer.alloc(65_536), { flag: "a" }))
        yield* Effect.ignore(Effect.forever(fill))
        yield* send(30_000)
        yield* untilState(server, id, "Degraded")
        assert.match((yield* server.statusOf(id)).message, /space/i)
        rmSync(filler)
        yield* untilState(server, id, "Running")
        yield* untilRows(front, "d", sent())
        assert.strictEqual(yield* counts(front, "d"), `${sent()}\t${sent()}`)
      })
    )
  })
})
