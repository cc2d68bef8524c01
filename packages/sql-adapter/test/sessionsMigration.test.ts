import { assert, describe, it } from "@effect/vitest"
import { PipeId } from "@headgate/core"
import { Ledger, Leases } from "@headgate/mover"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import { NodeSqlite, Postgres, SqlAdapter, SqlMigrations } from "../src/index.ts"
import { SqlLeases, SqlLedger } from "../src/mover/index.ts"
import { migrations } from "../src/SqlMigrations.ts"
import { insertPipes } from "./support/ledgers.ts"
import { describePostgres, sealingKey } from "./support/postgres.ts"
import { temporaryFilename } from "./temporaryDatabase.ts"

/** The tables of the version before leases had sessions. */
const migrateBefore = Migrator.make({})({
  loader: Migrator.fromRecord(
    Object.fromEntries(Object.entries(migrations).filter(([name]) => Number.parseInt(name) < 28))
  ),
  table: "headgate_migrations"
})

const pipes = Array.from({ length: 1000 }, (_, index) =>
  PipeId.make(`b1be0000-0000-4000-8000-${String(index).padStart(12, "0")}`)
)
const noteOf = (pipeId: string) =>
  JSON.stringify({ mover: "before", rows: 7, name: `NUL \0 of "bytes":1, ${pipeId}`, bytes: 9_000_000_000_000 })

/** What a server of the version before does with its pipes, in its statements: it takes free ones, renews, and says what it moves. */
const shareBefore = Effect.fnUntraced(function* (mover: string) {
  const sql = yield* SqlClient.SqlClient
  const now = Date.now()
  const rows = pipes.map((pipe_id) => ({ pipe_id, mover, expires_at: now + 10_000, note: "" }))
  const share = Effect.gen(function* () {
    yield* sql`INSERT INTO mover_process ${sql.insert({ mover, serves: "*", expires_at: now + 10_000 })}
      ON CONFLICT (mover) DO UPDATE SET expires_at = excluded.expires_at`
    yield* sql`SELECT pipe_id FROM mover_lease WHERE expires_at > ${now}`
    let mine = 0
    for (const part of Arr.chunksOf(rows, 500)) {
      const taken = yield* sql`INSERT INTO mover_lease ${sql.insert(part)}
        ON CONFLICT (pipe_id) DO UPDATE SET mover = excluded.mover, expires_at = excluded.expires_at
          WHERE mover_lease.mover = excluded.mover OR mover_lease.expires_at <= ${now}
        RETURNING pipe_id`
      mine += taken.length
    }
    return mine
  })
  return yield* sql.withTransaction(share)
})

const saveBefore = Effect.fnUntraced(function* (mover: string) {
  const sql = yield* SqlClient.SqlClient
  const save = Effect.gen(function* () {
    yield* sql`SELECT id FROM pipe WHERE id IN ${sql.in(pipes.slice(0, 500))}`
    const rows = Arr.map(pipes.slice(0, 500), (id) => ({ pipe_id: id, mover, expires_at: 0, note: noteOf(id) }))
    if (!Arr.isArrayNonEmpty(rows)) return
    yield* sql`INSERT INTO mover_lease ${sql.insert(rows)}
      ON CONFLICT (pipe_id) DO UPDATE SET mover = excluded.mover, note = excluded.note
        WHERE mover_lease.mover = excluded.mover OR mover_lease.expires_at <= ${Date.now()}`
  })
  yield* sql.withTransaction(save)
})

const fill = Effect.gen(function* () {
  yield* migrateBefore
  yield* insertPipes(...pipes)
  assert.strictEqual(yield* shareBefore("before"), 1000)
  yield* saveBefore("before")
  const sql = yield* SqlClient.SqlClient
  for (const pipe_id of [pipes[0], pipes[999]]) {
    yield* sql`INSERT INTO mover_pipe ${sql.insert({ pipe_id, epoch: 1, owner_id: "x", generation: 1, delivered_rows: 7 })}`
  }
})

/** What was said before is there, nobody has a pipe, and a session takes all of them. */
const goesOn = Effect.gen(function* () {
  const leases = yield* Effect.provide(Leases, SqlLeases.layer())
  const saved = yield* leases.savedMetrics(pipes)
  assert.deepStrictEqual(saved, new Map(pipes.slice(0, 500).map((id) => [id, { metrics: noteOf(id), isHeld: false }])))
  // What a mover counted before is in the ledger now. Nothing was said of the last pipe.
  const ledger = yield* Effect.provide(Ledger, SqlLedger.layer)
  const delivered = yield* ledger.delivered(pipes)
  assert.deepStrictEqual(
    [pipes[0], pipes[999]].map((id) => id && delivered.get(id)),
    [
      { rows: 7, rejected: 0, bytes: 9_000_000_000_000 },
      { rows: 7, rejected: 0, bytes: 0 }
    ]
  )
  const wanted = new Set(pipes)
  let mine: ReadonlySet<PipeId> = new Set()
  for (let call = 0; call < 6; call += 1) mine = yield* leases.share({ id: "now", serves: "*" }, wanted)
  assert.strictEqual(mine.size, 1000)
  return leases
})

describe("a SQLite store of the version before", () => {
  it.live("keeps what was said of its pipes", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFilename
      yield* Effect.provide(fill, Layer.fresh(NodeSqlite.layer({ filename })))
      yield* Effect.provide(goesOn, Layer.fresh(SqlAdapter.layerSqlite({ filename, sealingKey })))
    }).pipe(Effect.scoped)
  )
})

describePostgres("a Postgres store of the version before", (postgres) => {
  it.live("is taken over while a server of that version goes on, which has no pipe any more", () =>
    Effect.gen(function* () {
      const url = yield* Effect.flatMap(postgres, ({ createEmptyDatabase }) => createEmptyDatabase)
      const before = yield* Layer.build(Layer.fresh(Postgres.layer({ url })))
      yield* Effect.provideContext(fill, before)
      let isOver = false
      // An end by the database is an outage to that server, which asks again.
      const again = (ask: Effect.Effect<unknown, unknown, SqlClient.SqlClient>) =>
        Effect.whileLoop({
          while: () => !isOver,
          body: () => Effect.provideContext(Effect.ignore(ask), before),
          step: () => undefined
        })
      const asking = yield* Effect.forkScoped(
        Effect.all([again(shareBefore("before")), again(saveBefore("before")), again(shareBefore("another"))], {
          concurrency: 3
        })
      )
      yield* Effect.sleep("300 millis")
      const now = yield* Layer.build(Layer.fresh(Postgres.layer({ url })))
      const applied = yield* Effect.provideContext(SqlMigrations.migrate, now)
      assert.isAtLeast(applied.length, 1)
      yield* Effect.sleep("300 millis")
      isOver = true
      yield* Fiber.join(asking)
      const leases = yield* Effect.provideContext(goesOn, now)
      // Every pipe is free for it, and it gets none: it stops what it moves.
      assert.strictEqual(yield* Effect.provideContext(shareBefore("before"), before), 0)
      yield* Effect.provideContext(saveBefore("before"), before)
      const wanted = new Set(pipes)
      assert.strictEqual((yield* leases.share({ id: "now", serves: "*" }, wanted)).size, 1000)
      assert.strictEqual(yield* leases.held, 1000)
      const [row] = yield* Effect.provideContext(
        SqlClient.SqlClient.use(
          (sql) => sql<{ readonly left: number }>`SELECT CAST(COUNT(*) AS INT) AS left FROM mover_lease`
        ),
        now
      )
      assert.strictEqual(row?.left, 0)
    }).pipe(Effect.scoped)
  )
})
