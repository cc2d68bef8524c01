import { assert, describe, it } from "@effect/vitest"
import { call, column, columnTypeOf, type Expression, literal, parseSql } from "@headgate/core/adapter"
import * as Result from "effect/Result"
import { writeExpression } from "../src/index.ts"

const columns = new Map(
  [
    ["n", "Int64"],
    ["a`b", "String"],
    ["list", "Array(Int64)"]
  ].map(([name = "", type = ""]) => [name, columnTypeOf(type)])
)

const written = (text: string): string =>
  writeExpression(Result.getOrThrow(parseSql(text, { columns, aggregates: "allowed" })))

describe("an expression", () => {
  it("is written as calls, with quoted names and texts", () => {
    for (const [text, sql] of [
      ["n + 2 * -3 > 1e3 OR NOT n IS NULL", "or(greater(plus(`n`, multiply(2, negate(3))), 1e3), not(isNull(`n`)))"],
      ["\"a`b\" LIKE 'it''s \\%'", "like(`a\\`b`, 'it\\'s \\\\%')"],
      ["n IN (1, NULL)", "(in(`n`, tuple(1, NULL)))"],
      ["quantile(0.95)(n)", "quantile(0.95)(`n`)"],
      ["n::nullable(datetime64(3, 'UTC'))", "CAST(`n`, 'Nullable(DateTime64(3, \\'UTC\\'))')"],
      ["arrayMap(x -> x + n, list)", "arrayMap(((`x`) -> plus(`x`, `n`)), `list`)"],
      ["'a\\0b'", "'a\\0b'"],
      ["true", "true"]
    ] as const)
      assert.strictEqual(written(text), sql, text)
  })

  it("that no parser makes is not written", () => {
    const badNumber: Expression = { _tag: "Literal", value: { _tag: "NumberText", text: "1) OR (1" } }
    for (const tree of [
      call("file", literal("/etc/passwd")),
      call("lower(x) OR lower", column("n")),
      call("in", column("n"), column("system.one")),
      call("in", column("n"), call("tuple", column("n"))),
      badNumber,
      { _tag: "Literal", value: { _tag: "NumberText", text: "-1" } } as const,
      {
        _tag: "Call",
        name: "quantile",
        parameters: [{ _tag: "NumberText", text: "0.5)(1), (1" }],
        arguments: []
      } as const,
      { _tag: "Cast", argument: column("n"), type: "String') OR ('" } as const,
      { _tag: "Cast", argument: column("n"), type: "AggregateFunction(sum, Int8)" } as const
    ] satisfies ReadonlyArray<Expression>)
      assert.throws(() => writeExpression(tree), /an expression cannot be written/)
  })
})
