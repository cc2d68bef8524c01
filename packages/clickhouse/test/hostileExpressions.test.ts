import { assert, describe, it } from "@effect/vitest"
import { columnTypeOf, type Expression, parseLucene, parseSql, parseSqlList } from "@headgate/core/adapter"
import { hostileExpressions } from "@headgate/harness/hostileExpressions"
import { makeRandom } from "@headgate/harness/Random"
import * as Result from "effect/Result"
import { env } from "node:process"
import { writeExpression } from "../src/index.ts"

const columns = new Map(
  [
    ["n", "Int64"],
    ["s", "String"],
    ["ts", "DateTime64(3)"],
    ["list", "Array(Int64)"],
    ["m", "Map(String, String)"]
  ].map(([name = "", type = ""]) => [name, columnTypeOf(type)])
)

const scopes = (["refused", "allowed", "required"] as const).map((aggregates) => ({ columns, aggregates }))

/** What each parser makes of a text. */
const treesOf = (text: string): ReadonlyArray<Expression> =>
  scopes.flatMap((scope) =>
    [
      Result.map(parseSql(text, scope), (tree) => [tree]),
      Result.map(parseSqlList(text, scope), (list) => list.map(({ expression }) => expression)),
      Result.map(parseLucene(text, { ...scope, implicit: ["s"] }), (tree) => (tree === undefined ? [] : [tree]))
    ].flatMap((result) => {
      if (Result.isSuccess(result)) return result.success
      const { message, position } = result.failure
      assert.isTrue(position >= 0 && position <= text.length, text)
      assert.match(message, /^character \d+: \S/)
      assert.isBelow(message.length, 400)
      return []
    })
  )

/** The names of a tree: `lower()` of a call, `lower` of a column. */
const namesOf = (tree: Expression): ReadonlyArray<string> => {
  switch (tree._tag) {
    case "Literal":
      return []
    case "Column":
      return [tree.name]
    case "Call":
      return [`${tree.name}()`, ...tree.arguments.flatMap(namesOf)]
    case "Cast":
      return [`${tree.type}::`, ...namesOf(tree.argument)]
    case "Lambda":
      return namesOf(tree.body).filter((name) => !tree.parameters.includes(name))
  }
}

// Written out, so that a function that is added to the table by mistake is noticed here.
const harmful =
  /^(?:file|url|s3|remote|dict.*|joinGet.*|sleep.*|throwIf|get(?:Setting|ServerSetting|Macro)|hostName|version|current.*|executable|ai.*|catboost.*|array(?:Join|Reduce.*|WithConstant|Resize)|range|repeat|leftPad.*|rightPad.*|space|rand.*|format|formatRow.*|initializeAggregation|runningAccumulate|finalizeAggregation|.*(?:State|Merge|ForEach)|generate.*|identity|ignore|materialize|evalMLMethod|view|merge|numbers|reinterpret.*|accurateCast.*|JSONExtract|hasColumnInTable|filesystem.*)\(\)$/i

/** Whether any parser takes a text, and makes a tree only of harmless names. */
const check = (text: string): boolean => {
  const trees = treesOf(text)
  for (const tree of trees) {
    const names = namesOf(tree)
    assert.deepStrictEqual(
      names.filter((name) => harmful.test(name)),
      [],
      text
    )
    assert.deepStrictEqual(
      names.filter((name) => /^\w+$/.test(name) && !columns.has(name)),
      [],
      text
    )
    writeExpression(tree)
  }
  return trees.length > 0
}

describe("hostile texts", () => {
  it("are refused as SQL", () => {
    assert.isAtLeast(hostileExpressions.length, 300)
    const read = hostileExpressions.filter((text) =>
      scopes.some((scope) => Result.isSuccess(parseSql(text, scope)) || Result.isSuccess(parseSqlList(text, scope)))
    )
    assert.deepStrictEqual(read, [])
  })

  it("make no tree that does harm", () => {
    const read = hostileExpressions.filter(check)
    // As words to search for, some of them are read.
    assert.isAbove(read.length, 0)
  })
})

const words =
  `n s ts list m x nobody \`n\` "s" 'a' '' 'it''s' 1 0.5 1e3 .5 NULL ( ) [ ] , . :: -> + - * / % || = != < >= - : " ' \`
  AND OR NOT IN LIKE BETWEEN IS CASE WHEN THEN ELSE END CAST AS INTERVAL DAY DISTINCT String lower( count( if( in( tuple( file(
  quantile(0.5)( TO { } ; && || ! ~ é`.split(/\s+/)
const parts = [...words, "arrayMap(x ->", "\\", "\ud800", "\0", "\n"]

describe("random sequences of tokens", () => {
  // By hand, many more.
  const rounds = Number(env["HEADGATE_EXPRESSION_ROUNDS"] ?? "2000")
  it("end in a tree that can be written, or in an issue", { timeout: 600_000 }, () => {
    const random = makeRandom(24)
    let read = 0
    for (let round = 0; round < rounds; round += 1) {
      const text = Array.from({ length: random.between(1, 14) }, () => random.pick(parts)).join(
        random.pick(["", " ", " "])
      )
      if (check(text)) read += 1
    }
    // Otherwise the sequences test only refusals.
    assert.isAbove(read, rounds / 50)
  })
})
