import { assert, describe, it } from "@effect/vitest"
import { Cleanups } from "@headgate/mover"
import { lawPipeId, otherPipeId } from "@headgate/mover/laws"
import { MemoryCleanups } from "@headgate/mover/memory"
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { NodeSqlite, SqlSealing } from "../src/index.ts"
import { SqlCleanups } from "../src/mover/index.ts"
import { sealingKey } from "./support/postgres.ts"

const crypto = Layer.merge(Digest.layerWebCrypto, SecureRandom.layerWebCrypto)
const sealing = SqlSealing.layer(sealingKey).pipe(Layer.provide(crypto))
const inSqlite = Layer.provideMerge(
  SqlCleanups.layer,
  Layer.provideMerge(sealing, NodeSqlite.layer({ filename: ":memory:" }))
)

const cleanup = (pipeId: typeof lawPipeId) => ({
  pipeId,
  kind: "postgres",
  remains: "slot headgate_1 in database d at h:5432",
  source: Redacted.make(`{"password":"the-secret"}`)
})

const keeps = Effect.gen(function* () {
  const cleanups = yield* Cleanups
  assert.deepStrictEqual(yield* cleanups.list, [])
  yield* cleanups.add(cleanup(otherPipeId))
  yield* cleanups.add(cleanup(lawPipeId))
  yield* cleanups.markFailed(lawPipeId, "no answer")
  yield* cleanups.markFailed(lawPipeId, "still no answer")
  const listed = yield* cleanups.list
  const [first, second] = [lawPipeId, otherPipeId].toSorted()
  assert.deepStrictEqual(
    listed.map(({ pipeId }) => pipeId),
    [first, second]
  )
  const tried = listed.find(({ pipeId }) => pipeId === lawPipeId)
  assert.deepInclude(tried, { kind: "postgres", attempts: 2, lastError: "still no answer" })
  assert.strictEqual(tried && Redacted.value(tried.source), `{"password":"the-secret"}`)
  yield* cleanups.add(cleanup(lawPipeId))
  assert.deepInclude(
    (yield* cleanups.list).find(({ pipeId }) => pipeId === lawPipeId),
    { attempts: 0 }
  )
  yield* cleanups.remove(lawPipeId)
  yield* cleanups.remove(lawPipeId)
  yield* cleanups.markFailed(lawPipeId, "it is gone")
  assert.deepStrictEqual(
    (yield* cleanups.list).map(({ pipeId }) => pipeId),
    [otherPipeId]
  )
})

describe("cleanups", () => {
  it.effect("in memory are kept until they are removed", () =>
    Effect.provideService(keeps, Cleanups, MemoryCleanups.make())
  )
  it.effect("in SQLite are kept until they are removed", () => Effect.provide(keeps, inSqlite))

  it.effect("are sealed in the store, and sealed again with another key", () =>
    Effect.gen(function* () {
      const cleanups = yield* Cleanups
      yield* cleanups.add(cleanup(lawPipeId))
      const sql = yield* SqlClient.SqlClient
      const stored = Effect.map(
        sql<{ readonly source: string }>`SELECT source FROM mover_cleanup`,
        ([row]) => row?.source
      )
      const before = yield* stored
      assert.notInclude(before, "the-secret")
      const next = Redacted.make("Z8Jc2ZkYt0yqvXyqkQ0XqL0o2m3mWJ9bq8v1Yh0uYvE=")
      yield* Effect.provide(SqlSealing.reseal(next), crypto)
      assert.notStrictEqual(yield* stored, before)
      const again = SqlCleanups.layer.pipe(Layer.provide(SqlSealing.layer(next)), Layer.provide(crypto))
      const [opened] = yield* Effect.provide(
        Cleanups.use(({ list }) => list),
        Layer.fresh(again)
      )
      assert.strictEqual(opened && Redacted.value(opened.source), `{"password":"the-secret"}`)
    }).pipe(Effect.provide(inSqlite))
  )
})
