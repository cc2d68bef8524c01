import { assert, describe, it } from "@effect/vitest"
import { PipeId } from "@headgate/core"
import { MovedPipes, restingStates } from "@headgate/core/adapter"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Migrator from "effect/sql/Migrator"
import { SqlClient } from "effect/sql/SqlClient"
import { migrations } from "../src/SqlMigrations.ts"
import { NodeSqlite, Postgres, SqlAdapter } from "../src/index.ts"
import { describePostgres, sealingKey } from "./support/postgres.ts"
import { temporaryFilename } from "./temporaryDatabase.ts"

const organizationId = "0a0b0c0d-0000-4000-8000-0000000000aa"
const serviceId = "5e000000-0000-4000-8000-0000000000aa"

/** The tables of the version before. */
const migrateBefore = Migrator.make({})({
  loader: Migrator.fromRecord(
    Object.fromEntries(Object.entries(migrations).filter(([name]) => Number.parseInt(name) < 28))
  ),
  table: "headgate_migrations"
})

const states = ["Running", "Stopping", "Degraded", "Setup", ...restingStates]
// JSON escapes those that no database keeps in a text of its own.
const names = ["orders", 'quoted "\\', "back\\\\u0000slash", "NUL \0", "surrogate \ud800", "😀", '"state":"Stopped"']
const goals = ["Running", "Stopped", undefined]

const pipes = Array.from({ length: 3000 }, (_, index) => {
  const id = PipeId.make(`b1be0000-0000-4000-8000-${String(index).padStart(12, "0")}`)
  const state = states[index % states.length] ?? ""
  const goal = goals[index % goals.length]
  const name = names[index % names.length] ?? ""
  const progress = index % 5 === 0 ? null : JSON.stringify({ since: 0, steps: [], message: name, goal })
  return {
    id,
    state,
    goal: progress === null ? undefined : goal,
    document: JSON.stringify({
      id,
      serviceId,
      name,
      source: { note: { state: "Failed" }, text: "x".repeat(800) },
      state
    }),
    progress,
    warehouse: index % 4 === 0 ? null : "events",
    version: 1 + (index % 9)
  }
})

const fill = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`INSERT INTO organization (id, name) VALUES (${organizationId}, 'x')`
  yield* sql`INSERT INTO service (id, organization_id, name) VALUES (${serviceId}, ${organizationId}, 'x')`
  const rows = pipes.map(({ goal: _goal, state: _state, ...row }) => ({
    ...row,
    organization_id: organizationId,
    service_id: serviceId
  }))
  for (const some of Arr.chunksOf(rows, 500)) yield* sql`INSERT INTO pipe ${sql.insert([...some])}`
  yield* sql`DELETE FROM pipe WHERE id = ${pipes[1]?.id ?? ""}`
})

const check = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { changes, deleted } = yield* MovedPipes
  const { cursor, pipes: found } = yield* changes()
  const expected = pipes.filter(
    ({ state, warehouse }, index) => index !== 1 && warehouse !== null && !restingStates.includes(state)
  )
  assert.isAbove(expected.length, 900)
  assert.deepStrictEqual(
    found
      .map(({ address, goal, state, version }) => ({ id: address.pipeId, goal, state, version }))
      .toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    expected.map(({ goal, id, state, version }) => ({ id, goal, state, version }))
  )
  assert.deepStrictEqual(
    (yield* deleted()).map(({ pipeId }) => pipeId),
    [pipes[1]?.id]
  )
  // What a server of the version before writes, which still runs.
  const [, , changed, , , removed] = pipes
  const document = JSON.stringify({ id: changed?.id, name: "NUL \0 \udc00", state: "Paused" })
  yield* sql`UPDATE pipe SET document = ${document}, progress = NULL, due = NULL, credentials = NULL, version = 77,
    warehouse = 'events' WHERE id = ${changed?.id ?? ""}`
  yield* sql`DELETE FROM pipe WHERE id = ${removed?.id ?? ""}`
  const after = yield* changes(cursor)
  assert.isFalse(after.isWhole)
  assert.include(after.deleted, removed?.id)
  const one = after.pipes.find(({ address }) => address.pipeId === changed?.id)
  assert.deepStrictEqual([one?.state, one?.goal, one?.version], ["Paused", undefined, 77])
})

describe("a full SQLite store of the version before", () => {
  it.live("tells which pipes move, and what has changed", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFilename
      yield* Effect.provide(Effect.andThen(migrateBefore, fill), Layer.fresh(NodeSqlite.layer({ filename })))
      yield* Effect.provide(check, Layer.fresh(SqlAdapter.layerSqlite({ filename, sealingKey })))
    }).pipe(Effect.scoped)
  )
})

describePostgres("a full Postgres store of the version before", (postgres) => {
  it.live("tells which pipes move, and what has changed", () =>
    Effect.gen(function* () {
      const url = yield* Effect.flatMap(postgres, ({ createEmptyDatabase }) => createEmptyDatabase)
      yield* Effect.provide(Effect.andThen(migrateBefore, fill), Layer.fresh(Postgres.layer({ url })))
      yield* Effect.provide(check, Layer.fresh(SqlAdapter.layerPostgres({ url, sealingKey })))
    }).pipe(Effect.scoped)
  )
})
