import { assert, describe, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { forGenerators } from "../src/forGenerators.ts"

const definitions = { Port: { type: "integer", minimum: 1, description: "A port." } }

const values = [
  0.25,
  0.5,
  1,
  8,
  80,
  "",
  "ab",
  "abcdef",
  [],
  [1],
  ["a", "b"],
  {},
  { a: 1 },
  { a: "x", b: 2 },
  null,
  true
]

/** Which of the values a schema accepts, by a validator that knows nothing of this. */
const accepted = (schema: object) => {
  const ajv = new Ajv2020({ strict: false, code: { optimize: false } })
  const validate = ajv.compile({ ...schema, definitions })
  return values.filter((value) => validate(value))
}

describe("a schema for generators of clients", () => {
  it.each([
    [
      "a description beside a reference",
      { allOf: [{ $ref: "#/definitions/Port" }, { description: "Where." }] },
      { $ref: "#/definitions/Port", description: "Where." }
    ],
    [
      "bounds of a text, and the description nearest to it",
      { type: "string", description: "a", allOf: [{ minLength: 1 }, { maxLength: 3, description: "b" }] },
      { type: "string", minLength: 1, maxLength: 3, description: "b" }
    ],
    [
      "an allOf in an allOf",
      { allOf: [{ type: "string", allOf: [{ minLength: 1 }] }, { pattern: "^a" }] },
      { type: "string", minLength: 1, pattern: "^a" }
    ],
    [
      "the items of an array beside a description",
      { type: "array", items: { type: "string" }, allOf: [{ description: "Names." }] },
      { type: "array", items: { type: "string" }, description: "Names." }
    ],
    ["an array of anything", { type: "array" }, { type: "array", items: {} }],
    [
      "numbers to choose from",
      { type: "number", enum: [0.5, 8], description: "One." },
      {
        anyOf: [
          { type: "number", const: 0.5 },
          { type: "number", const: 8 }
        ],
        description: "One."
      }
    ]
  ])("has %s in one schema, and means the same", (_, schema, expected) => {
    assert.deepStrictEqual<object>(forGenerators(schema), expected)
    assert.deepStrictEqual(accepted(expected), accepted(schema))
  })

  it.each([
    ["two references", { allOf: [{ $ref: "#/definitions/Port" }, { $ref: "#/definitions/Port" }] }, 1],
    ["two bounds", { type: "number", minimum: 1, allOf: [{ minimum: 8 }] }, 1],
    ["no other fields", { additionalProperties: false, properties: { a: {} }, allOf: [{ properties: { b: {} } }] }, 1]
  ])("keeps what would mean something else in one schema: %s", (_, schema, kept) => {
    const result = forGenerators(schema)
    assert.lengthOf(result["allOf"] as ReadonlyArray<unknown>, kept)
    assert.deepStrictEqual(accepted(result), accepted(schema))
  })

  it("leaves examples as they are", () => {
    const example = { type: "array", allOf: [{ a: 1 }] }
    assert.deepStrictEqual<object>(forGenerators({ content: { example } }), { content: { example } })
  })
})
