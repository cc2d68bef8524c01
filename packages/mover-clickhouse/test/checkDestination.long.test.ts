import { assert, it } from "@effect/vitest"
import type { Destination } from "@headgate/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { checkDestination, ClickHouse } from "../src/index.ts"
import { describeChdb, embedded } from "./support/chdb.ts"
import { openPipe } from "./support/databases.ts"

describeChdb("a destination that is checked before its pipe is created", () => {
  it.live("is refused by its field as the engine refuses it, and leaves nothing behind", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const engine = Context.get(yield* Layer.build(embedded), ClickHouse)
        const { database } = yield* openPipe(engine, {})
        const columns = [
          { name: "n", type: "Int32" },
          { name: "s", type: "Nullable(String)" }
        ]
        const of = (
          tableDefinition: NonNullable<Destination["tableDefinition"]>,
          change: Partial<Destination> = {}
        ): Destination => ({
          database,
          table: "t",
          managedTable: true,
          columns,
          tableDefinition,
          ...change
        })
        const path = "destination.tableDefinition"
        const refused: ReadonlyArray<readonly [Destination, string]> = [
          [of({ sortingKey: ["tuple()"] }), `${path}.sortingKey[0]: Expected an expression over a column`],
          [of({ sortingKey: ["s"] }), `${path}: Sorting key contains nullable`],
          [of({ sortingKey: ["n"], primaryKey: "s" }), `${path}: `],
          [of({ sortingKey: ["n"], partitionBy: "n; --" }), `${path}.partitionBy: `],
          [
            of({ sortingKey: ["n"], engine: { type: "ReplacingMergeTree", versionColumnId: "s" } }),
            `${path}: The column s`
          ],
          [of({}, { columns: [{ name: "n", type: "Int23" }] }), "destination.columns[0].type: "],
          [of({}, { columns: [] }), "destination.columns: Missing"]
        ]
        for (const [destination, expected] of refused) {
          const { message } = yield* Effect.flip(checkDestination(engine, destination))
          assert.isTrue(message.startsWith(expected), message)
        }
        yield* checkDestination(engine, of({ sortingKey: ["n"], partitionBy: "n % 2" }))
        yield* checkDestination(engine, of({ sortingKey: [] }))
        yield* checkDestination(engine, of({ engine: { type: "Null" } }))
        const left = yield* engine.run(
          "SELECT count() FROM system.tables WHERE name LIKE '%headgate_check%' FORMAT TSV"
        )
        assert.strictEqual(left.trim(), "0")

        yield* engine.run(`CREATE TABLE ${database}.t (n Int64) ENGINE = MergeTree ORDER BY n`)
        const { message } = yield* Effect.flip(checkDestination(engine, of({ sortingKey: ["n"] })))
        assert.include(message, "destination.columns[0].type: column n of the table is Int64")
      })
    )
  )
})
