import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { readFileSync } from "node:fs"
import { columnTypeOf, type Expression, functionTable, kindOf, parseSql, parseSqlList } from "../../src/adapter.ts"

const columns = new Map(
  [
    ["ts", "DateTime64(3)"],
    ["day", "Date"],
    ["n", "Int64"],
    ["s", "LowCardinality(Nullable(String))"],
    ["m", "Map(String, Float64)"],
    ["list", "Array(Int64)"],
    ["Events.Name", "Array(String)"],
    ["j", "JSON"],
    ["end", "String"],
    ["a b", "String"]
  ].map(([name = "", type = ""]) => [name, columnTypeOf(type)])
)

/** A tree as a text: names of columns in bars, texts in JSON. */
const show = (tree: Expression): string => {
  switch (tree._tag) {
    case "Literal":
      return tree.value !== null && typeof tree.value === "object" ? tree.value.text : JSON.stringify(tree.value)
    case "Column":
      return `|${tree.name}|`
    case "Cast":
      return `cast(${show(tree.argument)} ${tree.type})`
    case "Lambda":
      return `[${tree.parameters.join(" ")}](${show(tree.body)})`
    case "Call": {
      const parameters = (tree.parameters ?? []).map(({ text }) => `${text};`).join("")
      return `${tree.name}(${parameters}${tree.arguments.map(show).join(" ")})`
    }
  }
}

const read = (text: string, aggregates: "refused" | "allowed" | "required" = "allowed"): string =>
  Result.match(parseSql(text, { columns, aggregates }), {
    onSuccess: show,
    onFailure: ({ message, position }) => `${position} ${message}`
  })

const reads = (title: string, cases: ReadonlyArray<readonly [text: string, tree: string]>) =>
  it(`${title}`, () =>
    assert.deepStrictEqual(
      cases.map(([text]) => [text, read(text)] as const),
      cases
    ))

describe("an expression of SQL", () => {
  reads("has the literals of SQL", [
    ["1", "1"],
    [".5", "0.5"],
    ["1.5E-3", "1.5E-3"],
    ["9007199254740993", "9007199254740993"],
    ["-1", "negate(1)"],
    ["NULL", "null"],
    ["True", "true"],
    ["'it''s'", '"it\'s"'],
    [String.raw`'a\'b\n\\\%'`, JSON.stringify("a'b\n\\\\%")],
    ["[1, 'a']", 'array(1 "a")'],
    ["[]", "array()"],
    ["(1, 2)", "tuple(1 2)"],
    ["(1,)", "tuple(1)"],
    ["((1))", "1"],
    ["INTERVAL 5 minutes", "toIntervalMinute(5)"],
    ["interval '1' DAY", "toIntervalDay(1)"]
  ])

  reads("has the columns of the table", [
    ["n", "|n|"],
    ['"a b"', "|a b|"],
    ["`a b`", "|a b|"],
    ["Events.Name", "|Events.Name|"],
    ['`Events`."Name"', "|Events.Name|"],
    ["end", "|end|"],
    ["j.http.status", 'getSubcolumn(|j| "http.status")'],
    ["m['k']", 'arrayElement(|m| "k")'],
    ["list[1][2]", "arrayElement(arrayElement(|list| 1) 2)"],
    ["(n, s).2.1", "tupleElement(tupleElement(tuple(|n| |s|) 2) 1)"]
  ])

  reads("has operators with their precedence", [
    ["1 + 2 * 3 - 4", "minus(plus(1 multiply(2 3)) 4)"],
    ["-n * 2 % 3", "modulo(multiply(negate(|n|) 2) 3)"],
    ["1 OR 2 AND NOT 3 = 4", "or(1 and(2 not(equals(3 4))))"],
    ["1 or 2 or 3", "or(1 2 3)"],
    ["s || 'a' || 'b' = s", 'equals(concat(|s| "a" "b") |s|)'],
    ["n <> 1 == 2 != 3", "notEquals(equals(notEquals(|n| 1) 2) 3)"],
    [
      "n <= 1 AND n >= 2 AND n < 3 AND n > 4",
      "and(lessOrEquals(|n| 1) greaterOrEquals(|n| 2) less(|n| 3) greater(|n| 4))"
    ],
    ["n BETWEEN 1 AND 2 AND 1", "and(and(greaterOrEquals(|n| 1) lessOrEquals(|n| 2)) 1)"],
    ["n NOT BETWEEN 1 AND 2", "not(and(greaterOrEquals(|n| 1) lessOrEquals(|n| 2)))"],
    ["s LIKE 'a' AND s NOT LIKE 'b'", 'and(like(|s| "a") notLike(|s| "b"))'],
    ["s ILIKE 'a' OR s NOT ILIKE 'b'", 'or(ilike(|s| "a") notILike(|s| "b"))'],
    ["n = 1 IS NOT NULL", "isNotNull(equals(|n| 1))"],
    ["NOT n IS NULL", "not(isNull(|n|))"],
    ["n IN (1, -2)", "in(|n| tuple(1 negate(2)))"],
    ["n NOT IN (1)", "notIn(|n| tuple(1))"],
    ["n IN [1, 2]", "in(|n| tuple(1 2))"],
    ["(n, s) IN ((1, 'a'), (2, 'b'))", 'in(tuple(|n| |s|) tuple(tuple(1 "a") tuple(2 "b")))'],
    ["n::Float64::Nullable(String)", "cast(cast(|n| Float64) Nullable(String))"],
    ["-1::Int8", "negate(cast(1 Int8))"],
    ["CAST(s AS datetime64(3, 'UTC'))", "cast(|s| DateTime64(3, 'UTC'))"],
    ["cast(s, 'Decimal(18, 2)')", "cast(|s| Decimal(18, 2))"]
  ])

  reads("has CASE, functions and lambdas", [
    ["CASE WHEN n > 1 THEN 'a' WHEN n THEN 'b' ELSE end END", 'multiIf(greater(|n| 1) "a" |n| "b" |end|)'],
    ["case n when 1 then 2 end", "multiIf(equals(|n| 1) 2 null)"],
    ["Lower(s)", "lower(|s|)"],
    ["COUNT(DISTINCT s, n)", "uniqExact(|s| |n|)"],
    ["count()", "count()"],
    ["quantile(0.95)(n)", "quantile(0.95;|n|)"],
    ["quantiles(0.5, 0.9)(n)", "quantiles(0.5;0.9;|n|)"],
    ["arrayMap(x -> x + n, list)", "arrayMap([x](plus(|x| |n|)) |list|)"],
    ["arrayExists((n, y) -> n = y, list, list)", "arrayExists([n y](equals(|n| |y|)) |list| |list|)"],
    ["and(1, 2)", "and(1 2)"],
    ["in(n, (1, 2))", "in(|n| tuple(1 2))"]
  ])

  reads("is refused with its position, and with what to do", [
    ["foo = 1", '0 character 1: there is no column "foo": write a column of the table, and texts in single quotes'],
    ["n = Evnts.Name", '4 character 5: there is no column "Evnts.Name": did you mean "Events.Name"?'],
    [
      "file('/x')",
      "0 character 1: file is no function that expressions may call: docs/expressions.md lists those that are"
    ],
    ["1 + lowr(s)", "4 character 5: lowr is no function that expressions may call: did you mean lower?"],
    ["`lower`(s)", "0 character 1: a name with points or quotes is no function: write its name alone"],
    ["lower()", "0 character 1: lower takes 1 argument, got 0"],
    ["if(1, 2)", "0 character 1: if takes 3 arguments, got 2"],
    ["count(*)", "6 character 7: * is no argument: write count()"],
    ["sum(DISTINCT n)", "4 character 5: DISTINCT is taken only in count(DISTINCT x): write uniqExact(x)"],
    [
      "n IN (SELECT 1)",
      "6 character 7: SELECT is not taken: write an expression over the columns, without queries in it"
    ],
    ["n IN system.one", "5 character 6: IN takes a list of literals: write IN (1, 2)"],
    ["n IN (n, 1)", "5 character 6: IN takes only literals: write the values, without columns, functions and queries"],
    ["in(n, list)", "0 character 1: in takes a list of literals: write in(x, (1, 2))"],
    [
      "n AS x",
      "2 character 3: an expression ends before this, and names for results are not taken: write an operator, or remove it"
    ],
    ["n; n", "1 character 2: ; is not taken: write one expression"],
    ["n -- x", "2 character 3: comments are not taken: remove it, or add a space between two signs"],
    ["'abc", "0 character 1: the text that begins here has no end: add '"],
    ["0x1F", "0 character 1: numbers with 0x and 0b are not taken: write it in digits"],
    ["{p:Int8}", "0 character 1: parameters in { } are not taken: write the value"],
    ["quantile(95)(n)", "9 character 10: the level 95 is not between 0 and 1: write 0.95 for 95 %"],
    ["lower(1)(s)", "5 character 6: lower takes no numbers before its arguments: write lower(x)"],
    [
      "s::Array(String)",
      "3 character 4: Array is no type that values are cast to: write one such as Float64, String or DateTime"
    ],
    [
      "s::Decimal(99, 2, 1)",
      "3 character 4: Decimal(99, 2, 1) is no type that values are cast to: write one such as Float64, String or DateTime64(3)"
    ],
    [
      "INTERVAL 1 fortnight",
      "11 character 12: fortnight is no unit of time: write SECOND, MINUTE, HOUR, DAY, WEEK, MONTH or YEAR"
    ],
    ["sum(max(n))", "4 character 5: the aggregate max stands in another aggregate: write one of the two"],
    ["arrayMap(x -> sum(x), list)", "14 character 15: the aggregate sum stands in a lambda: write it outside"],
    ["lower(x -> x)", "6 character 7: lower takes no lambda here: write a value"],
    ["arrayMap(list, list)", "9 character 10: arrayMap takes a function first: write arrayMap(x -> ..., array)"],
    ["", "0 character 1: expected a column, a value or a function, got the end"],
    ["(n", "2 character 3: expected ) or ,, got the end"]
  ])

  it("has aggregates where they may stand", () => {
    assert.strictEqual(read("sum(n) / count()", "required"), "divide(sum(|n|) count())")
    assert.match(read("sum(n) + n", "required"), /^9 character 10: the column "n" stands in no aggregate/)
    assert.match(read("1", "required"), /^0 character 1: there is no aggregate/)
    assert.match(read("1 + sum(n)", "refused"), /^4 character 5: the aggregate sum is not taken here/)
    assert.strictEqual(read("sumIf(n, s = 'a')", "required"), 'sumIf(|n| equals(|s| "a"))')
  })

  it("has bounds", () => {
    assert.match(read(`${"(".repeat(41)}n${")".repeat(41)}`), /nests more than 40 deep/)
    assert.strictEqual(read(`${"(".repeat(39)}n${")".repeat(39)}`), "|n|")
    assert.match(read(`n${" + n".repeat(40)}`), /nests more than 40 deep/)
    assert.match(read(`n${" AND n".repeat(500)}`), /more than 500 parts/)
    assert.match(read(`n${" BETWEEN 1 AND 2 IS NULL".repeat(8)}`), /more than 500 parts/)
    assert.match(read("n".repeat(10_001)), /more than 10000 characters/)
  })

  it("stands in a list", () => {
    const list = parseSqlList("n DESC, lower( s ) asc , (n, s)", { columns, aggregates: "refused" })
    assert.deepStrictEqual(
      Result.getOrThrow(list).map(({ expression, ...rest }) => ({ ...rest, tree: show(expression) })),
      [
        { text: "n", isDescending: true, tree: "|n|" },
        { text: "lower( s )", isDescending: false, tree: "lower(|s|)" },
        { text: "(n, s)", isDescending: false, tree: "tuple(|n| |s|)" }
      ]
    )
    assert.isTrue(Result.isFailure(parseSqlList("n,", { columns, aggregates: "refused" })))
    assert.isTrue(Result.isFailure(parseSqlList("n NULLS FIRST", { columns, aggregates: "refused" })))
  })
})

describe("the kind of an expression", () => {
  it("follows from columns and functions", () => {
    for (const [text, kind] of [
      ["n", "number"],
      ["s", "text"],
      ["ts", "time"],
      ["n > 1", "boolean"],
      ["ts + INTERVAL 1 DAY", "time"],
      ["day - 1", "date"],
      ["ts - ts", "number"],
      ["toStartOfHour(ts)", "time"],
      ["m['a']", "number"],
      ["Events.Name[1]", "text"],
      ["mapKeys(m)[1]", "text"],
      ["mapValues(m)[1]", "number"],
      ["arrayMap(x -> toString(x), list)[1]", "text"],
      ["arrayFilter(x -> x > 1, list)[1]", "number"],
      ["arrayFirst(x -> x = 'a', Events.Name)", "text"],
      ["if(n, NULL, s)", "text"],
      ["coalesce(NULL, n)", "number"],
      ["max(ts)", "time"],
      ["argMax(s, ts)", "text"],
      ["count()", "number"],
      ["[1, 2]", "array"],
      ["(1, 2)", "tuple"],
      ["n::String", "text"],
      ["NULL", "other"],
      ["CASE WHEN n THEN 'a' END", "text"]
    ] as const) {
      const tree = Result.getOrThrow(parseSql(text, { columns, aggregates: "allowed" }))
      assert.strictEqual(kindOf(tree, columns), kind, text)
    }
  })
})

describe("the function table", () => {
  it("names each function once, and takes as many arguments as it says", () => {
    assert.strictEqual(new Set(functionTable.map(({ name }) => name.toLowerCase())).size, functionTable.length)
    for (const { leastArguments, mostArguments, name } of functionTable)
      assert.isAtMost(leastArguments, mostArguments, name)
  })

  it("is in the documentation", () => {
    const page = readFileSync(new URL("../../../../docs/expressions.md", import.meta.url), "utf8")
    const [, section = ""] = /^## Functions$([^]*?)^## /m.exec(page) ?? []
    assert.deepStrictEqual(
      Array.from(section.matchAll(/`(\w+)`/g), ([, name = ""]) => name).toSorted(),
      functionTable.map(({ name }) => name).toSorted()
    )
  })

  it("lets keys of tables call only what always calculates the same", () => {
    const changing = /^(?:now|today|yesterday|count|sum|avg|min|max|any|uniq.*|quantile.*|arg.*|group.*)$/
    assert.deepStrictEqual(
      functionTable.filter(({ isKey, kind, name }) => isKey && (kind === "aggregate" || changing.test(name))),
      []
    )
  })
})
