import { unknownType } from "./refuse.ts"

/** A data type of ClickHouse, without `LowCardinality`. */
export interface DataType {
  /** `UInt64`, `Decimal`, `DateTime64`, `Array`; `Nothing` is the type of NULL. */
  readonly name: string
  readonly isNullable: boolean
  /** Digits of a decimal. */
  readonly precision?: number
  /** Digits after the point, of a decimal and of a `DateTime64`. */
  readonly scale?: number
  /** Of a time. Absent: UTC. */
  readonly zone?: string
  /** Of an array: of its elements. Of a map: of its keys and of its values. Of a tuple: of each element. */
  readonly elements: ReadonlyArray<DataType>
}

/** A type without arguments. */
export const plain = (name: string): DataType => ({ name, isNullable: false, elements: [] })

export const nothing: DataType = { name: "Nothing", isNullable: true, elements: [] }
export const uint8 = plain("UInt8")
export const uint64 = plain("UInt64")
export const int64 = plain("Int64")
export const float64 = plain("Float64")
export const text = plain("String")
export const bool = plain("Bool")

export const nullable = (type: DataType): DataType =>
  type.isNullable || ["Array", "Map", "Tuple"].includes(type.name) ? type : { ...type, isNullable: true }
export const notNullable = (type: DataType): DataType => (type.isNullable ? { ...type, isNullable: false } : type)

export const arrayOf = (element: DataType): DataType => ({ name: "Array", isNullable: false, elements: [element] })
export const decimal = (precision: number, scale: number): DataType => ({ ...plain("Decimal"), precision, scale })
export const dateTime = (zone?: string): DataType => ({
  ...plain("DateTime"),
  ...(zone === undefined ? undefined : { zone })
})
export const dateTime64 = (scale: number, zone?: string): DataType => ({
  ...plain("DateTime64"),
  scale,
  ...(zone === undefined ? undefined : { zone })
})

/** The parts of a list in brackets, split at commas that are in no bracket and in no text. */
const partsOf = (list: string): ReadonlyArray<string> => {
  const parts = [""]
  let depth = 0
  let isText = false
  for (const sign of list) {
    if (sign === "'") isText = !isText
    if (!isText) depth += sign === "(" ? 1 : sign === ")" ? -1 : 0
    if (sign === "," && depth === 0 && !isText) parts.push("")
    else parts.push(`${parts.pop()}${sign}`)
  }
  return parts.map((part) => part.trim())
}

const decimalDigits: ReadonlyMap<string, number> = new Map([
  ["Decimal32", 9],
  ["Decimal64", 18],
  ["Decimal128", 38],
  ["Decimal256", 76]
])
const plainNames = /^(?:U?Int(?:8|16|32|64|128|256)|Float(?:32|64)|String|Bool|Date|UUID|Nothing)$/
const zoneOf = (part: string | undefined): string | undefined => part?.replace(/^'(.*)'$/, "$1")

/** Types with arguments, by their names. */
const readers: Readonly<Record<string, (parts: ReadonlyArray<string>) => DataType>> = {
  LowCardinality: ([inner = ""]) => dataTypeOf(inner),
  Nullable: ([inner = ""]) => nullable(dataTypeOf(inner)),
  FixedString: () => text,
  Enum8: () => text,
  Enum16: () => text,
  Array: ([inner = ""]) => arrayOf(dataTypeOf(inner)),
  Map: (parts) => ({ ...plain("Map"), elements: parts.map(dataTypeOf) }),
  // The elements of a tuple may have names.
  Tuple: (parts) => ({
    ...plain("Tuple"),
    elements: parts.map((part) => dataTypeOf(part.replace(/^\w+ (?=[A-Z])/, "")))
  }),
  DateTime: ([zone]) => dateTime(zoneOf(zone)),
  DateTime64: ([scale, zone]) => dateTime64(Number(scale), zoneOf(zone)),
  Decimal: ([precision, scale = "0"]) => decimal(Number(precision), Number(scale))
}

/** Reads a data type as the engine writes it. */
export const dataTypeOf = (written: string): DataType => {
  if (plainNames.test(written)) return plain(written)
  const [, name = written, list = ""] = /^(\w+)\((.*)\)$/s.exec(written) ?? []
  const digits = decimalDigits.get(name)
  if (digits !== undefined) return decimal(digits, Number(list))
  const reader = readers[name]
  return reader === undefined ? unknownType(written) : reader(list === "" ? [] : partsOf(list))
}

const innerText = ({ elements, name, precision, scale, zone }: DataType): string => {
  if (name === "Decimal") return `Decimal(${precision}, ${scale})`
  if (name === "DateTime64") return `DateTime64(${scale}${zone === undefined ? "" : `, '${zone}'`})`
  if (name === "DateTime") return zone === undefined ? name : `DateTime('${zone}')`
  return elements.length === 0 ? name : `${name}(${elements.map(typeText).join(", ")})`
}

/** The type as the engine writes it. */
export const typeText = (type: DataType): string => (type.isNullable ? `Nullable(${innerText(type)})` : innerText(type))

export const isInteger = ({ name }: DataType): boolean => /^U?Int\d/.test(name) || name === "Bool"
export const isFloat = ({ name }: DataType): boolean => name.startsWith("Float")
export const isNumber = (type: DataType): boolean => isInteger(type) || isFloat(type) || type.name === "Decimal"
export const isText = ({ name }: DataType): boolean => name === "String" || name === "UUID"
/** A time with a time of day. */
export const isTime = ({ name }: DataType): boolean => name.startsWith("DateTime")
export const isSigned = ({ name }: DataType): boolean => name.startsWith("Int")
export const bitsOf = ({ name }: DataType): number =>
  name === "Bool" ? 8 : Number(/(?<!\d)\d+$/.exec(name)?.[0] ?? 64)
export const integer = (signed: boolean, bits: number): DataType => plain(`${signed ? "Int" : "UInt"}${bits}`)

/** The number as the integers of this type hold it: too large ones begin again at the other end. */
export const wrap = (value: bigint, type: DataType): bigint =>
  isSigned(type) ? BigInt.asIntN(bitsOf(type), value) : BigInt.asUintN(bitsOf(type), value)

/**
 * The smallest type that holds the values of all, as `if` and arrays need it; `undefined` if there is none.
 */
export const commonType = (types: ReadonlyArray<DataType>): DataType | undefined => {
  const known = types.filter(({ name }) => name !== "Nothing")
  const [first] = known
  if (first === undefined) return nothing
  const found = commonOf(first, known.map(notNullable))
  return found !== undefined && types.some(({ isNullable }) => isNullable) ? nullable(found) : found
}

const commonOf = (first: DataType, types: ReadonlyArray<DataType>): DataType | undefined => {
  const inner = notNullable(first)
  if (types.every((type) => typeText(type) === typeText(inner))) return inner
  if (types.every(({ name }) => name === "Array")) {
    const element = commonType(types.flatMap(({ elements }) => elements))
    return element === undefined ? undefined : arrayOf(element)
  }
  if (types.every(isTime)) {
    const scales = types.flatMap(({ scale }) => (scale === undefined ? [] : [scale]))
    return scales.length === 0 ? inner : dateTime64(Math.max(...scales), inner.zone)
  }
  return types.every(isNumber) ? commonNumber(types) : undefined
}

const commonNumber = (types: ReadonlyArray<DataType>): DataType | undefined => {
  const integers = types.filter(isInteger)
  if (types.some(({ name }) => name === "Decimal")) {
    if (types.some(isFloat)) return undefined
    const decimals = types.filter(({ name }) => name === "Decimal")
    return decimal(
      Math.max(...decimals.map(({ precision = 0 }) => precision)),
      Math.max(...decimals.map(({ scale = 0 }) => scale))
    )
  }
  const bits = Math.max(0, ...integers.map(bitsOf))
  if (integers.length < types.length) {
    return bits > 32 ? undefined : types.every(({ name }) => name === "Float32") || bits < 32 ? floatOf(types) : float64
  }
  const unsigned = Math.max(0, ...integers.filter((type) => !isSigned(type)).map(bitsOf))
  if (!integers.some(isSigned)) return integer(false, bits)
  const needed = unsigned < bits ? bits : unsigned * 2
  return needed > 64 ? undefined : integer(true, needed)
}

const floatOf = (types: ReadonlyArray<DataType>): DataType =>
  types.some(({ name }) => name === "Float64") ? float64 : plain("Float32")
