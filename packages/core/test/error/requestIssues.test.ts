import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { DashboardCreate } from "../../src/dashboard/DashboardCreate.ts"
import { InvalidRequest } from "../../src/error/CallError.ts"
import { decodeRequest, jsonIssues, validate } from "../../src/error/validate.ts"
import { ApiKeyCreate } from "../../src/key/ApiKeyCreate.ts"
import { looseStruct } from "../../src/schema/LooseStruct.ts"

const times = <A>(count: number, value: A): ReadonlyArray<A> => Array.from({ length: count }, () => value)

const issuesOf = <A extends object>(schema: Schema.Codec<A, unknown>, request: unknown) =>
  Effect.map(Effect.flip(decodeRequest(schema)(request)), ({ issues }) => issues)

const tile = { x: 0, y: 0, w: 1, h: 1 }

describe("the issues of a request", () => {
  it.effect("are in the order of the schema, each with a path and a message", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        decodeRequest(DashboardCreate)({ name: 1, tiles: [tile, { ...tile, w: 0, series: [{ where: 2 }] }, "no tile"] })
      )
      assert.instanceOf(error, InvalidRequest)
      assert.deepStrictEqual(error.issues, [
        { path: "name", message: "Expected string" },
        { path: "tiles[1].w", message: "Expected a number greater than 0" },
        { path: "tiles[1].series[0].where", message: "Expected string | null" },
        { path: "tiles[2]", message: "Expected an object" }
      ])
    })
  )

  it.effect("are at most 20, then the number of the others", () =>
    Effect.gen(function* () {
      const issues = yield* issuesOf(DashboardCreate, { name: "x", tiles: times(6, {}) })
      assert.lengthOf(issues, 21)
      assert.deepStrictEqual(issues[0], { path: "tiles[0].x", message: "Missing: it is required" })
      assert.deepStrictEqual(issues[19], { path: "tiles[4].h", message: "Missing: it is required" })
      assert.deepStrictEqual(issues[20], { path: "", message: "and 4 more" })
    })
  )

  it.effect("are counted to 1000", () =>
    Effect.gen(function* () {
      const issues = yield* issuesOf(DashboardCreate, { name: "x", tiles: times(500, {}) })
      assert.deepStrictEqual(issues.at(-1), { path: "", message: "and at least 980 more" })
    })
  )

  it.effect("of a list that is too long are one: its elements are not looked at", () =>
    Effect.gen(function* () {
      let looks = 0
      const Word = Schema.String.check(
        Schema.makeFilter(() => {
          looks++
          return true
        })
      )
      const Words = looseStruct({
        words: Schema.Array(Word).check(Schema.isMaxLength(2, { message: "Expected at most 2 words" }))
      })
      assert.deepStrictEqual(yield* issuesOf(Words, { words: ["a", "b", 3] }), [
        { path: "words", message: "Expected at most 2 words" }
      ])
      assert.strictEqual(looks, 0)
    })
  )

  const tooLong: ReadonlyArray<{
    readonly path: string
    readonly schema: Schema.Codec<object, unknown>
    readonly request: object
  }> = [
    { path: "tiles", schema: DashboardCreate, request: { name: "x", tiles: times(501, tile) } },
    { path: "tags", schema: DashboardCreate, request: { name: "x", tags: times(51, "a") } },
    {
      path: "tiles[0].series",
      schema: DashboardCreate,
      request: { name: "x", tiles: [{ ...tile, series: times(101, {}) }] }
    },
    {
      path: "tiles[0].series[0].groupBy",
      schema: DashboardCreate,
      request: { name: "x", tiles: [{ ...tile, series: [{ groupBy: times(11, "a") }] }] }
    },
    { path: "roles", schema: ApiKeyCreate, request: { name: "x", roles: times(21, "admin") } },
    { path: "ipAccessList", schema: ApiKeyCreate, request: { name: "x", ipAccessList: times(201, { source: "::1" }) } }
  ]
  it.effect.each(tooLong)("name $path where it has more elements than its maximum", ({ path, request, schema }) =>
    Effect.gen(function* () {
      const issues = yield* issuesOf(schema, request)
      assert.deepStrictEqual(
        issues.map((issue) => issue.path),
        [path]
      )
      assert.match(issues[0]?.message ?? "", /^Expected at most \d+ /)
    })
  )

  it.effect("are the same for a caller in this process", () =>
    Effect.gen(function* () {
      const request = { name: "x", tiles: times(6, { ...tile, w: 0, h: -1, x: -1, y: Number.NaN }) }
      const { issues, message } = yield* Effect.flip(validate(DashboardCreate)(request))
      assert.deepStrictEqual(issues, yield* issuesOf(DashboardCreate, request))
      assert.match(message, /; and 4 more$/)
    })
  )

  it("of unknown fields are bounded in the same way", () => {
    const issues = jsonIssues(times(25, 1n))
    assert.lengthOf(issues, 21)
    assert.deepStrictEqual(issues.at(-1), { path: "", message: "and 5 more" })
    assert.deepStrictEqual(jsonIssues(times(2000, 1n)).at(-1), { path: "", message: "and at least 980 more" })
  })
})
