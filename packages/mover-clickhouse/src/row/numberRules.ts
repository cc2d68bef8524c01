import type { LeafType } from "./ColumnType.ts"
import { isNot, type LeafRule, matches, outOfRange, roundTrips } from "./LeafRule.ts"

// No number of a column has more characters: what a row may make expensive to read is not read.
const longestNumber = 400

const [plus, dash, dot, zero, nine, lowerE, upperE] = [0x2b, 0x2d, 0x2e, 0x30, 0x39, 0x65, 0x45]

/** Whether the bytes from `from` to `to` are digits, and at least one. */
export const areDigits = (row: Uint8Array, from: number, to: number): boolean => {
  for (let at = from; at < to; at += 1) {
    const byte = row[at] ?? 0
    if (byte < zero || byte > nine) return false
  }
  return from < to
}

/** Whether bytes are digits of a number that is surely not above the largest: there are fewer of them, or the first one is smaller. */
export const digitsBelow = (largest: bigint) => {
  const { length } = String(largest)
  const first = String(largest).charCodeAt(0)
  return (row: Uint8Array, from: number, to: number): boolean =>
    (to - from < length || (to - from === length && (row[from] ?? 0) < first)) && areDigits(row, from, to)
}

/** The place of the first digit of a number that may have a sign. */
const afterSign = (row: Uint8Array, from: number): number =>
  row[from] === dash || row[from] === plus ? from + 1 : from

const integerText = /^[+-]?\d+$/

/** The engine computes with the bits of an integer and would wrap a larger one around. */
export const integer =
  (bits: number, isSigned: boolean) =>
  ({ text: type }: Pick<LeafType, "text">): LeafRule => {
    const largest = 2n ** BigInt(isSigned ? bits - 1 : bits) - 1n
    const smallest = isSigned ? -largest - 1n : 0n
    const isBelow = digitsBelow(largest)
    return {
      isHarmless: (row, from, to) => isBelow(row, isSigned ? afterSign(row, from) : from, to),
      check: (text) => {
        if (text === "true" || text === "false") return undefined
        if (!integerText.test(text)) return isNot(type)
        if (text.length > longestNumber) return outOfRange(type)
        if (!isSigned && text.startsWith("-")) return outOfRange(type)
        const value = BigInt(text.startsWith("+") ? text.slice(1) : text)
        return value >= smallest && value <= largest ? undefined : outOfRange(type)
      },
      exactText: (value) => roundTrips(value, `to${isSigned ? "" : "U"}Int${bits}OrNull(${value})`)
    }
  }

// Without an exponent, a number of this length is in the range of every float.
const harmlessFloat = 30

const floatText = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/
const notFinite = /^[+-]?(?:nan|inf|infinity)$/i

const usualFloat = "-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?"

/** The engine would write inf. A text such as "inf" is meant. Nearly all values are `below` a number. */
export const float =
  (round: (value: number) => number, below: string) =>
  ({ text: type }: LeafType): LeafRule => ({
    isHarmless: (row, from, to, spelling) => {
      if (spelling !== "number" || to - from > harmlessFloat) return false
      for (let at = from; at < to; at += 1) if (row[at] === lowerE || row[at] === upperE) return false
      return true
    },
    check: (text) => {
      if (text === "true" || text === "false" || notFinite.test(text)) return undefined
      if (!floatText.test(text)) return isNot(type)
      const value = round(Number(text))
      return value === Infinity || value === -Infinity ? outOfRange(type) : undefined
    },
    exactText: (value) => `(abs(ifNull(toFloat64OrNull(${value}), inf)) < ${below} AND ${matches(value, usualFloat)})`
  })

const decimalText = /^[+-]?(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/

const decimalParameters: Readonly<Record<string, number>> = {
  Decimal32: 9,
  Decimal64: 18,
  Decimal128: 38,
  Decimal256: 76
}

/** The engine would cut off the digits beyond the scale. */
export const decimal = ({ name, parameters, text: type }: LeafType): LeafRule => {
  const [precision = 10, scale = 0] =
    name === "Decimal" ? parameters.map(Number) : [decimalParameters[name] ?? 10, Number(parameters[0] ?? 0)]
  const before = precision - scale
  const tooLong = `it has more digits than ${type} can hold`
  const usualWhole = before > 1 ? `(0|[1-9][0-9]{0,${before - 1}})` : before === 1 ? "[0-9]" : "0"
  const usual = `-?${usualWhole}${scale === 0 ? "([.]0+)?" : `([.][0-9]{1,${scale}}0*)?`}`
  return {
    isHarmless: (row, from, to) => {
      const start = afterSign(row, from)
      let point = to
      for (let at = start; at < to; at += 1) {
        const byte = row[at] ?? 0
        if (byte === dot && point === to) point = at
        else if (byte < zero || byte > nine) return false
      }
      return point > start && point - start <= before && to - point - 1 <= scale
    },
    check: (text) => {
      if (text.length > longestNumber) return tooLong
      const [found, whole = "", fraction = "", exponent = "0"] = decimalText.exec(text) ?? []
      if (found === undefined || whole + fraction === "") return isNot(type)
      const digits = whole + fraction
      if (/^0*$/.test(digits)) return undefined
      const zeros = (/(?<!0)0+$/.exec(digits)?.[0] ?? "").length
      const places = fraction.length - zeros - Number(exponent)
      if (places > scale) return `it has more than ${scale} decimal places, which ${type} cannot hold`
      const leading = (/^0*/.exec(digits)?.[0] ?? "").length
      return whole.length + Number(exponent) - leading > before ? tooLong : undefined
    },
    exactText: (value) => matches(value, usual)
  }
}
