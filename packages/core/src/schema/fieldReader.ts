import * as SchemaCompiler from "effect/schema/SchemaCompiler"

const { invalid } = SchemaCompiler

/** Returns the decoded value, the input itself where nothing changes, or `invalid`. */
export type Decode = (input: unknown) => unknown

/** A named field of a loose struct. For most values it is enough to check the type. */
export interface Field {
  readonly name: string
  /** A value of this type is valid and stays as it is. */
  readonly type: "string" | "number" | "boolean" | undefined
  readonly mayBeNull: boolean
  readonly mayBeAbsent: boolean
  /** Decodes every other value. */
  readonly decode: Decode
}

/** Decodes the named fields of a plain object and keeps the others. */
export type FieldReader = (input: Readonly<Record<string, unknown>>) => unknown

// All fields are copied at once, which is faster than one by one. Then the fields are written whose value changes. The copy
// is checked, not the input, because a getter may return something else the next time.

/** Reads the fields in a loop. */
export const loopReader = (fields: ReadonlyArray<Field>): FieldReader => {
  return (input) => {
    const output: Record<string, unknown> = { ...input }
    for (const { decode, mayBeAbsent, mayBeNull, name, type } of fields) {
      const value = output[name]
      if (typeof value === type || (mayBeNull && value === null)) continue
      if (value === undefined) {
        if (mayBeAbsent && !(name in input)) continue
        return invalid
      }
      const decoded = decode(value)
      if (decoded === invalid) return invalid
      if (decoded !== value) output[name] = decoded
    }
    return output
  }
}

const step = ({ mayBeAbsent, mayBeNull, name, type }: Field, index: number): string => {
  const key = JSON.stringify(name)
  const isValid = [type && `typeof value === "${type}"`, mayBeNull && "value === null"].filter(Boolean).join(" || ")
  return `
    value = output[${key}]
    if (!(${isValid || "false"})) {
      if (value === undefined) {
        if (${mayBeAbsent ? `${key} in input` : "true"}) return invalid
      } else {
        const decoded = decode${index}(value)
        if (decoded === invalid) return invalid
        if (decoded !== value) output[${key}] = decoded
      }
    }`
}

/** Reads the fields with code compiled for them. Falls back to {@link loopReader} where `new Function` is not allowed. */
export const compiledReader = (fields: ReadonlyArray<Field>): FieldReader => {
  const decoders = fields.map((_, index) => `decode${index}`)
  const code = `return (input) => {
    const output = { ...input }
    let value${fields.map(step).join("")}
    return output
  }`
  try {
    // The code contains only field names of a schema, quoted, and nothing of a document.
    return new Function("invalid", ...decoders, code)(invalid, ...fields.map(({ decode }) => decode))
  } catch {
    return loopReader(fields)
  }
}
