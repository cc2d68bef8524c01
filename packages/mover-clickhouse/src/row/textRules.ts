import { isIPv6 } from "node:net"
import { type LeafType, unquote } from "./ColumnType.ts"
import { isNot, type LeafRule, matches, outOfRange, roundTrips } from "./LeafRule.ts"
import { areDigits } from "./numberRules.ts"

const never = () => false

/** A type whose values are texts, and no numbers. */
const text = (
  type: string,
  isValue: (text: string) => boolean,
  exactText: LeafRule["exactText"],
  isHarmless: LeafRule["isHarmless"] = never
): LeafRule => ({
  isHarmless,
  check: (value, spelling) => (spelling === "text" && isValue(value) ? undefined : isNot(type)),
  exactText
})

const backslash = 0x5c

/** The engine fills up a shorter text with zero bytes. */
export const fixedString = ({ parameters, text: type }: LeafType): LeafRule => {
  const length = Number(parameters[0])
  return {
    isHarmless: (row, from, to, spelling) =>
      spelling === "text" && to - from <= length && !row.subarray(from, to).includes(backslash),
    check: (value, spelling) => {
      if (spelling !== "text") return isNot("text")
      return value.length <= length ? undefined : `it has more than ${length} bytes, which ${type} cannot hold`
    },
    exactText: (value) => `length(${value}) <= ${length}`,
    isReadExactly: true
  }
}

const bytesOf = (value: string): string => Buffer.from(value, "utf8").toString("latin1")
const enumValue = /^('(?:[^'\\]|\\.|'')*')\s*=\s*(-?\d+)$/s

/** A name of the enum, or its number. */
export const enumeration = ({ parameters }: LeafType): LeafRule => {
  const values = parameters.flatMap((parameter) => {
    const [, name = "", number = ""] = enumValue.exec(parameter) ?? []
    return [[bytesOf(unquote(name)), Number(number), name] as const]
  })
  const names = new Set(values.map(([name]) => name))
  const list = values.map(([, , name]) => name).join(", ")
  const numbers = new Set(values.map(([, number]) => number))
  const isNumber = (value: string) => /^[+-]?\d{1,9}$/.test(value) && numbers.has(Number(value))
  return {
    isHarmless: never,
    check: (value, spelling) =>
      (spelling === "text" && names.has(value)) || (spelling !== "boolean" && isNumber(value))
        ? undefined
        : "it is no value of the Enum",
    exactText: (value) => `${value} IN (${list})`,
    isReadExactly: true
  }
}

const hexDigits = Uint8Array.from({ length: 256 }, (_, byte) => (/[\da-f]/i.test(String.fromCharCode(byte)) ? 1 : 0))
const dash = 0x2d

const uuidText = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$|^[\da-f]{32}$/i

export const uuid = ({ text: type }: LeafType): LeafRule =>
  text(
    type,
    (value) => uuidText.test(value),
    (value) => roundTrips(value, `toUUIDOrNull(${value})`, `lower(${value})`),
    (row, from, to, spelling) => {
      if (spelling !== "text" || to - from !== 36) return false
      if (row[from + 8] !== dash || row[from + 13] !== dash || row[from + 18] !== dash || row[from + 23] !== dash)
        return false
      let digits = 0
      for (let at = from; at < to; at += 1) digits += hexDigits[row[at] ?? 0] ?? 0
      if (digits !== 32) return false
      return true
    }
  )

const ipv4Text = /^(?:(?:25[0-5]|2[0-4]\d|[01]?\d?\d)(?:\.(?!$)|$)){4}$/

export const ipv4 = ({ text: type }: LeafType): LeafRule =>
  text(
    type,
    (value) => ipv4Text.test(value),
    (value) => roundTrips(value, `toIPv4OrNull(${value})`)
  )

export const ipv6 = ({ text: type }: LeafType): LeafRule =>
  text(
    type,
    (value) => ipv4Text.test(value) || (isIPv6(value) && !value.includes("%")),
    (value) => roundTrips(value, `toIPv6OrNull(${value})`)
  )

export const bool = ({ text: type }: LeafType): LeafRule => ({
  isHarmless: (_, __, ___, spelling) => spelling === "boolean",
  check: (value, spelling) => (spelling !== "text" && /^(?:true|false|0|1)$/.test(value) ? undefined : isNot(type)),
  exactText: (value) => `${value} IN ('true', 'false', '0', '1')`,
  isReadExactly: true
})

const timeText = /^-?\d{1,3}:[0-5]\d:[0-5]\d(?:\.(\d{1,18}))?$/

// 999:59:59
const longestTime = 3_599_999n

/** A time of day, or a span of up to 999 hours. A number counts the smallest units of the type. */
export const time = ({ name, parameters, text: type }: LeafType): LeafRule => {
  const scale = name === "Time" ? 0 : Number(parameters[0] ?? 3)
  const longest = longestTime * 10n ** BigInt(scale)
  return {
    isHarmless: (row, from, to, spelling) => spelling === "number" && to - from < 7 && areDigits(row, from, to),
    check: (value, spelling) => {
      if (spelling === "number" && /^-?\d{1,40}$/.test(value)) {
        const units = BigInt(value)
        return units <= longest && units >= -longest ? undefined : outOfRange(type)
      }
      const [found, fraction] = timeText.exec(value) ?? []
      if (spelling !== "text" || found === undefined || (fraction !== undefined && name === "Time")) return isNot(type)
      return fraction === undefined || /^0*$/.test(fraction.slice(scale))
        ? undefined
        : `it has more than ${scale} digits of a second, which ${type} cannot hold`
    },
    exactText: (value) =>
      matches(value, `-?[0-9]{1,3}:[0-5][0-9]:[0-5][0-9]${scale === 0 ? "" : `([.][0-9]{1,${scale}}0*)?`}`)
  }
}
