import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import { lawPipeId } from "@headgate/mover/laws"
import { checkSource, externalResources, releaseSource, retainedLog } from "../src/index.ts"
import { describePostgres } from "./support/describePostgres.ts"
import { optionsFor } from "./support/optionsFor.ts"
import { endText, engine, makePipe, until } from "./support/pipes.ts"

const ownName = `headgate_${lawPipeId.replaceAll("-", "")}`

describePostgres("a source", (newDatabase) => {
  it.live("says what it lacks, each with the statement to run", () =>
    Effect.gen(function* () {
      const database = yield* newDatabase
      const user = `reader_${database.name}`
      yield* database.run(`CREATE ROLE ${user} LOGIN; CREATE TABLE t (id int PRIMARY KEY); CREATE TABLE "no key" (id int);
        CREATE TABLE later (id int PRIMARY KEY DEFERRABLE); CREATE UNLOGGED TABLE u (id int PRIMARY KEY);
        CREATE TABLE n (id int PRIMARY KEY); ALTER TABLE n REPLICA IDENTITY NOTHING; CREATE VIEW v AS SELECT 1`)
      const options = optionsFor(database, ["t", "no key", "later", "u", "n", "v", "none"])
      const found = yield* checkSource({ ...options, host: "127.0.0.1", username: user })
      const lines = found.map(({ problem, statement = "" }) => `${problem}: ${statement}`).join("\n")
      assert.include(lines, `ALTER ROLE "${user}" REPLICATION`)
      assert.include(lines, `GRANT SELECT ON "public"."t" TO "${user}"`)
      assert.include(lines, `CREATE PUBLICATION "pub_${database.name}" FOR TABLE "public"."t"`)
      assert.include(
        lines,
        `"public"."no key" has no primary key. Add one: ALTER TABLE "public"."no key" ADD PRIMARY KEY (...)`
      )
      assert.include(lines, `"public"."later" has a deferrable primary key`)
      assert.include(lines, `ALTER TABLE "public"."u" SET LOGGED`)
      assert.include(lines, `ALTER TABLE "public"."n" REPLICA IDENTITY DEFAULT`)
      assert.include(lines, `"public"."v" is no table`)
      assert.include(lines, `there is no table "public"."none" that this user may see`)
      for (const { statement } of found)
        if (statement?.startsWith("ALTER ROLE") || statement?.startsWith("GRANT")) yield* database.run(statement)
      const fields = new Set(found.map(({ field }) => field.replace(/\d+/u, "n")))
      assert.deepStrictEqual(fields, new Set(["credentials", "tableMappings[n]", "settings.publicationName"]))
      assert.deepStrictEqual(yield* checkSource(optionsFor(database, ["t"])), [])
      const excluding = { schema: "public", table: "t", target: "t", excluded: ["id2"] }
      const [excluded] = yield* checkSource(optionsFor(database, [excluding]))
      assert.strictEqual(excluded?.field, "tableMappings[0]")
      assert.include(excluded?.problem, '"public"."t": it has no column id2, which excludedColumns names')
      const refused = (more: object) => Effect.flip(checkSource({ ...optionsFor(database, ["t"]), ...more }))
      assert.strictEqual((yield* refused({ username: "nobody" })).field, "credentials")
      assert.strictEqual((yield* refused({ database: "none" })).field, "database")
      assert.isUndefined((yield* refused({ host: "127.0.0.1", port: 1 })).field)
      // The mover says the same, and does not try for long what cannot work.
      const pipe = yield* makePipe(yield* engine)
      const end = yield* pipe.copy({ ...optionsFor(database, ["t"]), host: "127.0.0.1", username: user })
      assert.include(endText(end), "Let a user who may do it run: CREATE PUBLICATION")
    }).pipe(Effect.scoped)
  )

  it.live("is released: no slot and no publication stays, also while the pipe moves; what the user made stays", () =>
    Effect.gen(function* () {
      const database = yield* newDatabase
      const pipe = yield* makePipe(yield* engine)
      yield* database.run(
        "CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1); CREATE PUBLICATION mine FOR TABLE t WITH (publish_via_partition_root = true)"
      )
      const options = optionsFor(database, ["t"])
      const fiber = yield* Effect.forkChild(pipe.copy(options))
      yield* until(Effect.map(pipe.rows("t", "id"), ({ length }) => length === 1))
      const retained = yield* retainedLog(options)
      assert.isBelow(retained.bytes, 1024 ** 3)
      assert.isUndefined(retained.warning)
      yield* releaseSource(options)
      yield* Fiber.interrupt(fiber)
      yield* releaseSource({ ...options, publication: { name: "mine", isOwn: false } })
      const slots = yield* database.run(
        `SELECT slot_name FROM pg_replication_slots WHERE database = '${database.name}'`
      )
      assert.deepStrictEqual(slots, [])
      assert.deepStrictEqual(yield* database.run("SELECT pubname FROM pg_publication"), [{ pubname: "mine" }])
      assert.deepStrictEqual(yield* retainedLog(options), { bytes: 0 })
    }).pipe(Effect.scoped)
  )

  it("says what a deleted pipe leaves in it, without secrets; nothing where all is the user's", () => {
    const source = { host: "db", database: "d", credentials: { username: "u", password: "the-secret-password" } }
    assert.deepStrictEqual(externalResources(lawPipeId, source), {
      names: [`slot ${ownName}`, `publication ${ownName}`],
      place: "database d at db:5432"
    })
    const settings = { publicationName: "mine", replicationSlotName: "mine" }
    assert.isUndefined(externalResources(lawPipeId, { ...source, settings }))
    assert.isUndefined(externalResources(lawPipeId, { ...source, settings: { replicationMode: "snapshot" } }))
  })

  it.live("that cannot be reached is named without the password", () =>
    Effect.gen(function* () {
      const database = yield* newDatabase
      const options = {
        ...optionsFor(database, ["t"]),
        host: "127.0.0.1",
        port: 1,
        password: Redacted.make("the-secret-password")
      }
      const error = yield* Effect.flip(releaseSource(options))
      assert.include(error.message, "127.0.0.1:1")
      assert.notInclude(JSON.stringify(error), "the-secret-password")
    }).pipe(Effect.scoped)
  )
})
