import { assert, it } from "@effect/vitest"
import type { OrganizationId } from "@headgate/core"
import type { PipeTable } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describeChdb } from "../../mover-clickhouse/test/support/chdb.ts"
import { admin, newDatabase, openEngines, pipeOf, serviceId } from "./support/engines.ts"
import { one, other } from "./support/organizations.ts"

const stranger = "99999999-9999-4999-8999-999999999999"
const mark = (sign: string) => sign.repeat(32)
// What a pipe writes, as text of its own: the code that writes it is not what reads it here.
const comment = (pipeId: string, sign: string) => `Created by a Headgate pipe, ${pipeId}, ${mark(sign)}`

/** A table that a pipe has opened, as a mover keeps it. */
const opened = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  database: string,
  table: string,
  change: Partial<PipeTable> = {}
) {
  const engine = yield* admin
  const [uuid = ""] = yield* engine.lines(
    `SELECT if(uuid = toUUIDOrZero(''), '', toString(uuid)) FROM system.tables WHERE database = '${database}' AND name = '${table}' FORMAT TSV`
  )
  const [found = ""] = yield* engine.lines(
    `SELECT extract(comment, ', ([0-9a-f]{32})$') FROM system.tables WHERE database = '${database}' AND name = '${table}' FORMAT TSV`
  )
  const kept: PipeTable = {
    organizationId,
    serviceId,
    pipeId: pipeOf(organizationId),
    warehouse: "*",
    database,
    table,
    knownBy: `${uuid} ${found}`,
    isCreated: true,
    isVersioned: false,
    ...change
  }
  return kept
})

const mergeTree = "(id Int64) ENGINE = MergeTree ORDER BY id"

/** Tables of every kind, with what a store of two organizations says of them. */
const tables = Effect.gen(function* () {
  const [engine, database, existing] = [yield* admin, yield* newDatabase, yield* newDatabase]
  const create = (name: string, words = "", rest = mergeTree) =>
    engine.run(`CREATE TABLE ${database}.${name} ${rest} ${words === "" ? "" : `COMMENT '${words}'`}`)
  const [mine, theirs] = [pipeOf(one), pipeOf(other)]
  yield* create("own", comment(mine, "a"))
  yield* create("others", comment(theirs, "b"))
  yield* create("nobodys")
  yield* create("strangers", comment(stranger, "c"))
  yield* create("named_only")
  yield* create("there_before")
  yield* create("claimed", comment(mine, "d"))
  yield* create("renamed_before", comment(mine, "e"))
  yield* create("made_again", comment(mine, "f"))
  // Its pipe was deleted, then one of another organization has moved rows into it, and was deleted, too.
  yield* create("of_both", comment(mine, "4"))
  yield* create("of_both_elsewhere", comment(mine, "5"))
  yield* create("forged", comment(mine, "0"))
  yield* create("own_pipe_errors", `A table of Headgate''s pipes, ${mine}`)
  yield* create("own_clickpipes_error", comment(mine, "1"))
  yield* create("headgate_pipe_log", "A table of Headgate''s pipes")
  yield* create("headgate_stage_0a_1_0123456789abcdef_0123456789abcdef", comment(mine, "2"))
  yield* create("log_by_another_name", `A table of Headgate''s pipes, ${mine}`)
  yield* engine.run(`CREATE VIEW ${database}.a_view AS SELECT * FROM ${database}.others`)
  const kept = [
    yield* opened(one, database, "own"),
    yield* opened(other, database, "others"),
    yield* opened(one, database, "there_before", { isCreated: false }),
    yield* opened(one, database, "claimed"),
    yield* opened(one, database, "renamed_before"),
    yield* opened(one, database, "made_again"),
    yield* opened(one, database, "of_both"),
    yield* opened(other, database, "of_both", { isCreated: false }),
    yield* opened(one, database, "of_both_elsewhere"),
    // The same server as the warehouse of one service.
    yield* opened(other, database, "of_both_elsewhere", { isCreated: false, warehouse: serviceId }),
    yield* opened(one, database, "strangers"),
    yield* opened(one, database, "own_pipe_errors"),
    yield* opened(one, database, "own_clickpipes_error"),
    yield* opened(one, database, "headgate_pipe_log"),
    yield* opened(one, database, "headgate_stage_0a_1_0123456789abcdef_0123456789abcdef"),
    yield* opened(one, database, "log_by_another_name"),
    yield* opened(one, database, "a_view", { isCreated: false })
  ]
  yield* engine.run(`RENAME TABLE ${database}.renamed_before TO ${database}.renamed`)
  yield* engine.run(`DROP TABLE ${database}.made_again SYNC`)
  yield* create("made_again", comment(mine, "f"))
  yield* engine.run(`CREATE TABLE ${existing}.orders ${mergeTree}`)
  yield* engine.run(`CREATE VIEW ${existing}.orders_view AS SELECT * FROM ${existing}.orders`)
  yield* engine.run(`CREATE TABLE ${existing}.a_file (id Int64) ENGINE = File(CSV)`)
  yield* engine.run(`CREATE TABLE ${existing}.others_inside ${mergeTree} COMMENT '${comment(theirs, "3")}'`)
  yield* engine.run(`CREATE TABLE ${existing}.written_by_others ${mergeTree}`)
  kept.push(
    yield* opened(other, existing, "others_inside"),
    yield* opened(other, existing, "written_by_others", { isCreated: false })
  )
  return { engine, database, existing, kept }
})

const names = [
  "own",
  "others",
  "nobodys",
  "strangers",
  "named_only",
  "there_before",
  "claimed",
  "renamed_before",
  "renamed",
  "made_again",
  "of_both",
  "of_both_elsewhere",
  "forged",
  "own_pipe_errors",
  "own_clickpipes_error",
  "headgate_pipe_log",
  "headgate_stage_0a_1_0123456789abcdef_0123456789abcdef",
  "log_by_another_name",
  "a_view",
  "not_there",
  "own` FINAL --",
  ""
]

describeChdb("which tables an organization reads", () => {
  it.live("of two organizations, each reads what its own pipes have created, and nothing else", () =>
    Effect.gen(function* () {
      const { database, existing, kept } = yield* tables
      const facts = { organizations: [one, other], opened: kept, named: ["claimed"] }
      const { of } = yield* openEngines({}, facts)
      const readBy = Effect.fnUntraced(function* (organizationId: OrganizationId) {
        const charts = yield* of(organizationId)
        return yield* Effect.filter(names, (name) =>
          Effect.map(charts.findTable(database, name), (found) => found !== undefined)
        )
      })
      assert.deepStrictEqual(yield* readBy(one), ["own"])
      assert.deepStrictEqual(yield* readBy(other), ["others"])
      const charts = yield* of(one)
      const elsewhere = [
        ["system", "tables"],
        ["system", "query_log"],
        ["information_schema", "tables"],
        ["INFORMATION_SCHEMA", "TABLES"],
        [existing, "orders"],
        [existing, "orders_view"]
      ] as const
      for (const [asked, name] of elsewhere)
        assert.isUndefined(yield* charts.findTable(asked, name), `${asked}.${name}`)
    }).pipe(Effect.scoped)
  )

  it.live("reads databases of the operator: tables of users, and no view while there are others", () =>
    Effect.gen(function* () {
      const { existing, kept } = yield* tables
      const queryDatabases = [{ organizationId: one, database: existing }]
      const { of } = yield* openEngines({ queryDatabases }, { organizations: [one, other], opened: kept })
      const read = (organizationId: OrganizationId) =>
        Effect.flatMap(of(organizationId), (charts) =>
          Effect.filter(["orders", "orders_view", "a_file", "others_inside", "written_by_others"], (name) =>
            Effect.map(charts.findTable(existing, name), (found) => found !== undefined)
          )
        )
      assert.deepStrictEqual(yield* read(one), ["orders"])
      assert.deepStrictEqual(yield* read(other), ["others_inside"])
      // Without an organization, a database is read while there is one alone.
      const bare = yield* openEngines({ queryDatabases: [{ database: existing }] }, { organizations: [one, other] })
      assert.isUndefined(yield* Effect.flatMap(bare.of(one), (charts) => charts.findTable(existing, "orders")))
    }).pipe(Effect.scoped)
  )

  it.live("the only organization also reads what its pipes have opened, and views of the operator's databases", () =>
    Effect.gen(function* () {
      const { database, existing, kept } = yield* tables
      const ofOthers = yield* opened(one, database, "others", { isCreated: false })
      const mine = [...kept.filter(({ organizationId }) => organizationId === one), ofOthers]
      const { of } = yield* openEngines(
        { queryDatabases: [{ database: existing }, { database: "system" }] },
        { organizations: [one], opened: mine }
      )
      const charts = yield* of(one)
      const read = yield* Effect.filter(names, (name) =>
        Effect.map(charts.findTable(database, name), (found) => found !== undefined)
      )
      // `strangers` was created by a pipe that the store does not know, and opened by one of this organization.
      assert.deepStrictEqual(read, [
        "own",
        "others",
        "strangers",
        "there_before",
        "claimed",
        "of_both",
        "of_both_elsewhere",
        "a_view"
      ])
      const inside = yield* Effect.filter(["orders", "orders_view", "a_file"], (name) =>
        Effect.map(charts.findTable(existing, name), (found) => found !== undefined)
      )
      assert.deepStrictEqual(inside, ["orders", "orders_view"])
      assert.isUndefined(yield* charts.findTable("system", "tables"))
      // A database that was named for another organization is not this one's, even if that one is gone.
      const left = yield* openEngines({ queryDatabases: [{ organizationId: other, database: existing }] })
      assert.isUndefined(yield* Effect.flatMap(left.of(one), (charts) => charts.findTable(existing, "orders")))
    }).pipe(Effect.scoped)
  )

  it.live("takes no path of a file for a table, in the database that would", () =>
    Effect.gen(function* () {
      const engine = yield* admin
      const file = join(mkdtempSync(join(tmpdir(), "headgate-charts-")), "secret.csv")
      writeFileSync(file, "id,word\n1,secret\n")
      assert.include(yield* engine.run(`SELECT * FROM default.\`${file}\``), "secret")
      const { of } = yield* openEngines({ queryDatabases: [{ database: "default" }] })
      const charts = yield* of(one)
      assert.isUndefined(yield* charts.findTable(undefined, file))
      assert.isUndefined(yield* charts.findTable("default", file))
    }).pipe(Effect.scoped)
  )

  it.live("tells tables without a uuid apart by the mark of their comment", () =>
    Effect.gen(function* () {
      const engine = yield* admin
      const name = `charts_marked_${process.pid}`
      const create = (sign: string) =>
        engine.run(`CREATE TABLE default.${name} ${mergeTree} COMMENT '${comment(pipeOf(one), sign)}'`)
      yield* create("a")
      yield* Effect.addFinalizer(() => Effect.ignore(engine.run(`DROP TABLE default.${name} SYNC`)))
      const kept = [yield* opened(one, "default", name)]
      assert.strictEqual(kept[0]?.knownBy, ` ${mark("a")}`)
      const { engines, of } = yield* openEngines({}, { organizations: [one, other], opened: kept })
      const charts = yield* of(one)
      assert.isDefined(yield* charts.findTable(undefined, name))
      const ofPipe = yield* engines.ofPipe(one, pipeOf(one))
      assert.deepStrictEqual(ofPipe?.tables, [name])
      assert.strictEqual(ofPipe?.database, "default")
      assert.isUndefined(yield* engines.ofPipe(other, pipeOf(one)))
      yield* engine.run(`DROP TABLE default.${name} SYNC`)
      yield* create("b")
      assert.isUndefined(yield* charts.findTable(undefined, name))
    }).pipe(Effect.scoped)
  )
})
