import { describe, expect, it } from "vitest"
import { choiceOf, nodeOf, withMember } from "../../src/parts/schemaForm/schemaNode.ts"

const orNull = (...schemas: ReadonlyArray<object>) => ({ anyOf: [...schemas, { type: "null" }] })
const value = (type: string, rest: object = {}) => ({
  kind: "value",
  type,
  least: undefined,
  most: undefined,
  choices: undefined,
  absent: undefined,
  isSecret: false,
  isLong: false,
  ...rest
})

describe("the form of a schema", () => {
  it.each([
    ["text", { type: "string" }, value("text")],
    ["a number", { type: "number", minimum: 0.5, maximum: 8 }, value("number", { least: 0.5, most: 8 })],
    [
      "an integer without bounds but JavaScript's",
      { type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
      value("integer")
    ],
    ["a boolean that may be null", orNull({ type: "boolean" }), value("boolean")],
    [
      "known names or any text",
      orNull({ type: "string", enum: ["a", "b"] }, { type: "string" }),
      value("choice", { choices: ["a", "b"] })
    ],
    ["a number or its text", orNull({ type: "integer" }, { type: "string", pattern: "^x$" }), value("integer")],
    ["a preset", { type: "string", default: "x" }, value("text", { absent: "x" })],
    ["anything", {}, { kind: "json" }],
    ["a map", { type: "object", additionalProperties: { type: "string" } }, { kind: "json" }],
    ["a list without items", { type: "array" }, { kind: "json" }],
    ["a list", orNull({ type: "array", items: { type: "string" } }), { kind: "list", item: value("text") }],
    ["a choice of an object and a text", { anyOf: [{ properties: {} }, { type: "string" }] }, { kind: "json" }],
    ["an unknown reference", { $ref: "#/components/schemas/None" }, { kind: "json" }]
  ])("of %s", (_, schema, node) => {
    expect(nodeOf(schema, {})).toEqual(node)
  })

  it("follows references, with the description that stands beside them", () => {
    const schemas = {
      Outer: {
        type: "object",
        required: ["in"],
        properties: { in: { $ref: "#/x/Inner", description: "In." } }
      },
      Inner: { type: "object", description: "Inner.", properties: { portNumber: orNull({ $ref: "#/x/Port" }) } },
      Port: { type: "integer", minimum: 1, description: "Port." }
    }
    expect(nodeOf({ $ref: "#/x/Outer" }, schemas)).toEqual({
      kind: "object",
      members: [
        {
          name: "in",
          label: "In",
          description: "In.",
          isRequired: true,
          node: {
            kind: "object",
            members: [
              {
                name: "portNumber",
                label: "Port number",
                description: "Port.",
                isRequired: false,
                node: value("integer", { least: 1 })
              }
            ]
          }
        }
      ]
    })
  })

  it.each([
    ["password", true],
    ["secretKey", true],
    ["privateKey", true],
    ["connectionString", true],
    ["serviceAccountKey", true],
    ["serviceAccountFile", true],
    ["token", true],
    ["accessKeyId", false],
    ["username", false],
    ["certificate", false],
    ["keyName", false]
  ])("hides %s: %s", (name, isSecret) => {
    expect(nodeOf({ type: "string" }, {}, name)).toEqual(value("text", { isSecret }))
    expect(nodeOf({ type: "boolean" }, {}, name)).toEqual(value("boolean"))
  })

  it.each(["The key, in PEM.", "The `.proto` source.", "The JSON key file."])("has lines: %s", (description) => {
    expect(nodeOf({ type: "string", description }, {})).toEqual(value("text", { isLong: true }))
    expect(nodeOf({ type: "integer", description }, {})).toEqual(value("integer"))
  })

  it("has a variant for each object, by its title or its constant", () => {
    const line = { properties: { type: { enum: ["line"] }, width: { type: "integer" } } }
    const text = { title: "Text", properties: { type: { const: "text" } } }
    const other = { properties: { any: { type: "string" } } }
    const node = nodeOf({ oneOf: [line, text, other] }, {})
    expect(
      node.kind === "union" &&
        node.variants.map(({ constants, node: { members }, title }) => [
          title,
          constants,
          members.map(({ name }) => name)
        ])
    ).toEqual([
      ["line", { type: "line" }, ["width"]],
      ["Text", { type: "text" }, []],
      ["Variant 3", {}, ["any"]]
    ])
  })
})

it("makes a choice of texts, and puts it into an object", () => {
  const choice = choiceOf(["1", "2"], { 1: "one" })
  expect(choice).toEqual(value("choice", { choices: ["1", "2"], titles: { 1: "one" } }))
  const node = nodeOf({ properties: { a: { type: "string" }, b: { type: "string" } } }, {})
  if (node.kind !== "object") throw new Error("It is no object.")
  const changed = withMember(node, "b", (member) => ({ ...member, node: choice }))
  expect(changed.members.map((member) => [member.name, member.node])).toEqual([
    ["a", value("text")],
    ["b", choice]
  ])
})
