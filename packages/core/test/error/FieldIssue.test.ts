import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { fieldIssues, formatFieldIssues, formatPath } from "../../src/error/FieldIssue.ts"

const Order = Schema.Struct({
  id: Schema.String,
  lines: Schema.Array(Schema.Struct({ quantity: Schema.Int, "unit price": Schema.Finite }))
})

describe("formatPath", () => {
  it("writes a path as in JavaScript", () => {
    assert.strictEqual(formatPath([]), "")
    assert.strictEqual(formatPath(["name"]), "name")
    assert.strictEqual(formatPath(["tiles", 2, "w"]), "tiles[2].w")
    assert.strictEqual(formatPath([0, "source"]), "[0].source")
    assert.strictEqual(formatPath(["rows", 1, 2]), "rows[1][2]")
    assert.strictEqual(formatPath([{ key: "tiles" }, { key: 2 }, { key: "w" }]), "tiles[2].w")
  })
})

describe("fieldIssues", () => {
  it.effect("names everything that is wrong, a path and a message each", () =>
    Effect.gen(function* () {
      const document = { id: 1, lines: [{ quantity: 1, "unit price": 2 }, { quantity: 1.5 }] }
      const issues = fieldIssues(yield* Effect.flip(Schema.decodeUnknownEffect(Order)(document, { errors: "all" })))
      assert.deepStrictEqual(
        issues.map(({ path }) => path),
        ["id", "lines[1].quantity", "lines[1].unit price"]
      )
      for (const { message } of issues) assert.isNotEmpty(message)
    })
  )

  it.effect("has an empty path for the whole value", () =>
    Effect.gen(function* () {
      const issues = fieldIssues(yield* Effect.flip(Schema.decodeUnknownEffect(Order)("text")))
      assert.deepStrictEqual(issues, [{ path: "", message: "Expected object" }])
    })
  )
})

describe("formatFieldIssues", () => {
  it("is one line that names every bad field", () => {
    assert.strictEqual(
      formatFieldIssues([
        { path: "name", message: "Expected 1 to 255 characters" },
        { path: "tiles[2].w", message: "Expected a number greater than 0" },
        { path: "", message: "Expected an object" }
      ]),
      "name: Expected 1 to 255 characters; tiles[2].w: Expected a number greater than 0; Expected an object"
    )
    assert.strictEqual(formatFieldIssues([]), "")
  })
})
