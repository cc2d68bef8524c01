import { assert, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ClickHouse, inferColumns } from "../src/index.ts"
import { describeChdb, overHttp, startServer } from "./support/chdb.ts"

const text = new TextEncoder()
const columnsOf = Effect.fnUntraced(function* (...rows: ReadonlyArray<string>) {
  const engine = Context.get(yield* Layer.build(overHttp(yield* startServer())), ClickHouse)
  const columns = yield* inferColumns(
    engine,
    rows.map((row) => text.encode(row))
  )
  return columns.map(({ isOptional, name, type }) => [name, type, isOptional])
})

describeChdb("the columns of sampled rows", () => {
  it.live("have the types of their values, and are optional if a row lacks them", () =>
    Effect.gen(function* () {
      const found = yield* columnsOf(
        `{"id":1,"at":"2026-01-02","price":1.5,"note":"it's \\\\ a 'quote'","tags":["a"],"last":null}`,
        `{"id":2,"at":"2026-01-03","price":2,"tags":["b"],"last":3}`
      )
      assert.deepStrictEqual(found, [
        ["id", "Int64", false],
        ["at", "Date", false],
        ["price", "Float64", false],
        ["note", "Nullable(String)", true],
        ["tags", "Array(String)", false],
        ["last", "Nullable(Int64)", true]
      ])
    })
  )

  it.live("come from rows that are objects, up to a limit", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* columnsOf(), [])
      assert.deepStrictEqual(yield* columnsOf("[1]", '"{}"', "{", "1"), [])
      const huge = `{"later":"${"x".repeat(200_000)}"}`
      assert.deepStrictEqual(yield* columnsOf('{\n"a"\n:1}', "no row", huge), [["a", "Int64", false]])
    })
  )

  it.live("cannot run statements", () =>
    Effect.gen(function* () {
      const name = `') UNION ALL SELECT version() -- \\\\`
      const found = yield* columnsOf(JSON.stringify({ [name]: "'); DROP TABLE t; --" }))
      assert.deepStrictEqual(found, [[name, "String", false]])
    })
  )
})
