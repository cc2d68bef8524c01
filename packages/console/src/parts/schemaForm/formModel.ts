import type { JsonSchema } from "../../data/openApi.ts"
import { inputNumber, parseNumber } from "../../format/parseNumber.ts"

/** A field of a form: a number, a choice or a text. */
export interface FormField {
  /** Its name in the request. */
  readonly name: string
  readonly label: string
  readonly kind: "integer" | "number" | "boolean" | "choice" | "text"
  /** What it means, in which unit and bounds, and what is so without it. */
  readonly help: string
  readonly least?: number | undefined
  readonly most?: number | undefined
  readonly choices?: ReadonlyArray<string> | undefined
  readonly isRequired: boolean
}

/** What stands in the controls, by the names of fields. A field without a text is left out of the request. */
export type Draft = Readonly<Record<string, string>>

const units: ReadonlyArray<readonly [RegExp, string]> = [
  [/_ms$/, "milliseconds"],
  [/_?[sS]econds$/, "seconds"],
  [/_bytes$/, "bytes"],
  [/Gb$/, "GB"],
  [/Millicores$/, "millicores"]
]

/** A name as words: `streaming_max_insert_wait_ms` is `Streaming max insert wait (milliseconds)`. */
export const labelOf = (name: string): string => {
  const [suffix, unit] = units.find(([pattern]) => pattern.test(name)) ?? []
  const words = (suffix === undefined ? name : name.replace(suffix, ""))
    .replace(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
    .replaceAll("_", " ")
    .replace(/^(db|clickhouse) /, "Database ")
    .replaceAll("Cpu", "CPU")
    .replaceAll(" cpu", " CPU")
  const label = words.charAt(0).toUpperCase() + words.slice(1)
  return unit === undefined ? label : `${label} (${unit})`
}

const isNull = (schema: JsonSchema): boolean => schema.type === "null"

/** The schema of a value that may be null, without that. */
const withoutNull = (schema: JsonSchema): JsonSchema => {
  const others = (schema.anyOf ?? []).filter((one) => !isNull(one))
  const [only] = others
  return only !== undefined && others.length === 1 ? { ...only, ...described(schema) } : schema
}

const described = ({ description }: JsonSchema) => (description === undefined ? {} : { description })

const kinds: Readonly<Record<string, FormField["kind"]>> = {
  integer: "integer",
  number: "number",
  boolean: "boolean",
  string: "text"
}

const boundsText = (least: number | undefined, most: number | undefined, write: (value: number) => string): string => {
  if (least !== undefined && most !== undefined) return `${write(least)} to ${write(most)}.`
  if (least !== undefined) return `At least ${write(least)}.`
  return most === undefined ? "" : `At most ${write(most)}.`
}

/** The fields of an object whose values are numbers, choices and texts; of others there is none. `absent`: what an empty field means. */
export const fieldsOf = (
  schema: JsonSchema,
  absent: string,
  write: (value: number) => string
): ReadonlyArray<FormField> =>
  Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const value = withoutNull(property)
    const choices = value.enum?.map(String)
    const kind = choices === undefined ? kinds[value.type ?? ""] : "choice"
    if (kind === undefined) return []
    const isRequired = schema.required?.includes(name) === true
    const without = value.default === undefined ? absent : `Empty: ${String(value.default)}.`
    const help = [value.description ?? "", boundsText(value.minimum, value.maximum, write), isRequired ? "" : without]
    return [
      {
        name,
        label: labelOf(name),
        kind,
        help: help.filter((part) => part !== "").join(" "),
        least: value.minimum,
        most: value.maximum,
        choices,
        isRequired
      }
    ]
  })

/** The texts of present values. */
export const draftOf = (
  fields: ReadonlyArray<FormField>,
  values: Readonly<Record<string, unknown>>,
  language: string
): Draft =>
  Object.fromEntries(
    fields.map(({ name }) => {
      const value = values[name]
      if (value === undefined || value === null) return [name, ""]
      return [name, typeof value === "number" ? inputNumber(value, language) : String(value)]
    })
  )

const readOne = (
  field: FormField,
  text: string,
  language: string
): { readonly value: unknown } | { readonly error: string } => {
  if (field.kind === "boolean") return { value: text === "true" }
  if (field.kind === "choice" || field.kind === "text") return { value: text }
  const value = parseNumber(text, language)
  if (value === undefined) return { error: "Enter a number." }
  if (field.kind === "integer" && !Number.isSafeInteger(value)) return { error: "Enter a whole number." }
  const { least = -Infinity, most = Infinity } = field
  if (value < least || value > most) return { error: "The number is out of bounds." }
  return { value }
}

/** What a form holds: the values of its fields, and what is wrong, by name. */
export interface ReadDraft {
  readonly values: Readonly<Record<string, unknown>>
  readonly errors: Readonly<Record<string, string>>
}

/** Reads what was typed. */
export const readDraft = (fields: ReadonlyArray<FormField>, draft: Draft, language: string): ReadDraft => {
  const values: Record<string, unknown> = {}
  const errors: Record<string, string> = {}
  for (const field of fields) {
    const text = (draft[field.name] ?? "").trim()
    if (text === "") {
      if (field.isRequired) errors[field.name] = "Enter a value."
      continue
    }
    const read = readOne(field, text, language)
    if ("error" in read) errors[field.name] = read.error
    else values[field.name] = read.value
  }
  return { values, errors }
}
