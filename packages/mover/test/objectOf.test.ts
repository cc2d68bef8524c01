import { assert, describe, it } from "@effect/vitest"
import { objectOf } from "../src/message/objectOf.ts"

const encoder = new TextEncoder()
const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
const objectOfText = (text: string): string | undefined => {
  const object = objectOf(encoder.encode(text))
  return object === undefined ? undefined : decoder.decode(object)
}

const objects = [
  `{}`,
  `{"a":1}`,
  `{"a":{"b":[1,{"c":2}]},"d":[[]]}`,
  `{\n  "a": 1,\r\n  "b": [\n    2\n  ]\n}`,
  String.raw`{"a":"}{","b":"\"}","c":"\\","d":"]"}`,
  `{"a":"ä€𝄞"}`,
  // Nobody reads it here: what stands between the brackets is the warehouse's.
  `{"a":}`
]

const others = [
  ["nothing", ``],
  ["blanks", ` \n`],
  ["a byte order mark alone", `\uFEFF`],
  ["two objects", `{"a":1}{"a":2}`],
  ["two objects with a line break", `{"a":1}\n{"a":2}`],
  ["two objects with a comma", `{"a":1},{"a":2}`],
  ["an object and a comma", `{"a":1},`],
  ["an object and a semicolon", `{"a":1};`],
  ["an object and a number", `{"a":1} 5`],
  ["an object and a second mark", `{"a":1}\uFEFF`],
  ["an object that does not end", `{"a":{"b":1}`],
  ["a string that does not end", `{"a":"b}`],
  ["a string that ends in an escape", String.raw`{"a":"b\"}`],
  ["a bracket too many", `{"a":1}}`],
  ["an array of rows", `[{"a":1},{"a":2}]`],
  ["a number", `5`],
  ["null", `null`],
  ["text", `not JSON`]
] as const

describe("objectOf", () => {
  for (const text of objects) {
    it(`hands on the same bytes: ${JSON.stringify(text)}`, () => {
      const value = encoder.encode(text)
      assert.strictEqual(objectOf(value), value)
    })
  }

  it("leaves out a byte order mark, and blanks around the object", () => {
    assert.strictEqual(objectOfText(`\uFEFF{"a":1}`), `{"a":1}`)
    assert.strictEqual(objectOfText(`\uFEFF \t{"a":1}\r\n`), `{"a":1}`)
    assert.strictEqual(objectOfText(`{"a":1}\n`), `{"a":1}`)
  })

  for (const [name, text] of others) {
    it(`finds no object in ${name}`, () => {
      assert.isUndefined(objectOf(encoder.encode(text)))
    })
  }

  it("finds no object in bytes that are no UTF-8", () => {
    assert.isUndefined(objectOf(Uint8Array.of(0xff, 0x0a, 0x7b)))
  })

  it("hands on an object whose strings are no UTF-8 as it is", () => {
    const value = Uint8Array.of(...encoder.encode(`{"a":"`), 0xff, ...encoder.encode(`"}`))
    assert.strictEqual(objectOf(value), value)
  })
})
