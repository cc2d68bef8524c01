import { describe, expect, it } from "vitest"
import { inputNumber, parseNumber } from "../../src/format/parseNumber.ts"
import { bytesOf, hexDump, visible } from "../../src/format/rawBytes.ts"

describe("a typed number", () => {
  it.each([
    ["1.234,5", 1234.5, 1234.5],
    ["1,234.5", 1234.5, 1234.5],
    ["1.234", 1234, 1.234],
    ["1,234", 1.234, 1234],
    ["1.5", 1.5, 1.5],
    ["1,5", 1.5, 1.5],
    ["0.125", 125, 0.125],
    ["1.234.567", 1_234_567, 1_234_567],
    ["1,234,567", 1_234_567, 1_234_567],
    ["1.234.567,89", 1_234_567.89, 1_234_567.89],
    ["12 345", 12_345, 12_345],
    ["12\u00a0345,5", 12_345.5, 12_345.5],
    ["12’345.5", 12_345.5, 12_345.5],
    ["  7 ", 7, 7],
    ["-3,5", -3.5, -3.5],
    ["+4", 4, 4],
    ["1e3", 1000, 1000],
    ["1234.567", 1234.567, 1234.567],
    [".5", 0.5, 0.5],
    ["5.", 5, 5],
    ["", undefined, undefined],
    [",", undefined, undefined],
    ["1.2.3", undefined, undefined],
    ["1,2,3", undefined, undefined],
    ["1.23.456", undefined, undefined],
    ["12.34,5", undefined, undefined],
    ["1.234,5,6", undefined, undefined],
    ["1 2", undefined, undefined],
    ["12abc", undefined, undefined],
    ["0x10", undefined, undefined],
    ["Infinity", undefined, undefined],
    ["1e999", undefined, undefined],
    ["--1", undefined, undefined]
  ])("%s is %s in German and %s in English", (text, german, english) => {
    expect(parseNumber(text, "de")).toBe(german)
    expect(parseNumber(text, "en")).toBe(english)
  })

  it("is written so that it is read again", () => {
    for (const language of ["de", "en", "fr"]) {
      for (const value of [0, 0.5, 1234, 1_000_000, -3.25]) {
        expect(parseNumber(inputNumber(value, language), language)).toBe(value)
      }
    }
    expect(inputNumber(1234.5, "de")).toBe("1234,5")
    expect(inputNumber(1234.5, "en")).toBe("1234.5")
  })
})

describe("raw rows", () => {
  it("show what is not seen", () => {
    expect(visible("a\u0000b\u202ec\ufeffd\te\nf\r")).toBe("a\\u0000b\\u202ec\\ufeffd\te\nf\\u000d")
    expect(visible("<script>alert(1)</script> ✂ é")).toBe("<script>alert(1)</script> ✂ é")
  })

  it("are shown as bytes", () => {
    const text = "Hi \u0000~\u007f0123456789ab"
    expect(hexDump(new TextEncoder().encode(text))).toBe(
      [
        "000000  48 69 20 00 7e 7f 30 31 32 33 34 35 36 37 38 39  Hi .~.0123456789",
        "000010  61 62                                            ab"
      ].join("\n")
    )
    expect(hexDump(new Uint8Array())).toBe("")
  })

  it("come from base64", () => {
    expect([...bytesOf("/wD+")]).toEqual([255, 0, 254])
    expect([...bytesOf("%")]).toEqual([])
  })
})
