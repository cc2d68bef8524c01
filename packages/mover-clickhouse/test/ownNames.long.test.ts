import { assert, it } from "@effect/vitest"
import { PipeId } from "@headgate/core"
import { VersionedTables } from "@headgate/mover"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { checkDestination, ClickHouse, ClickHouseVersionedTables } from "../src/index.ts"
import { describeChdb, embedded } from "./support/chdb.ts"
import { openPipe } from "./support/databases.ts"

const pipeId = Schema.decodeSync(PipeId)("b1be0000-0000-4000-8000-0000000000e2")
const columns = ["pipe_id String", "generation UInt64", "partition String", "position String", "number UInt64"].map(
  (text) => {
    const [name = "", type = ""] = text.split(" ")
    return { name, type }
  }
)

// All pipes of a database write their positions into one table, which the first one creates. Whoever gives it rows says where the others are.
describeChdb("a table of the names that the mover's own tables have", () => {
  for (const table of [
    "headgate_pipe_log",
    "headgate_pipe_objects",
    `headgate_stage_${pipeId.replaceAll("-", "")}_1_0123456789abcdef_0123456789abcdef`,
    "headgate_search_a"
  ]) {
    it.live(`is no destination: ${table}`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const engine = Context.get(yield* Layer.build(embedded), ClickHouse)
          const { database } = yield* openPipe(engine, {})
          const expected = "Expected a name that does not begin with headgate_"
          const destination = { database, table, managedTable: true, columns, tableDefinition: { sortingKey: [] } }
          const checked = yield* Effect.flip(checkDestination(engine, destination))
          assert.include(checked.message, `destination.table: ${expected}`)
          const opened = yield* Effect.flip(Effect.asVoid(openPipe(engine, destination)))
          assert.include(opened.message, `destination.table: ${expected}`)

          const layer = ClickHouseVersionedTables.layer({ database }).pipe(
            Layer.provide(Layer.succeed(ClickHouse, engine))
          )
          const versioned = Context.get(yield* Layer.build(layer), VersionedTables)
          const source = {
            name: "public.a",
            target: table,
            columns: [{ name: "n", type: "Int32" }],
            key: ["n"],
            isNew: true
          }
          const { message } = yield* Effect.flip(versioned.open(pipeId, [source]))
          assert.include(message, `targetTable: ${expected}`)
          const made = yield* engine.run(`SELECT count() FROM system.tables WHERE database = '${database}' FORMAT TSV`)
          assert.strictEqual(made.trim(), "0")
        })
      )
    )
  }
})
