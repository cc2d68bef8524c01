import { assert, it } from "@effect/vitest"
import { PipeId } from "@headgate/core"
import type { Range, RejectedRows } from "@headgate/mover"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { ClickHouse } from "../src/index.ts"
import { describeChdb, embedded } from "./support/chdb.ts"
import { openPipe } from "./support/databases.ts"

const pipeId = Schema.decodeSync(PipeId)("b1be0000-0000-4000-8000-0000000000c2")
const range: Range = { pipeId, generation: 1, source: "topic", partition: "0", from: "0", to: "9" }

/** Counts the statements of an engine, but for the answers of questions about its tables. */
const counted = Effect.gen(function* () {
  const engine = Context.get(yield* Layer.build(embedded), ClickHouse)
  const counts = { inserts: 0 }
  const service: ClickHouse["Service"] = {
    ...engine,
    insert: (statement, rows, refine) => {
      counts.inserts += 1
      return engine.insert(statement, rows, refine)
    }
  }
  return { counts, service }
})

// The rules of this package take these rows, and the engine does not.
const refused = [
  `{"n":1,"v":-5,"j":{}}`,
  `{"n":2,"v":5,\n"j":{"a":"}{","a":2}\n}`,
  `{"v":1,"n":3,"j":5}`,
  String.raw`{"n":4,"j":{"a":[1,{"a":"\\\""}],"a":2},"v":-1}`
]
const good = (n: number) => `{"n":${n},"v":${n},"j":{"text":"2024-02-30","n":[${n}]}}`

describeChdb("rows that the engine refuses and the rules take", () => {
  it.live("are found in two statements, wherever they stand, and named by their column", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { counts, service } = yield* counted
        const { database, lines, warehouse } = yield* openPipe(service, {
          columns: [
            { name: "n", type: "UInt64" },
            { name: "v", type: "Variant(UInt64, Date)" },
            { name: "j", type: "JSON" }
          ],
          tableDefinition: { sortingKey: ["n"] }
        })
        yield* warehouse.open(pipeId, 100)
        const [one = "", two = "", three = "", four = ""] = refused
        for (const [index, texts] of [
          [one, good(10), two, three, good(11), good(12), four],
          [good(10), one, one, good(11), two, good(12)],
          [four, three, two, one],
          [good(10), "[]", four, good(11), '{"n":300', good(12)]
        ].entries()) {
          counts.inserts = 0
          const recorded: Array<RejectedRows> = []
          const { rejected } = yield* warehouse.insert(
            { pipeId, epoch: 1, id: "owner" },
            range,
            `token ${index}`,
            Stream.fromIterable(texts.map((text) => Buffer.from(text))),
            { record: (rows) => Effect.sync(() => void recorded.push(rows)) }
          )
          const bad = texts.flatMap((text, row) =>
            texts[row]?.startsWith(`{"n":1`) && text.includes("2024-02-30") ? [] : [row]
          )
          assert.deepStrictEqual(
            rejected.map(({ row }) => row),
            bad
          )
          assert.deepStrictEqual(recorded.at(-1)?.rows, bad)
          for (const { reason, row } of rejected) {
            const isOurs = ["[]", '{"n":300'].includes(texts[row] ?? "")
            assert.match(reason, isOurs ? /not one JSON object/ : /^column [vj]: .*: it is no (Variant|JSON)/s)
          }
          // The insert, the search, the names of the columns, and the insert of the others, if there are any.
          assert.strictEqual(counts.inserts, 4)
          const rows = yield* lines(`SELECT n, toString(j) AS j FROM ${database}.t ORDER BY n`)
          const inserted = texts.length - bad.length
          assert.lengthOf(rows, inserted)
          // A day that there is not stays the text that it is.
          for (const row of rows) assert.include(row, "2024-02-30")
          yield* service.run(`TRUNCATE TABLE ${database}.t`)
        }
        const left = yield* lines(`SELECT name FROM system.tables WHERE name LIKE 'headgate_search%'`)
        assert.deepStrictEqual(left, [])
      })
    )
  )
})
