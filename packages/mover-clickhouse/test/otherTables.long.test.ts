import { quoteTable } from "@headgate/clickhouse"
import { assert, it } from "@effect/vitest"
import { PipeId } from "@headgate/core"
import { type KnownTables, type Range, VersionedTables } from "@headgate/mover"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { ClickHouse, ClickHouseVersionedTables } from "../src/index.ts"
import { describeChdb, embedded } from "./support/chdb.ts"
import { insertRows, openPipe } from "./support/databases.ts"

const pipeId = Schema.decodeSync(PipeId)("b1be0000-0000-4000-8000-0000000000e1")
const range: Range = { pipeId, generation: 1, source: "s", partition: "0", from: "0", to: "9" }
const bytes = (text: string) => Stream.fromArray([new TextEncoder().encode(text)])

const test = (title: string, body: (engine: ClickHouse["Service"]) => Effect.Effect<void, unknown, Scope.Scope>) =>
  it.live(title, () =>
    Effect.scoped(Effect.flatMap(Layer.build(embedded), (context) => body(Context.get(context, ClickHouse))))
  )

const byHand = "(n UInt8) ENGINE = MergeTree ORDER BY n SETTINGS non_replicated_deduplication_window = 10000"

/** What somebody does to the table `t`, of which `other` is free. `isGone`: no table has its name then. */
const changes: ReadonlyArray<{
  readonly title: string
  readonly sql: (t: string, other: string) => ReadonlyArray<string>
  readonly isGone?: boolean
}> = [
  { title: "dropped", sql: (t) => [`DROP TABLE ${t} SYNC`], isGone: true },
  { title: "renamed", sql: (t, other) => [`RENAME TABLE ${t} TO ${other}`], isGone: true },
  { title: "dropped and made again", sql: (t) => [`DROP TABLE ${t} SYNC`, `CREATE TABLE ${t} ${byHand}`] },
  {
    title: "renamed and made again",
    sql: (t, other) => [`RENAME TABLE ${t} TO ${other}`, `CREATE TABLE ${t} ${byHand}`]
  }
]

describeChdb("the table of a pipe that has moved rows", () => {
  // Tables of `default` have no UUID in the embedded engine.
  for (const database of ["default", undefined]) {
    for (const [index, { isGone = false, sql, title }] of changes.entries()) {
      test(`${title}, in ${database ?? "a database with UUIDs"}: is refused until it is accepted`, (engine) =>
        Effect.gen(function* () {
          const table = `other_${process.pid}_${index}`
          const columns = [{ name: "n", type: "UInt8" }]
          const change = { ...(database === undefined ? {} : { database }), table, columns }
          const pipe = yield* openPipe(engine, { ...change, tableDefinition: { sortingKey: ["n"] } })
          const { warehouse } = pipe
          const [t, other] = [table, `${table}_other`].map((name) => quoteTable(database ?? pipe.database, name))
          yield* Effect.addFinalizer(() =>
            Effect.forEach([t, other], (name) => Effect.ignore(engine.run(`DROP TABLE IF EXISTS ${name} SYNC`)))
          )
          const { tables } = yield* warehouse.open(pipeId, 100)
          assert.deepStrictEqual(Array.from(tables?.keys() ?? []), [table])
          yield* insertRows(warehouse, range, "1", bytes('{"n":1}'))
          // Nothing has happened, also by a later mover.
          assert.deepStrictEqual((yield* warehouse.open(pipeId, 100, tables)).tables, tables)

          for (const statement of sql(t ?? "", other ?? "")) yield* engine.run(statement)
          const insert = insertRows(warehouse, { ...range, from: "9", to: "10" }, "2", bytes('{"n":2}'))
          assert.strictEqual((yield* Effect.flip(insert))._tag, "WarehouseError")
          const refused = yield* Effect.flip(warehouse.open(pipeId, 100, tables))
          assert.strictEqual(refused._tag, "WarehouseRefused")
          assert.include(refused.message, `destination.table: ${table} is ${isGone ? "gone" : "another one"}`)
          assert.include(refused.message, "pipe resume NAME --accept-table")
          const exists = (yield* engine.run(`EXISTS TABLE ${t} FORMAT TSV`)).trim()
          assert.strictEqual(exists, isGone ? "0" : "1", "it was made anew")

          const accepted = yield* warehouse.open(pipeId, 100)
          assert.notDeepEqual(accepted.tables, tables)
          yield* insert
          assert.strictEqual((yield* engine.run(`SELECT count() FROM ${t} FORMAT TSV`)).trim(), "1")
        }))
    }
  }
})

describeChdb("the target of a table that was copied", () => {
  const source = { name: "public.a", target: "t", columns: [{ name: "n", type: "Int32" }], key: ["n"] }

  test("is refused if it is another one, until it is accepted", (engine) =>
    Effect.gen(function* () {
      const { database } = yield* openPipe(engine, {})
      const layer = Layer.provide(ClickHouseVersionedTables.layer({ database }), Layer.succeed(ClickHouse, engine))
      const tables = Context.get(yield* Layer.build(layer), VersionedTables)
      const open = (isNew: boolean, known?: KnownTables) => tables.open(pipeId, [{ ...source, isNew }], known)
      const [opened] = yield* open(true)
      assert.isTrue(opened?.isCreated)
      const known = new Map([["t", opened?.knownBy ?? ""]])
      yield* open(false, known)
      yield* engine.run(`CREATE TABLE ${database}.other AS ${database}.t`)
      yield* engine.run(`EXCHANGE TABLES ${database}.t AND ${database}.other`)
      const inserted = yield* Effect.flip(tables.insert(source, bytes("1\t0\t1\n")))
      assert.strictEqual(inserted._tag, "WarehouseError")
      const { message } = yield* Effect.flip(open(false, known))
      assert.include(message, "targetTable: t is another one")
      const [accepted] = yield* open(false)
      assert.notStrictEqual(accepted?.knownBy, opened?.knownBy)
      // A copy of the table has its comment.
      assert.isTrue(accepted?.isCreated)
      yield* engine.run(`ALTER TABLE ${database}.t MODIFY COMMENT 'mine'`)
      assert.isFalse((yield* open(false))[0]?.isCreated)
      yield* tables.insert(source, bytes("1\t0\t1\n"))
    }))
})
