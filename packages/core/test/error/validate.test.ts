import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { decodeRequest, validate } from "../../src/error/validate.ts"
import { looseStruct } from "../../src/schema/LooseStruct.ts"

/** A schema that counts how often a name was looked at. */
const counting = () => {
  const looks = { count: 0 }
  const Request = looseStruct({
    name: Schema.String.check(
      Schema.makeFilter((name: string) => {
        looks.count++
        return name !== "" || "Expected a name"
      })
    )
  })
  return { looks, Request }
}

describe("decodeRequest", () => {
  it.effect("returns a request that validate does not check again", () =>
    Effect.gen(function* () {
      const { looks, Request } = counting()
      const request = yield* decodeRequest(Request)({ name: "good", more: [1] })
      assert.deepStrictEqual<unknown>(request, { name: "good", more: [1] })
      const before = looks.count
      assert.strictEqual(yield* validate(Request)(request), request)
      assert.strictEqual(looks.count, before)
    })
  )

  it.effect("marks no copy, no value of another schema, and no value of another decoder", () =>
    Effect.gen(function* () {
      const { looks, Request } = counting()
      const decoded = yield* decodeRequest(Request)({ name: "good" })
      const other = counting()
      for (const request of [
        { ...decoded },
        structuredClone(decoded),
        yield* decodeRequest(other.Request)({ name: "good" }),
        yield* Schema.decodeUnknownEffect(Request)({ name: "good" })
      ]) {
        const before = looks.count
        assert.deepStrictEqual<unknown>(yield* validate(Request)(request), request)
        assert.isAbove(looks.count, before)
      }
      const error = yield* Effect.flip(validate(Request)({ ...decoded, name: "" }))
      assert.strictEqual(error.message, "name: Expected a name")
    })
  )

  it.effect("adds no visible field to the decoded value", () =>
    Effect.gen(function* () {
      const { Request } = counting()
      const request = yield* decodeRequest(Request)({ name: "good" })
      assert.deepStrictEqual(Reflect.ownKeys(request), ["name"])
      assert.strictEqual(JSON.stringify(request), '{"name":"good"}')
    })
  )

  it.effect("reports every issue", () =>
    Effect.gen(function* () {
      const Request = looseStruct({ name: Schema.String, size: Schema.Finite })
      const error = yield* Effect.flip(decodeRequest(Request)({ name: 1, size: "2" }))
      assert.include(error.message, "name")
      assert.include(error.message, "size")
    })
  )

  it.effect("names a number that is too large for JavaScript, in a field that no contract names", () =>
    Effect.gen(function* () {
      const Request = looseStruct({ name: Schema.String })
      const body: unknown = JSON.parse('{"name":"good","owner":{"since":[1,1e400]}}')
      const error = yield* Effect.flip(decodeRequest(Request)(body))
      assert.match(error.message, /^owner\.since\[1\]: Expected JSON: .*a finite number/)
    })
  )
})
