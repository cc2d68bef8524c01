// The values of the oracle as they stand in rows of the formats of objects. Nothing here is of what is tested.
import type { TypeCase, ValueCase } from "./values.ts"

export type RowFormat = "JSONEachRow" | "CSV" | "TabSeparated"

/** A value as it stands in an object, and the text of what the column then holds; `undefined`: the row is rejected. */
export interface FieldCase {
  readonly field: string
  readonly stored: string | undefined
}

type Json =
  | { readonly _tag: "Null" }
  | { readonly _tag: "Text"; readonly text: string }
  /** A number, `true` or `false`. */
  | { readonly _tag: "Word"; readonly text: string }
  | { readonly _tag: "List"; readonly items: ReadonlyArray<Json> }
  | { readonly _tag: "Fields"; readonly fields: ReadonlyArray<readonly [string, Json]> }

/** A value of JSON with its numbers as they are written; `undefined` if it is none, or has a name twice. */
const parse = (json: string): Json | undefined => {
  const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && "_tag" in value
  const revive = (_: string, value: unknown, context?: { readonly source?: string }): Json => {
    if (value === null) return { _tag: "Null" }
    if (typeof value === "string") return { _tag: "Text", text: value }
    if (Array.isArray(value)) return { _tag: "List", items: value.filter(isJson) }
    if (typeof value !== "object") return { _tag: "Word", text: context?.source ?? "" }
    return {
      _tag: "Fields",
      fields: Object.entries(value).flatMap(([name, one]) => (isJson(one) ? [[name, one]] : []))
    }
  }
  try {
    const value: unknown = JSON.parse(json, revive)
    // What JSON keeps, and a value of JavaScript does not: a name twice, numbers as names in another order, half of a character.
    const isKept = !/"(\w+)":.*[,{]"\1":/.test(json) && !/"-?\d+":.*"-?\d+":/.test(json) && !/\\ud/.test(json)
    return isJson(value) && isKept ? value : undefined
  } catch {
    return undefined
  }
}

const quoted = (text: string): string =>
  `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n").replaceAll("\t", "\\t")}'`

/** A value within an array, a map or a tuple, as the engine writes it in a text; `undefined` for one that has no such text. */
const inner = (value: Json, type: string): string | undefined => {
  const list = (items: ReadonlyArray<Json>): ReadonlyArray<string> | undefined => {
    const texts = items.flatMap((item) => inner(item, type) ?? [])
    return texts.length === items.length ? texts : undefined
  }
  switch (value._tag) {
    case "Null":
      return "NULL"
    case "Text":
      return quoted(value.text)
    case "Word":
      return value.text
    case "List": {
      // An array in the place of a text is one in JSON alone.
      const isOfText = type.includes("String") && value.items.some(({ _tag }) => _tag === "List" || _tag === "Fields")
      const texts = isOfText && !/Map|Tuple/.test(type) ? undefined : list(value.items)
      return texts === undefined ? undefined : `[${texts.join(",")}]`
    }
    case "Fields": {
      if (type.startsWith("Map(")) {
        const texts = list(value.fields.map(([, one]) => one))
        return texts === undefined
          ? undefined
          : `{${value.fields.map(([name], at) => `${quoted(name)}:${texts[at]}`).join(",")}}`
      }
      const names = Array.from(type.matchAll(/\b([ab]) \w/g), ([, name]) => name)
      const fields = new Map(value.fields)
      const texts = list(names.flatMap((name) => fields.get(name ?? "") ?? []))
      return texts === undefined || texts.length < names.length || names.length === 0
        ? undefined
        : `(${texts.join(",")})`
    }
  }
}

const isContainer = (type: string): boolean => /^(?:Array|Map|Tuple|Point)/.test(type)
const isNumeric = (type: string): boolean => /^(?:Nullable\()?(?:Simple|U?Int|Float|BFloat|Decimal|Interval)/.test(type)
const isText = (type: string): boolean => /^(?:LowCardinality\()?(?:Nullable\()?String/.test(type)

/** The text of a value in a row of CSV or TSV, null for none; `undefined` for a value that these formats do not have. */
const textOf = (value: Json, type: string): string | null | undefined => {
  if (value._tag === "Null") return null
  if (isContainer(type)) {
    // A text may be an array or a tuple here, which it is not in JSON.
    if (value._tag === "Text") return /^$|^[([{]/.test(value.text) ? undefined : value.text
    const whole = value._tag === "List" || value._tag === "Fields" ? inner(value, type) : undefined
    if (value._tag !== "List" || whole === undefined) return value._tag === "Word" ? value.text : whole
    // A tuple has no names here.
    if (type.startsWith("Tuple(a ")) return undefined
    return /^(?:Tuple|Point)/.test(type) ? `(${whole.slice(1, -1)})` : whole
  }
  // Whether it is in quotes says nothing.
  if (type === "Bool" && /^"(?:true|false|0|1)"$/.test(JSON.stringify(value._tag === "Text" ? value.text : "")))
    return undefined
  if (value._tag === "Text") return value.text
  // In CSV and TSV everything is a text.
  return value._tag === "Word" && (isNumeric(type) || isText(type) || type === "Bool") ? value.text : undefined
}

const csvField = (text: string): string => (/["\n\r,]|^\\N$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const tsvField = (text: string): string =>
  text.replaceAll("\\", "\\\\").replaceAll("\t", "\\t").replaceAll("\n", "\\n").replaceAll("\r", "\\r")

/** A value of the oracle as one of a format; `undefined` for what the format does not have, or where a value ends a line. */
export const fieldCase = (
  format: RowFormat,
  { type }: TypeCase,
  { json, stored }: ValueCase
): FieldCase | undefined => {
  if (json.includes("\n")) return undefined
  if (format === "JSONEachRow") return { field: json, stored }
  const value = parse(json)
  const text = value === undefined ? undefined : textOf(value, type)
  if (text === undefined) return undefined
  if (text === null) return { field: String.raw`\N`, stored }
  if (format === "TabSeparated") return { field: tsvField(text), stored }
  const isNull = text === "" && type.startsWith("Nullable(") && !isText(type)
  return { field: csvField(text), stored: isNull ? "NULL" : stored }
}

/** Whether a value is one of JSON. */
export const isJson = (json: string): boolean => {
  try {
    JSON.parse(json)
    return !/\\ud(?!83d\\ude00)/.test(json)
  } catch {
    return false
  }
}

/** A row of a format. The first value is the number of the row. */
export const rowOf = (format: RowFormat, names: ReadonlyArray<string>, fields: ReadonlyArray<string>): string =>
  format === "JSONEachRow"
    ? `{${names.map((name, index) => `"${name}":${fields[index]}`).join(",")}}`
    : fields.join(format === "CSV" ? "," : "\t")
