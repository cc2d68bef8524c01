import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { rowScanner } from "../src/row/jsonRow.ts"

const scan = (type: string, hasDefault = false) => {
  const scanRow = rowScanner([{ name: "c", type, hasDefault }])
  return (row: string | Uint8Array) => scanRow(typeof row === "string" ? Buffer.from(row) : row)
}

const valueIn = (type: string) => {
  const scanRow = scan(type)
  return (value: string) => scanRow(`{"c":${value}}`)
}

describe("a row", () => {
  it("is one JSON object", () => {
    const scanRow = scan("Nullable(String)")
    for (const row of [
      "{}",
      ' {\n\t"c" : "a" }\r\n',
      '{"c":"}{\\"\\\\","d":[{"c":[1,"]"]},{}],"e":{"f":{}}}',
      '{"d":null,"c":true}'
    ]) {
      assert.isUndefined(scanRow(row), row)
    }
    for (const row of [
      "",
      "null",
      "[]",
      '[{"c":"a"}]',
      '{"c":"a"}{"c":"b"}',
      '{"c":"a"}\n{"c":"b"}',
      '{"c":"a"},',
      '{"c":"a"',
      '{"c":"a',
      '{"c":"a\\',
      '{"c":["a"}',
      '{"c":}}',
      '{"c":"a",}',
      '{"c" "a"}',
      "{c:1}",
      '\u{feff}{"c":"a"}',
      '{"c":"a"} x',
      '{"c":"a\nb"}',
      '{"d":[1,],"c":"a"}',
      '{"d":{"e":{"f":1},"c":"a"}',
      '{"d":[{"e":01}],"c":"a"}',
      '{"d":[{"e":tru}],"c":"a"}',
      `{"d":${"[".repeat(600)}${"]".repeat(600)},"c":"a"}`,
      "\0"
    ]) {
      assert.strictEqual(scanRow(row), "the row is not one JSON object", row)
    }
  })

  it("is named when a required column is null or missing", () => {
    const required = scan("UInt8")
    assert.strictEqual(required('{"d":{"c":1}}'), "column c: missing, and the column has no default")
    assert.strictEqual(required('{"c":null}'), "column c: null, and the column takes none")
    assert.isUndefined(required('{"c":1}'))
    assert.strictEqual(required("{}"), "column c: missing, and the column has no default")
    for (const type of ["Nullable(UInt8)", "LowCardinality(Nullable(String))", "Dynamic", "Variant(String, UInt8)"]) {
      assert.isUndefined(scan(type)("{}"), type)
      assert.isUndefined(scan(type)('{"c":null}'), type)
    }
    assert.isUndefined(scan("UInt8", true)("{}"))
    assert.isUndefined(scan("UInt8", true)('{"c":null}'))
    assert.isDefined(scan("Array(UInt8)")("{}"))
  })

  it("may write the name of a column in any way", () => {
    const scanRow = rowScanner([{ name: "ünï\"'\n", type: "UInt8", hasDefault: false }])
    for (const name of [JSON.stringify("ünï\"'\n"), '"\\u00fcn\\u00ef\\u0022\'\\n"']) {
      assert.isUndefined(scanRow(Buffer.from(`{${name}:1}`)), name)
      assert.isDefined(scanRow(Buffer.from(`{${name}:300}`)), name)
    }
  })

  it.effect.prop(
    "gets the same answer however JSON.stringify writes it",
    [Schema.Record(Schema.String, Schema.Json)],
    ([row]) =>
      Effect.sync(() => {
        const scanRow = scan("Nullable(String)")
        const text = JSON.stringify(row)
        // Half of a pair of surrogates is no character.
        if (/\\ud[89a-f]/.test(text)) return
        for (const good of [text, JSON.stringify(row, undefined, 1)]) assert.isUndefined(scanRow(good), good)
        for (const bad of [text + text, `[${text}]`, text.slice(0, -1)]) assert.isDefined(scanRow(bad), bad)
      })
  )

  it.effect.prop(
    "gets the same answer whatever rows came before it",
    [Schema.Array(Schema.Record(Schema.Literals(["c", "d", "\u00fc", "e"]), Schema.NullOr(Schema.Int)))],
    ([rows]) =>
      Effect.sync(() => {
        const columns = ["c", "\u00fc"].map((name) => ({ name, type: "UInt8", hasDefault: false }))
        const scanRow = rowScanner(columns)
        for (const row of rows.map((one) => Buffer.from(JSON.stringify(one)))) {
          assert.strictEqual(scanRow(row), rowScanner(columns)(row))
        }
      })
  )

  it.effect.prop("of any bytes gets an answer", [Schema.Array(Schema.Int)], ([bytes]) =>
    Effect.sync(() => assert.isDefined(scan("Int64")(Uint8Array.from(bytes))))
  )
})

describe("values", () => {
  /** Those of some values that a column of a type refuses. */
  const refusedBy = (type: string, ...values: ReadonlyArray<string>) =>
    values.filter((value) => valueIn(type)(value) !== undefined)

  it("of integers are in their range", () => {
    assert.deepStrictEqual(refusedBy("UInt8", "0", "255", '"255"', "true", "[1]", "256", '"300"', "-300"), [
      "[1]",
      "256",
      '"300"',
      "-300"
    ])
    assert.deepStrictEqual(refusedBy("Int8", "-128", "127", "-129", "128"), ["-129", "128"])
    assert.deepStrictEqual(
      refusedBy("Int64", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "-9223372036854775809"),
      ["9223372036854775808", "-9223372036854775809"]
    )
    assert.deepStrictEqual(
      refusedBy(
        "LowCardinality(Nullable(UInt64))",
        "18446744073709551615",
        "null",
        "18446744073709551616",
        "1".repeat(500)
      ),
      ["18446744073709551616", "1".repeat(500)]
    )
    assert.deepStrictEqual(refusedBy("UInt256", String(2n ** 256n - 1n), String(2n ** 256n)), [String(2n ** 256n)])
  })

  it.effect.prop("of integers are refused where the engine would wrap them around", [Schema.BigInt], ([value]) =>
    Effect.sync(() => {
      for (const bits of [8, 16, 32, 64, 128]) {
        assert.strictEqual(valueIn(`Int${bits}`)(String(value)) === undefined, BigInt.asIntN(bits, value) === value)
        const wraps = value >= 0n && BigInt.asUintN(bits, value) !== value
        if (wraps) assert.isDefined(valueIn(`UInt${bits}`)(String(value)))
      }
    })
  )

  it("of floats are finite, unless they say that they are not", () => {
    assert.deepStrictEqual(
      refusedBy(
        "Float64",
        "1e308",
        "0.1",
        '"inf"',
        '"-Infinity"',
        '"nan"',
        "1e-400",
        "1e400",
        "-1E400",
        '"1e400"',
        "9".repeat(310)
      ),
      ["1e400", "-1E400", '"1e400"', "9".repeat(310)]
    )
    assert.deepStrictEqual(refusedBy("Float32", "3.4e38", '"1e-60"', "3.5e38", "1e39"), ["3.5e38", "1e39"])
  })

  it("of floats are judged to the end of a long text", () => {
    const isRefused = valueIn("Float64")
    // In quadratic time such a text takes a minute, and one of 1 MiB more than an hour: `patterns.long.test.ts` judges the patterns.
    assert.include(isRefused(`"${"1".repeat(100_000)}x"`), "it is no Float64")
  })

  it("of decimals have no more places than the scale", () => {
    assert.deepStrictEqual(
      refusedBy(
        "Decimal(38, 10)",
        "1234567890123456789012345678.1234567891",
        "1.50000000000000",
        "1e-10",
        "0.12345678919",
        "1e-11"
      ),
      ["0.12345678919", "1e-11"]
    )
    assert.deepStrictEqual(refusedBy("Nullable(Decimal(9, 0))", "15", '"1.0"', "10e-1", "0.00e-1", "1.5"), ["1.5"])
  })

  it("of dates are in their range", () => {
    assert.deepStrictEqual(
      refusedBy("Date", '"1970-01-01"', '"2149-06-06"', "65535", '"1969-12-31"', '"2149-06-07"', "1767225600"),
      ['"1969-12-31"', '"2149-06-07"', "1767225600"]
    )
    assert.deepStrictEqual(
      refusedBy(
        "DateTime('UTC')",
        '"2106-02-07T06:28:15Z"',
        "4294967295",
        '"2106-02-08 00:00:00"',
        '"1900-01-01 00:00:00"',
        "1767225600000"
      ),
      ['"2106-02-08 00:00:00"', '"1900-01-01 00:00:00"', "1767225600000"]
    )
    assert.deepStrictEqual(
      refusedBy(
        "DateTime64(3)",
        '"1900-01-01 00:00:00"',
        '"2299-12-31T00:00:00.5Z"',
        "1767225600000",
        '"2300-01-01 00:00:00"'
      ),
      ['"2300-01-01 00:00:00"']
    )
  })
})
