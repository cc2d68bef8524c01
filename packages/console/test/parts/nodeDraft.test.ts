import { describe, expect, it } from "vitest"
import {
  draftOfValue,
  mergedDraft,
  movedItem,
  readNode,
  shownErrors,
  shownPath
} from "../../src/parts/schemaForm/nodeDraft.ts"
import { nodeOf } from "../../src/parts/schemaForm/schemaNode.ts"

const text = { type: "string" }
const schema = {
  type: "object",
  required: ["name", "place"],
  properties: {
    name: text,
    port: { type: "integer", minimum: 1, maximum: 65_535 },
    size: { type: "number" },
    isOn: { type: "boolean" },
    mode: { enum: ["one", "two"] },
    place: { type: "object", required: ["city"], properties: { city: text, street: text } },
    login: { type: "object", required: ["user"], properties: { user: text, password: text } },
    tags: { type: "array", items: text },
    tables: { type: "array", items: { type: "object", required: ["to"], properties: { from: text, to: text } } },
    any: {},
    shape: {
      anyOf: [
        { properties: { kind: { const: "circle" }, radius: { type: "number" } }, required: ["kind", "radius"] },
        { properties: { kind: { const: "dot" } } }
      ]
    }
  }
}
const node = nodeOf(schema, {})
const read = (draft: object, language = "en") => readNode(node, draft as never, "", true, language)
const least = { name: "n", place: { city: "c" } }

describe("reading a form", () => {
  it("has the values of what was typed, without what is empty", () => {
    const draft = {
      ...least,
      port: "8443",
      size: "1.5",
      isOn: "false",
      mode: "two",
      place: { city: " c ", street: " " },
      login: { user: "", password: "" },
      tags: ["a", "b"],
      tables: [{ from: "x", to: "y" }],
      any: '{"a": [1]}',
      shape: { variant: "0", value: { radius: "2" } }
    }
    expect(read(draft)).toEqual({
      value: {
        name: "n",
        port: 8443,
        size: 1.5,
        isOn: false,
        mode: "two",
        place: { city: "c" },
        tags: ["a", "b"],
        tables: [{ from: "x", to: "y" }],
        any: { a: [1] },
        shape: { kind: "circle", radius: 2 }
      },
      errors: {}
    })
  })

  it("keeps the spaces of a secret", () => {
    expect(read({ ...least, login: { user: " u ", password: " p " } }).value).toMatchObject({
      login: { user: "u", password: " p " }
    })
  })

  it("reads numbers as the language writes them", () => {
    expect(read({ ...least, port: "8.443", size: "1,5" }, "de").value).toMatchObject({ port: 8443, size: 1.5 })
  })

  it.each([
    ["what is required", {}, { name: "Enter a value.", "place.city": "Enter a value." }],
    [
      "a required field of an optional object",
      { ...least, login: { password: "p" } },
      { "login.user": "Enter a value." }
    ],
    ["a word for a number", { ...least, port: "x" }, { port: "Enter a number." }],
    ["a fraction", { ...least, port: "1.5" }, { port: "Enter a whole number." }],
    ["too little", { ...least, port: "0" }, { port: "The number is out of bounds." }],
    ["too much", { ...least, port: "65536" }, { port: "The number is out of bounds." }],
    ["an empty item", { ...least, tags: ["a", ""] }, { "tags[1]": "Enter a value." }],
    [
      "a field of an item",
      { ...least, tables: [{ to: "x" }, undefined, { from: "x" }] },
      { "tables[1].to": "Enter a value.", "tables[2].to": "Enter a value." }
    ],
    ["what is no JSON", { ...least, any: "{" }, { any: "Enter JSON." }],
    ["no variant", { ...least, shape: { variant: "", value: { radius: "1" } } }, { shape: "Choose one." }],
    ["a field of a variant", { ...least, shape: { variant: "0" } }, { "shape.radius": "Enter a value." }]
  ])("tells %s", (_, draft, errors) => {
    expect(read(draft).errors).toEqual(errors)
  })

  it("takes the bounds themselves", () => {
    expect(read({ ...least, port: "1" }).errors).toEqual({})
    expect(read({ ...least, port: "65535" }).errors).toEqual({})
  })

  it("has a variant without fields", () => {
    expect(read({ ...least, shape: { variant: "1" } }).value).toMatchObject({ shape: { kind: "dot" } })
  })

  it("begins with the path that it is given", () => {
    expect(readNode(node, {}, "source.kafka", true, "en").errors).toEqual({
      "source.kafka.name": "Enter a value.",
      "source.kafka.place.city": "Enter a value."
    })
  })
})

describe("the draft of a value", () => {
  const value = {
    name: "n",
    port: 8443,
    size: 1.5,
    isOn: true,
    mode: "one",
    place: { city: "c", street: "s" },
    login: { user: "u", password: "p" },
    tags: ["a"],
    tables: [{ from: "x", to: "y" }, { to: "z" }],
    any: { b: 1 },
    shape: { kind: "circle", radius: 2.5 }
  }

  it.each(["en", "de"])("is read as the value again: %s", (language) => {
    expect(read(draftOfValue(node, value, language) as object, language)).toEqual({ value, errors: {} })
  })

  it("has the language's numbers", () => {
    expect(draftOfValue(node, value, "de")).toMatchObject({
      size: "1,5",
      shape: { variant: "0", value: { radius: "2,5" } }
    })
  })

  it("is empty for null, and for what has another shape", () => {
    const draft = draftOfValue(
      node,
      { name: null, place: "x", tags: "x", shape: { kind: "square" }, isOn: false },
      "en"
    )
    expect(draft).toMatchObject({ isOn: "false", place: {} })
    expect(JSON.stringify(draft)).toBe('{"isOn":"false","place":{}}')
  })
})

describe("the errors of a server", () => {
  const draft = { tables: [{}, {}], shape: { variant: "0", value: {} } }
  it.each([
    ["name", "name"],
    ["place.city", "place.city"],
    ["place.country", "place"],
    ["place.city.more", "place.city"],
    ["tables.1.to", "tables[1].to"],
    ["tables[1].to", "tables[1].to"],
    ["tables[2].to", "tables"],
    ["tags[0]", "tags"],
    ["shape.radius", "shape.radius"],
    ["shape.colour", "shape"],
    ["else", ""]
  ])("of %s are shown at %s", (path, shown) => {
    expect(shownPath(node, draft as never, "", path)).toBe(shown)
  })

  it("below another path, and none outside of it", () => {
    const errors = {
      "source.kafka.name": "One.",
      "source.kafka.place.x": "Two.",
      "source.kafka.place.y": "Three.",
      "source.other": "Four."
    }
    expect(shownErrors(node, {}, "source.kafka", errors)).toEqual({
      "source.kafka.name": "One.",
      "source.kafka.place": "Two.; Three."
    })
  })
})

describe("moving an item", () => {
  it.each([
    [0, 1, ["b", "a", "c"]],
    [2, 1, ["a", "c", "b"]],
    [0, 2, ["b", "c", "a"]]
  ])("from %i to %i", (from, to, moved) => {
    expect(movedItem(["a", "b", "c"], from, to)).toEqual(moved)
  })
})

describe("a draft of a document that somebody else has changed", () => {
  it("keeps what was typed, and takes what is new elsewhere", () => {
    const before = { name: "a", host: "h", user: undefined, list: ["x"], gone: "g" }
    const typed = { name: "b", host: "h", user: "", list: ["x", "y"], gone: "" }
    const after = { name: "c", host: "i", user: "u", list: ["z"], gone: "g" }
    expect(mergedDraft(before, typed, after)).toEqual({ name: "b", host: "i", user: "u", list: ["x", "y"], gone: "" })
  })
})
