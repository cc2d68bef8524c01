import type { JsonSchema } from "../../data/openApi.ts"
import { inputNumber } from "../../format/parseNumber.ts"
import { readText } from "./nodeDraft.ts"
import { type Member, nodeOf, type ValueNode } from "./schemaNode.ts"

/** A field of a form: a number, a choice or a text. */
export interface FormField {
  /** Its name in the request. */
  readonly name: string
  readonly label: string
  readonly kind: ValueNode["type"]
  /** What it means, in which unit and bounds, and what is so without it. */
  readonly help: string
  readonly least?: number | undefined
  readonly most?: number | undefined
  readonly choices?: ReadonlyArray<string> | undefined
  readonly isRequired: boolean
}

/** What stands in the controls, by the names of fields. A field without a text is left out of the request. */
export type Draft = Readonly<Record<string, string>>

const boundsText = (least: number | undefined, most: number | undefined, write: (value: number) => string): string => {
  if (least !== undefined && most !== undefined) return `${write(least)} to ${write(most)}.`
  if (least !== undefined) return `At least ${write(least)}.`
  return most === undefined ? "" : `At most ${write(most)}.`
}

/** What a field means: its description, its bounds, and `absent` or the default of the schema if it may be empty. */
export const helpOf = (
  { description, isRequired, node }: Member,
  absent: string,
  write: (value: number) => string
): string => {
  const { absent: preset, least, most } = node.kind === "value" ? node : {}
  const without = preset === undefined ? absent : `Empty: ${String(preset)}.`
  // The schema names fields as code.
  return [description.replaceAll("`", ""), boundsText(least, most, write), isRequired ? "" : without]
    .filter((part) => part !== "")
    .join(" ")
}

/** The fields of an object whose values are numbers, choices and texts; of others there is none. `absent`: what an empty field means. */
export const fieldsOf = (
  schema: JsonSchema,
  absent: string,
  write: (value: number) => string
): ReadonlyArray<FormField> => {
  const node = nodeOf(schema, {})
  return (node.kind === "object" ? node.members : []).flatMap((member) => {
    if (member.node.kind !== "value") return []
    const { choices, least, most, type } = member.node
    const { isRequired, label, name } = member
    return [{ name, label, kind: type, help: helpOf(member, absent, write), least, most, choices, isRequired }]
  })
}

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
    const read = readText({ ...field, type: field.kind }, text, language)
    if ("error" in read) errors[field.name] = read.error
    else values[field.name] = read.value
  }
  return { values, errors }
}
