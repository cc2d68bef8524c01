import { type DataType, isFloat, isInteger } from "./DataType.ts"
import { powerOf10, type Value, whole } from "./Value.ts"

/** A number of any type as a float. */
export const toFloat = (value: Value, type: DataType): number => {
  if (typeof value === "number") return value
  return isInteger(type) || type.scale === undefined ? Number(whole(value)) : Number(decimalText(whole(value), type))
}

/** The text of a decimal, without zeros at its end. */
export const decimalText = (value: bigint, { scale = 0 }: DataType): string => {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, "0")
  const fraction = digits.slice(digits.length - scale).replace(/(?<!0)0+$/, "")
  const sign = value < 0n ? "-" : ""
  return `${sign}${digits.slice(0, digits.length - scale)}${scale === 0 || fraction === "" ? "" : `.${fraction}`}`
}

/** The decimal of a text, cut after its scale; `undefined` for what is no number. */
export const parseDecimal = (written: string, scale: number): bigint | undefined => {
  const [, sign, digits, fraction = ""] = /^([+-]?)(\d+)(?:\.(\d*))?$/.exec(written) ?? []
  if (digits === undefined) return undefined
  const value = BigInt(digits) * powerOf10(scale) + BigInt(fraction.padEnd(scale, "0").slice(0, scale) || "0")
  return sign === "-" ? -value : value
}

/** A float as the engine writes it. */
export const floatText = (value: number, { name }: DataType): string => {
  if (Number.isNaN(value)) return "nan"
  if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf"
  if (Object.is(value, -0)) return "-0"
  return (name === "Float32" ? shortest32(value) : String(value)).replace("e+", "e")
}

/** The fewest digits that are still this number of 32 bits. */
const shortest32 = (value: number): string => {
  for (let digits = 1; digits < 10; digits += 1) {
    const written = Number(value.toPrecision(digits))
    if (Math.fround(written) === value) return String(written)
  }
  return String(value)
}

/** A number of another type, as `CAST` makes it; `undefined` for a float that is no number or infinite where whole numbers are wanted. */
export const toWhole = (value: Value, from: DataType): bigint | undefined => {
  if (typeof value === "number") return Number.isFinite(value) ? BigInt(Math.trunc(value)) : undefined
  return whole(value) / powerOf10(isFloat(from) || from.scale === undefined ? 0 : from.scale)
}

const floatPattern = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/

/** The float of a text; `undefined` for what is none. */
export const parseFloatText = (written: string): number | undefined => {
  if (floatPattern.test(written)) return Number(written)
  const [, sign, name] = /^([+-]?)(nan|inf(?:inity)?)$/i.exec(written) ?? []
  if (name === undefined) return undefined
  if (name.toLowerCase() === "nan") return Number.NaN
  return sign === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
}

/** The whole number of a text, if it has no more digits than the type holds; `undefined` for what is none. */
export const parseWhole = (written: string): bigint | undefined =>
  /^[+-]?\d+$/.test(written) ? BigInt(written.replace("+", "")) : undefined
