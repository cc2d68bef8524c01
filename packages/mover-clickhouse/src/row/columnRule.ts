/** A column that a pipe writes to, as the engine describes it. */
export interface Column {
  readonly name: string
  /** The type as the engine writes it. */
  readonly type: string
  /** Whether the table says what it holds when a row does not. */
  readonly hasDefault: boolean
}

/** What the values of a type must be. A value is a number as it stands in a row, or a text without its quotes. */
export interface ValueRule {
  /** Whether the bytes from `from` to `to` need no check: nearly all values, so that they are not decoded. */
  readonly isHarmless: (row: Uint8Array, from: number, to: number) => boolean
  /** Says what is wrong with a value; `undefined` for nothing. */
  readonly check: (text: string) => string | undefined
}

/** What the rows must hold for a column. */
export interface ColumnRule {
  readonly name: string
  /** The column takes no null and has no default: the engine would write 0, an empty text or an empty array. */
  readonly isRequired: boolean
  readonly values: ValueRule | undefined
}

const wrapped = /^(?:LowCardinality|Nullable)\((.*)\)$/s

/** The type within `LowCardinality` and `Nullable`. */
const innerType = (type: string): string => {
  const inner = wrapped.exec(type)?.[1]
  return inner === undefined ? type : innerType(inner)
}

const outOfRange = (type: string): string => `it is out of the range of ${type}`

const digits = /^[+-]?\d+$/

// No number of a column has more characters: what a row may make expensive to read is not read.
const longestNumber = 400

// The engine computes with the bits of an integer and would wrap a larger one around.
const integer = (type: string, bits: number, isSigned: boolean): ValueRule => {
  const largest = 2n ** BigInt(isSigned ? bits - 1 : bits) - 1n
  const smallest = isSigned ? -largest - 1n : 0n
  const harmless = String(largest).length
  return {
    isHarmless: (_, from, to) => to - from < harmless,
    check: (text) => {
      if (!digits.test(text)) return undefined
      if (text.length > longestNumber) return outOfRange(type)
      const value = BigInt(text.startsWith("+") ? text.slice(1) : text)
      return value >= smallest && value <= largest ? undefined : outOfRange(type)
    }
  }
}

const [dot, dash, zero, nine, lowerE, upperE] = [0x2e, 0x2d, 0x30, 0x39, 0x65, 0x45]

// Without an exponent, a number of this length is in the range of every float.
const harmlessFloat = 30

// The engine would write inf. A text such as "inf" is meant.
const float = (type: string, round: (value: number) => number): ValueRule => ({
  isHarmless: (row, from, to) => {
    if (to - from > harmlessFloat) return false
    for (let at = from; at < to; at += 1) if (row[at] === lowerE || row[at] === upperE) return false
    return true
  },
  check: (text) => {
    const value = round(Number(text))
    return /\d/.test(text) && (value === Infinity || value === -Infinity) ? outOfRange(type) : undefined
  }
})

const decimalText = /^[+-]?(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/

// The engine would cut off the digits beyond the scale.
const decimal = (type: string, scale: number): ValueRule => ({
  isHarmless: (row, from, to) => {
    let places = 0
    for (let at = from; at < to; at += 1) {
      const byte = row[at]
      if (byte === lowerE || byte === upperE) return false
      if (byte === dot) places = to - at - 1
    }
    return places <= scale
  },
  check: (text) => {
    if (text.length > longestNumber) return `it has more digits than ${type} can hold`
    const found = decimalText.exec(text)
    if (found === null) return undefined
    const [, whole = "", fraction = "", exponent = "0"] = found
    const zeros = (/0*$/.exec(whole + fraction)?.[0] ?? "").length
    const places = fraction.length - zeros - Number(exponent)
    return places > scale ? `it has more than ${scale} decimal places, which ${type} cannot hold` : undefined
  }
})

/** The year of a text such as 2026-01-01; 0 for any other text. */
const yearOf = (row: Uint8Array, from: number): number => {
  let year = 0
  for (let at = from; at < from + 4; at += 1) {
    const byte = row[at]
    if (byte === undefined || byte < zero || byte > nine) return 0
    year = year * 10 + byte - zero
  }
  return row[from + 4] === dash ? year : 0
}

const dateText = /^\d{4}-\d\d-\d\d/

// The engine would write the first or the last date that the type can hold.
const date = (type: string, first: string, last: string, largest: number): ValueRule => {
  const [firstYear, lastYear] = [Number(first.slice(0, 4)), Number(last.slice(0, 4))]
  return {
    isHarmless: (row, from) => {
      const year = yearOf(row, from)
      return year > firstYear && year < lastYear
    },
    check: (text) => {
      const [day] = dateText.exec(text) ?? []
      const isOut = day === undefined ? digits.test(text) && Number(text) > largest : day < first || day > last
      return isOut ? outOfRange(type) : undefined
    }
  }
}

const ruleOf = (type: string): ValueRule | undefined => {
  const [, unsigned, bits] = /^(U?)Int(\d+)$/.exec(type) ?? []
  if (bits !== undefined) return integer(type, Number(bits), unsigned === "")
  if (type === "Float64") return float(type, (value) => value)
  if (type === "Float32" || type === "BFloat16") return float(type, Math.fround)
  const scale = /^Decimal\(\d+, (\d+)\)$/.exec(type)?.[1]
  if (scale !== undefined) return decimal(type, Number(scale))
  if (type === "Date") return date(type, "1970-01-01", "2149-06-06", 65_535)
  if (type === "Date32") return date(type, "1900-01-01", "2299-12-31", Infinity)
  if (/^DateTime(\(|$)/.test(type)) return date(type, "1970-01-01", "2106-02-07", 4_294_967_295)
  if (type.startsWith("DateTime64(")) return date(type, "1900-01-01", "2299-12-31", Infinity)
  return undefined
}

/** Whether a type holds a null by itself. */
export const holdsNull = (type: string): boolean =>
  /^(Nullable|LowCardinality\(Nullable|Dynamic|Variant|Nothing)/.test(type)

export const columnRule = ({ hasDefault, name, type }: Column): ColumnRule => ({
  name,
  isRequired: !hasDefault && !holdsNull(type),
  values: ruleOf(innerType(type))
})
