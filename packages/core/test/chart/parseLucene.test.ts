import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { columnTypeOf, type Expression, parseLucene } from "../../src/adapter.ts"

const columns = new Map(
  [
    ["Body", "String"],
    ["host", "Nullable(String)"],
    ["n", "Int64"],
    ["level", "LowCardinality(String)"],
    ["state", "Enum8('on' = 1, 'off' = 2)"],
    ["ok", "Bool"],
    ["ts", "DateTime64(9)"],
    ["day", "Date"],
    ["tags", "Array(String)"],
    ["sizes", "Array(Int64)"],
    ["attributes", "Map(LowCardinality(String), String)"],
    ["figures", "Map(String, Float64)"],
    ["j", "JSON"]
  ].map(([name = "", type = ""]) => [name, columnTypeOf(type)])
)

/** A tree as a text: names of columns in bars, texts in JSON. */
const show = (tree: Expression): string => {
  switch (tree._tag) {
    case "Literal":
      return tree.value !== null && typeof tree.value === "object" ? tree.value.text : JSON.stringify(tree.value)
    case "Column":
      return `|${tree.name}|`
    case "Call":
      return `${tree.name}(${tree.arguments.map(show).join(" ")})`
    case "Lambda":
      return `[${tree.parameters.join(" ")}](${show(tree.body)})`
    case "Cast":
      return "a cast"
  }
}

const read = (text: string, implicit: ReadonlyArray<string> = ["Body"]): string =>
  Result.match(parseLucene(text, { columns, aggregates: "refused", implicit }), {
    onSuccess: (tree) => (tree === undefined ? "nothing" : show(tree)),
    onFailure: ({ message, position }) => `${position} ${message}`
  })

const reads = (title: string, cases: ReadonlyArray<readonly [text: string, tree: string]>) =>
  it(`${title}`, () =>
    assert.deepStrictEqual(
      cases.map(([text]) => [text, read(text)] as const),
      cases
    ))

const body = "lower(|Body|)"
const word = (text: string) => `hasToken(${body} "${text}")`

describe("a text in the Lucene syntax", () => {
  reads("searches words, phrases and wildcards", [
    ["", "nothing"],
    ["  ", "nothing"],
    ["Word", word("word")],
    ["É", word("É")],
    ["a B", `and(${word("a")} ${word("b")})`],
    ['"two words"', `and(${word("two")} ${word("words")} like(${body} "%two words%"))`],
    ['"word"', word("word")],
    ["a-b", `and(${word("a")} ${word("b")} like(${body} "%a-b%"))`],
    ["--", `not(like(${body} "%-%"))`],
    ["wo*", `like(${body} "wo%")`],
    ["*RD", `like(${body} "%rd")`],
    ["*50%_*", `like(${body} ${JSON.stringify("%50\\%\\_%")})`],
    ["w*d", `like(${body} "w%d")`],
    ["*", "true"],
    [String.raw`a\*`, `and(${word("a")} like(${body} "%a*%"))`],
    [String.raw`"a\"b"`, `and(${word("a")} ${word("b")} like(${body} ${JSON.stringify('%a"b%')}))`]
  ])

  it("searches in several columns", () => {
    assert.strictEqual(
      read("x", ["Body", "host", "n"]),
      'hasToken(lower(concatWithSeparator(";" |Body| ifNull(|host| "") toString(|n|))) "x")'
    )
    assert.match(read("x", []), /^0 character 1: Can not search bare text without an implicit column set/)
    assert.strictEqual(read("n:1", []), "equals(|n| 1)")
  })

  reads("compares fields by the type of the column", [
    ["host:a", 'ilike(|host| "%a%")'],
    ['host:"a b"', 'equals(|host| "a b")'],
    ["host:a*", 'ilike(|host| "a%")'],
    ["host:50%", `ilike(|host| ${JSON.stringify("%50\\%%")})`],
    ["host:*", "notEmpty(|host|)"],
    ["host:12:30", 'ilike(|host| "%12:30%")'],
    ["n:5", "equals(|n| 5)"],
    ["n:-5", "equals(|n| negate(5))"],
    ['n:"5"', "equals(|n| 5)"],
    ["n:*", "isNotNull(|n|)"],
    ["n:>5", "greater(|n| 5)"],
    ["n:>=0.5", "greaterOrEquals(|n| 0.5)"],
    ["n:<-1", "less(|n| negate(1))"],
    ["n:<=1e3", "lessOrEquals(|n| 1e3)"],
    ["n:[1 TO 10]", "and(greaterOrEquals(|n| 1) lessOrEquals(|n| 10))"],
    ["n:{1 TO 10}", "and(greater(|n| 1) less(|n| 10))"],
    ["n:[1 TO 10}", "and(greaterOrEquals(|n| 1) less(|n| 10))"],
    ["n:[1 TO *]", "greaterOrEquals(|n| 1)"],
    ["n:{* TO -1]", "lessOrEquals(|n| negate(1))"],
    ["n:[* TO *]", "isNotNull(|n|)"],
    ["host:>5", "greater(toFloat64OrNull(|host|) 5)"],
    ["host:>b", 'greater(|host| "b")'],
    ["level:a", 'ilike(|level| "%a%")'],
    ["state:on", 'ilike(toString(|state|) "%on%")'],
    ['state:"on"', 'equals(toString(|state|) "on")'],
    ["state:*", "notEmpty(toString(|state|))"],
    ["ok:true", "equals(|ok| true)"],
    ["ok:0", "equals(|ok| false)"],
    ['ts:>"2026-11-23"', 'greater(|ts| parseDateTime64BestEffort("2026-11-23" 9 "UTC"))'],
    ["day:2026-11-23", 'equals(|day| toDate("2026-11-23"))']
  ])

  reads("reads arrays, maps and JSON", [
    ["tags:a", 'arrayExists([element](ilike(|element| "%a%")) |tags|)'],
    ['tags:"a"', 'arrayExists([element](equals(|element| "a")) |tags|)'],
    ["tags:*", "notEmpty(|tags|)"],
    ["sizes:>5", "arrayExists([element](greater(|element| 5)) |sizes|)"],
    ["attributes.k8s.pod:a", 'ilike(arrayElement(|attributes| "k8s.pod") "%a%")'],
    ["attributes.k:*", 'notEmpty(arrayElement(|attributes| "k"))'],
    ["figures.load:>0.5", 'greater(arrayElement(|figures| "load") 0.5)'],
    ["Body.a.b:x", 'ilike(JSONExtractString(|Body| "a" "b") "%x%")'],
    ["Body.a:>5", 'greater(if(JSONHas(|Body| "a") JSONExtractFloat(|Body| "a") null) 5)'],
    ["j.a.b:x", 'ilike(toString(getSubcolumn(|j| "a.b")) "%x%")']
  ])

  reads("joins and negates terms", [
    ["n:1 n:2 OR n:3", "or(and(equals(|n| 1) equals(|n| 2)) equals(|n| 3))"],
    ["n:1 AND n:2 && n:3", "and(equals(|n| 1) equals(|n| 2) equals(|n| 3))"],
    ["n:1 || (n:2 n:3)", "or(equals(|n| 1) and(equals(|n| 2) equals(|n| 3)))"],
    ["-n:1", "not(equals(|n| 1))"],
    ["NOT n:>5", "lessOrEquals(|n| 5)"],
    ["!n:<5", "greaterOrEquals(|n| 5)"],
    ["NOT (n:1 OR n:2)", "not(or(equals(|n| 1) equals(|n| 2)))"],
    ["n:(1 OR 2 OR -3)", "or(equals(|n| 1) equals(|n| 2) not(equals(|n| 3)))"],
    ["-host:(a b)", 'not(and(ilike(|host| "%a%") ilike(|host| "%b%")))'],
    ["+n:1", "equals(|n| 1)"]
  ])

  reads("is refused with its position, and with what to do", [
    ["n:1 hosts:a", '4 character 5: there is no column "hosts": did you mean "host"?'],
    ["http://x", '0 character 1: there is no column "http": write text with a colon in double quotes'],
    ["n:abc", '0 character 1: "abc" does not fit the column "n": write a number, such as 5 or 0.25'],
    ["n:1 ok:maybe", '4 character 5: "maybe" does not fit the column "ok": write true or false'],
    ["ts:>soon", '0 character 1: "soon" does not fit the column "ts": write a time, such as "2026-11-23T10:00:00Z"'],
    ["attributes:a", '0 character 1: "attributes" is a map: write a key, as in attributes.key:value'],
    ["host:", "5 character 6: a value is missing: write it straight after the colon, or * for any"],
    ['"open', '0 character 1: the words that begin here have no end: add "'],
    ["n:[1 10]", "2 character 3: this is no range: write [1 TO 10], {1 TO 10} or [1 TO *]"],
    ["(n:1", "0 character 1: the group that begins here has no end: add )"],
    ["n:1)", "3 character 4: this ) closes nothing: remove it, or write it in double quotes"],
    [
      "n:1 AND",
      "7 character 8: expected a word, got the end: write what to search for, and such signs in double quotes"
    ],
    ["OR n:1", "0 character 1: expected a word, got OR: write what to search for, and such signs in double quotes"]
  ])

  it("has bounds", () => {
    assert.match(read("a".repeat(2001)), /more than 2000 characters/)
    assert.match(read("a ".repeat(201)), /more than 200 words/)
    assert.match(read("a.".repeat(201)), /more than 200 words/)
    assert.match(read("(".repeat(41)), /nests more than 40 deep/)
    assert.match(read(`${"-".repeat(41)}a`), /nests more than 40 deep/)
  })
})
