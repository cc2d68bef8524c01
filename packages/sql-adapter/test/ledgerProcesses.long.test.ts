import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, it } from "@effect/vitest"
import { Ledger } from "@headgate/mover"
import { lawPipeId as pipeId } from "@headgate/mover/laws"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ChildProcess from "effect/process/ChildProcess"
import * as ChildProcessSpawner from "effect/process/ChildProcessSpawner"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { join } from "node:path"
import { execPath, platform } from "node:process"
import { SqlLedger } from "../src/mover/index.ts"
import { openStore } from "./processes/openStore.ts"
import { insertPipes } from "./support/ledgers.ts"
import { describePostgres } from "./support/postgres.ts"
import { temporaryFilename } from "./temporaryDatabase.ts"

const decodePrinted = Schema.decodeUnknownEffect(
  Schema.fromJsonString(Schema.Struct({ recorded: Schema.Int, lost: Schema.Int }))
)

const inStore = (store: string) => Layer.provideMerge(SqlLedger.layer, openStore(store))

const begin = Effect.gen(function* () {
  yield* insertPipes(pipeId)
  const ledger = yield* Ledger
  const owner = yield* ledger.take(pipeId)
  yield* ledger.begin(owner, { generation: 1, source: "topic", starts: new Map() })
})

const race = Effect.fnUntraced(function* (store: string) {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  // Enough time for all of them to start.
  const start = (yield* Clock.currentTimeMillis) + 1500
  const script = join(import.meta.dirname, "processes", "moveRanges.ts")
  const move = Effect.flatMap(
    spawner.string(ChildProcess.make(execPath, [script, store, String(start), "100"])),
    decodePrinted
  )
  return yield* Effect.all([move, move], { concurrency: 2 })
}, Effect.provide(NodeServices.layer))

/** What processes over one ledger can rely on. */
const laws = <E>(name: string, newStore: Effect.Effect<string, E, Scope.Scope>) => {
  it.live(`${name}: of processes that take a pipe from one another, each range is recorded by one`, () =>
    Effect.gen(function* () {
      const store = yield* newStore
      yield* Effect.provide(begin, inStore(store))
      const printed = yield* race(store)
      const recorded = printed.reduce((sum, each) => sum + each.recorded, 0)
      // Ranges hold one row each: as many have been recorded as the ledger has gone on.
      const state = yield* Effect.provide(
        Ledger.use((ledger) => ledger.state(pipeId)),
        inStore(store)
      )
      assert.strictEqual(state.recorded.get("0"), String(recorded))
      assert.isAtMost(state.pending.length, 1)
      for (const { lost, recorded } of printed) assert.isAbove(lost + recorded, 0)
      // Each of the two takes the pipe 100 times.
      const next = yield* Effect.provide(
        Ledger.use((ledger) => ledger.take(pipeId)),
        inStore(store)
      )
      assert.strictEqual(next.epoch, 202)
    })
  )

  it.live.skipIf(platform !== "linux")(`${name}: the age of a pending range is known to another process`, () =>
    Effect.gen(function* () {
      const store = yield* newStore
      yield* Effect.provide(begin, inStore(store))
      const recordRange = Effect.gen(function* () {
        const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
        const script = join(import.meta.dirname, "processes", "recordRange.ts")
        yield* spawner.string(ChildProcess.make(execPath, [script, store]))
      })
      yield* Effect.provide(recordRange, NodeServices.layer)
      const { pending } = yield* Effect.provide(
        Ledger.use((ledger) => ledger.state(pipeId)),
        inStore(store)
      )
      assert.lengthOf(pending, 1)
      assert.isTrue(pending.every(({ age }) => Duration.isLessThan(age, Duration.hours(1))))
    })
  )
}

laws("SQLite", temporaryFilename)

describePostgres("a ledger over Postgres", (postgres) => {
  laws(
    "Postgres",
    Effect.flatMap(postgres, ({ createDatabase }) => Effect.map(createDatabase, Redacted.value))
  )
})
