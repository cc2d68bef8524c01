import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, it } from "@effect/vitest"
import { fixtureIds } from "@headgate/conformance/fixtures"
import { maxApiKeys } from "@headgate/core/key"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as ChildProcess from "effect/process/ChildProcess"
import * as ChildProcessSpawner from "effect/process/ChildProcessSpawner"
import { SqlClient } from "effect/sql/SqlClient"
import { join } from "node:path"
import { execPath } from "node:process"
import { NodeSqlite } from "../src/index.ts"
import { temporaryFilename } from "./temporaryDatabase.ts"

const { acme } = fixtureIds.organizations

/** Starts processes that open the same file in the same instant; answers what each printed. */
const runAtOnce = Effect.fnUntraced(function* (filename: string, processes: number, keys: number) {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  // Time enough for all of them to have started.
  const start = (yield* Clock.currentTimeMillis) + 1500
  const script = join(import.meta.dirname, "processes", "createKeys.ts")
  return yield* Effect.forEach(
    Array.from({ length: processes }),
    () => spawner.string(ChildProcess.make(execPath, [script, filename, acme, String(start), String(keys)])),
    { concurrency: "unbounded" }
  )
})

const count = (filename: string, table: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const [row] = yield* sql<{ readonly count: number }>`SELECT COUNT(*) AS count FROM ${sql(table)}`
    return row?.count
  }).pipe(Effect.provide(NodeSqlite.layer({ filename })))

it.live(
  "processes that start on a new file at once migrate it once",
  () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFilename
      const printed = yield* runAtOnce(filename, 4, 1)
      assert.deepStrictEqual(printed, ["1\n", "1\n", "1\n", "1\n"])
      assert.strictEqual(yield* count(filename, "headgate_migrations"), 1)
      assert.strictEqual(yield* count(filename, "api_key"), 4)
    }).pipe(Effect.provide(NodeServices.layer)),
  30_000
)

it.live(
  "the limit of keys holds between processes",
  () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFilename
      const printed = yield* runAtOnce(filename, 2, 80)
      const created = printed.map(Number)
      assert.strictEqual(
        created.reduce((sum, each) => sum + each, 0),
        maxApiKeys
      )
      assert.isAbove(Math.min(...created), 0)
      assert.strictEqual(yield* count(filename, "api_key"), maxApiKeys)
    }).pipe(Effect.provide(NodeServices.layer)),
  30_000
)
