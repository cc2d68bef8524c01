import { assert, describe, it } from "@effect/vitest"
import { jsonIssues } from "../../src/error/validate.ts"

const pathsIn = (value: unknown) => jsonIssues(value).map(({ path }) => path)

describe("jsonIssues", () => {
  it("finds no issue in JSON", () => {
    const shared = { b: [null] }
    const bare: object = Object.assign(Object.create(null), { a: 1 })
    for (const value of [null, "", 0, -1.5, true, [], {}, bare, [shared, shared], { a: shared, b: { a: shared } }]) {
      assert.deepStrictEqual(jsonIssues(value), [])
    }
  })

  it("names everything else, wherever it is", () => {
    const odd = [
      Number.NaN,
      Infinity,
      1n,
      undefined,
      Symbol("a"),
      () => 1,
      new Date(0),
      new Map(),
      new URL("https://a.example")
    ]
    for (const value of odd) assert.deepStrictEqual(pathsIn({ a: [1, { b: value }], c: value }), ["a[1].b", "c"])
    assert.deepStrictEqual(pathsIn(undefined), [""])
    assert.deepStrictEqual(pathsIn(JSON.parse('[1, {"__proto__": {"a": 1}}]')), [])
    // oxlint-disable-next-line no-sparse-arrays -- a place that holds nothing would be written as null
    assert.deepStrictEqual(pathsIn([1, , 2]), ["[1]"])
  })

  it("ends for objects that refer to each other", () => {
    const people = Array.from({ length: 30 }, (_, index) => ({ index, friends: new Array<object>() }))
    for (const person of people) person.friends.push(...people)
    const [first, ...more] = jsonIssues(people)
    const message = "Expected JSON: a value without cycles, at most 500 levels deep"
    assert.deepStrictEqual(first, { path: "[0].friends[0]", message })
    assert.lengthOf(more, 20)
  })

  it("ends for a value that is too deep for the stack", () => {
    let value: unknown = 1
    for (let depth = 0; depth < 100_000; depth += 1) value = [value]
    assert.lengthOf(jsonIssues(value), 1)
  })
})
