import { assert, describe, it } from "@effect/vitest"
import type { ObjectReference } from "@headgate/mover"
import * as Effect from "effect/Effect"
import { joinLines } from "../src/staging/joinLines.ts"

const join = (format: ObjectReference["format"], text: string, delimiter?: string) => {
  const object: ObjectReference = {
    key: "a",
    address: Effect.die("the lines are here"),
    format,
    compression: "none",
    ...(delimiter === undefined ? {} : { delimiter })
  }
  const lines = text.split("\n").map((line, index) => ({ number: index + 10, line: Buffer.from(line) }))
  const { isOpen, rows } = joinLines(object, lines)
  return {
    isOpen,
    rows: rows.map(({ content, next, row }) => [row, next, content.toString()] as const)
  }
}

describe("the lines of an object", () => {
  it("are its rows, each with its number", () => {
    assert.deepStrictEqual(join("CSV", "1,a\n\n2,b"), {
      isOpen: false,
      rows: [
        [10, 11, "1,a"],
        [11, 12, ""],
        [12, 13, "2,b"]
      ]
    })
  })

  const rows: ReadonlyArray<readonly [string, ObjectReference["format"], ReadonlyArray<string>, string?]> = [
    ["a line break in quotes", "CSV", ['1,"a\n\nb"', "2,c"]],
    ["a carriage return in quotes", "CSV", ['"a\r\nb",1\r', "2,c\r"]],
    ["two quotes", "CSV", ['"a""\n""b",1', '"""",2', '"",3', '"""\n"', '"""\n""",1']],
    ["quotes after a space, which begin no text", "CSV", ['1, "a', 'b"', ' "2",x']],
    ["quotes within a value", "CSV", ['1,a"b', '5",2', '6, a"', "7,'a"]],
    ["delimiters in quotes", "CSV", ['1,"a,""\n,"', "2,c"]],
    ["what follows quotes", "CSV", ['1,"a"b"c', '2,"a"x,"\n"']],
    ["another delimiter", "CSV", ['1;"a\nb"', '1,"a', '"b;"\n"'].slice(0, 2), ";"],
    ["a line break after a backslash", "TabSeparated", ["1\ta\\\nb\\\n\\\n", "2\tb"]],
    ["two backslashes", "TabSeparated", ["1\ta\\\\", "2\tb\\\\\\\nc", '3\t"a']]
  ]
  for (const [name, format, contents, delimiter] of rows) {
    it(`are joined: ${name}`, () => {
      const { isOpen, rows } = join(format, contents.join("\n"), delimiter)
      assert.deepStrictEqual(
        rows.map(([, , content]) => content),
        contents
      )
      assert.isFalse(isOpen)
      for (const [index, [row, next]] of rows.entries()) {
        assert.strictEqual(row, rows[index - 1]?.[1] ?? 10)
        assert.strictEqual(next - row, contents[index]?.split("\n").length)
      }
    })
  }

  it("show whether the last row goes on", () => {
    for (const [format, text] of [
      ["CSV", '1,a\n2,"b\n3,c'],
      ["CSV", '1,a\n2,"b""\n'],
      ["TabSeparated", "1\ta\n2\tb\\"]
    ] as const) {
      const { isOpen, rows } = join(format, text)
      assert.isTrue(isOpen, text)
      assert.strictEqual(rows.map(([, , content]) => content).join("\n"), text)
    }
  })
})
