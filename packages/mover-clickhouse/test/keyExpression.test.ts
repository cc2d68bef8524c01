import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { keyExpression } from "../src/sql/keyExpression.ts"

const columns = new Set(["ts", "user id", "a`b", "n", "file"])
const read = (expression: string) => keyExpression(expression, columns)

describe("keys", () => {
  it("are written anew", () => {
    for (const [expression, written] of [
      ["ts", "`ts`"],
      ["  toYYYYMM( ts ) ", "toYYYYMM(`ts`)"],
      ["(n, toDate(ts))", "tuple(`n`, toDate(`ts`))"],
      ["tuple()", "tuple()"],
      ["cityHash64(`user id`) % 16", "modulo(cityHash64(`user id`), 16)"],
      ['"user id"', "`user id`"],
      ["`a\\`b`", "`a\\`b`"],
      ["concat('it\\'s', 'a\\\\')", "concat('it\\'s', 'a\\\\')"],
      ["n - -1", "minus(`n`, negate(1))"],
      ["- -1", "negate(negate(1))"],
      ["file", "`file`"],
      ["intDiv(n, 1.5) * (n + 2)", "multiply(intDiv(`n`, 1.5), plus(`n`, 2))"]
    ] as const) {
      assert.deepStrictEqual(read(expression), Result.succeed(written), expression)
    }
  })

  it("that could do more than calculate are refused", () => {
    for (const expression of [
      "",
      " ",
      "unknown",
      "n; DROP TABLE t",
      "n) ENGINE = Null --",
      "n -- comment",
      "n /* comment */",
      "n # comment",
      "--1",
      "file('/etc/passwd')",
      "sleep(3)",
      "dictGet('d', 'a', n)",
      "toDate(sleep(3))",
      "(SELECT 1)",
      "n, ts",
      "(n",
      "n)",
      "n n",
      "tuple(n,)",
      "'open",
      "'a\\'",
      "`open",
      "`a\\`",
      "'a\\nb'",
      "n::Int8",
      "n.1",
      "n[1]",
      "{n:Int8}",
      "$$n$$",
      "n = 1",
      "NULL",
      "true",
      "now()",
      "count()",
      "n::String",
      "*",
      "-",
      "concat('a' 'b')",
      "n\u0000",
      "(".repeat(50) + "n" + ")".repeat(50),
      "n + ".repeat(400) + "n"
    ]) {
      assert.isTrue(Result.isFailure(read(expression)), expression)
    }
  })

  it("say what is wrong", () => {
    assert.deepStrictEqual(
      read("url(n)"),
      Result.fail("character 1: url is no function that expressions may call: docs/expressions.md lists those that are")
    )
    assert.deepStrictEqual(
      read("toDate(when)"),
      Result.fail('character 8: there is no column "when": write a column of the table, and texts in single quotes')
    )
    assert.deepStrictEqual(read("n = 1"), Result.fail("equals is no function for keys"))
  })
})
