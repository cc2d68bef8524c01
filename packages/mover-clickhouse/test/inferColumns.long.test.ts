import { assert, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ClickHouse, inferColumns } from "../src/index.ts"
import { describeChdb, overHttp, startServer } from "./support/chdb.ts"

const text = new TextEncoder()
const fieldsOf = Effect.fnUntraced(function* (...rows: ReadonlyArray<string | Uint8Array>) {
  const engine = Context.get(yield* Layer.build(overHttp(yield* startServer())), ClickHouse)
  return yield* inferColumns(
    engine,
    rows.map((row) => (typeof row === "string" ? text.encode(row) : row))
  )
})
const columnsOf = (...rows: ReadonlyArray<string>) =>
  Effect.map(fieldsOf(...rows), ({ columns }) => columns.map(({ isOptional, name, type }) => [name, type, isOptional]))

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

  it.live("come with the first rows as texts", () =>
    Effect.gen(function* () {
      const { samples } = yield* fieldsOf(
        `{"id":9007199254740993,"at":"2026-01-02","note":"it's \\\\ a 'quote'","tags":["a","b"],"in":{"a":1}}`,
        "no row",
        `{"at":"2026-01-03","id":2,"note":null,"tags":[],"in":{"a":2},"later":true}`,
        `{"id":3,"at":"2026-01-04","note":"${"ü".repeat(1025)}","tags":["x"],"in":{"a":3}}`
      )
      assert.deepStrictEqual(samples, [
        ["9007199254740993", "2026-01-02", "it's \\ a 'quote'", "['a','b']", "(1)", null],
        ["2", "2026-01-03", null, "[]", "(2)", "true"],
        ["3", "2026-01-04", `${"ü".repeat(1024)}…`, "['x']", "(3)", null]
      ])
      const many = yield* fieldsOf(...Array.from({ length: 100 }, (_, n) => `{"n":${n}}`))
      assert.deepStrictEqual(
        many.samples,
        Array.from({ length: 20 }, (_, n) => [`${n}`])
      )
      assert.deepStrictEqual((yield* fieldsOf("no row")).samples, [])
      const name = `') UNION ALL SELECT version() -- \\\\`
      const attack = yield* fieldsOf(JSON.stringify({ [name]: "'); DROP TABLE t; --", headgate_row: "\0\u{1f600}" }))
      assert.deepStrictEqual(attack.samples, [["'); DROP TABLE t; --", "\0\u{1f600}"]])
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
