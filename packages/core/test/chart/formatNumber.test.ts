import { assert, describe, it } from "@effect/vitest"
import { formatNumber } from "../../src/chart/formatNumber.ts"

const cases: ReadonlyArray<readonly [Parameters<typeof formatNumber>[0], Parameters<typeof formatNumber>[1], string]> =
  [
    [null, undefined, "N/A"],
    [undefined, { output: "number" }, "N/A"],
    [Number.NaN, { output: "number" }, "N/A"],
    [Number.POSITIVE_INFINITY, undefined, "N/A"],
    ["", undefined, ""],
    ["n/a", { output: "number" }, "n/a"],
    [1204, undefined, "1,204"],
    [812.4, undefined, "812.4"],
    [-0.00004, undefined, "0"],
    ["18446744073709551615", undefined, "18,446,744,073,709,551,615"],
    ["-9007199254740993", { output: "number" }, "-9007199254740993"],
    [9007199254740993n, { output: "number", thousandSeparated: true, mantissa: 2 }, "9,007,199,254,740,993.00"],
    ["9007199254740993", { output: "percent" }, "900719925474099300%"],
    ["12.50", { output: "number", mantissa: 1 }, "12.5"],
    [1234.5678, { output: "number" }, "1235"],
    [1234.5678, { output: "number", mantissa: 2, thousandSeparated: true }, "1,234.57"],
    [1234.5678, { output: "number", mantissa: 1, average: true }, "1.2k"],
    [999, { output: "number", average: true }, "999"],
    [-2_500_000, { output: "number", mantissa: 1, average: true }, "-2.5m"],
    [3, { output: "number", unit: "requests" }, "3 requests"],
    [2, { output: "number", factor: 0.5 }, "1"],
    [0.254, { output: "percent", mantissa: 1 }, "25.4%"],
    [5, { output: "currency", mantissa: 2 }, "$5.00"],
    [-5, { output: "currency", currencySymbol: "€" }, "-€5"],
    [0, { output: "byte" }, "0 B"],
    [1023, { output: "byte" }, "1023 B"],
    [1536, { output: "byte", mantissa: 1 }, "1.5 KiB"],
    [1500, { output: "byte", mantissa: 1, decimalBytes: true }, "1.5 KB"],
    [3, { output: "byte", numericUnit: "gibibytes" }, "3 GiB"],
    [2048, { output: "byte", numericUnit: "kibibytes" }, "2 MiB"],
    [2500, { output: "data_rate", numericUnit: "kilobits_sec", mantissa: 1 }, "2.5 Mb/s"],
    [1024, { output: "data_rate", numericUnit: "bytes_sec_iec" }, "1 KiB/s"],
    [1200, { output: "throughput", numericUnit: "rps" }, "1,200 requests/s"],
    [7, { output: "throughput" }, "7"],
    [3661, { output: "time" }, "1:01:01"],
    [90_000, { output: "time", factor: 0.001 }, "0:01:30"],
    [-61, { output: "time" }, "-0:01:01"],
    [0, { output: "duration" }, "0s"],
    [1500, { output: "duration", factor: 0.001 }, "1.5s"],
    [250_000, { output: "duration", factor: 1e-9 }, "250µs"],
    [12.345, { output: "duration", factor: 0.001, mantissa: 1 }, "12.3ms"],
    [5400, { output: "duration" }, "1.5h"],
    // A store takes any whole number of places.
    [0.5, { output: "number", mantissa: 500 }, "0.50000000000000000000"],
    [1.5, { output: "duration", mantissa: -1 }, "2s"]
  ]

describe("formatNumber", () => {
  it.each(cases)("%s as %j: %s", (value, format, text) => {
    assert.strictEqual(formatNumber(value, format), text)
  })

  it("writes the separators of a locale", () => {
    assert.strictEqual(formatNumber(1234.5, undefined, "de"), "1.234,5")
    assert.strictEqual(formatNumber("18446744073709551615", undefined, ["de", "en"]), "18.446.744.073.709.551.615")
    assert.strictEqual(formatNumber(1536, { output: "byte", mantissa: 1 }, "de"), "1,5 KiB")
    assert.strictEqual(formatNumber(1500, { output: "duration", factor: 0.001 }, "de"), "1,5s")
    assert.strictEqual(formatNumber(-5, { output: "currency", currencySymbol: "kr" }, "sv"), "−kr5")
  })
})
