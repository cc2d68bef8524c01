import { assert, describe, it } from "@effect/vitest"
import { keyMatcher, prefixOf } from "../src/key/keyPattern.ts"

describe("keyMatcher", () => {
  const cases: ReadonlyArray<readonly [string, ReadonlyArray<string>, ReadonlyArray<string>]> = [
    ["logs/a.json", ["logs/a.json"], ["logs/aXjson", "logs/a.json2", "xlogs/a.json", ""]],
    ["logs/*.json", ["logs/a.json", "logs/.json"], ["logs/2026/a.json", "logs/a.csv"]],
    ["logs/**.json", ["logs/a.json", "logs/2026/01/a.json", "logs/.json"], ["log/a.json"]],
    ["logs/**/a?.json", ["logs/x/a1.json", "logs/x/y/aü.json", "logs//a😀.json"], ["logs/x/a.json", "logs/x/a/.json"]],
    ["**", ["", "a", "a/b"], []],
    ["*", ["", "a"], ["a/b"]],
    ["a.+(b)[c]{d}^$|\\", ["a.+(b)[c]{d}^$|\\"], ["aa+(b)[c]{d}^$|\\"]],
    ["*a*b*", ["ab", "xaxbx", "aab"], ["ba", "a/b"]]
  ]
  for (const [pattern, taken, left] of cases) {
    it(`${pattern} takes the keys that it should`, () => {
      const matches = keyMatcher(pattern)
      assert.deepStrictEqual(
        [...taken, ...left].filter((key) => matches(key)),
        taken
      )
    })
  }

  it("costs no more than key times pattern, whatever the pattern", () => {
    const matches = keyMatcher("**a".repeat(300))
    assert.isFalse(matches("a".repeat(299)))
    assert.isFalse(matches(`${"a".repeat(1000)}b`))
    assert.isTrue(matches("a".repeat(1000)))
  })
})

describe("prefixOf", () => {
  it("is what stands before the first wildcard", () => {
    assert.deepStrictEqual(["a/b*.json", "a?", "**", "a/b.json"].map(prefixOf), ["a/b", "a", "", "a/b.json"])
  })
})
