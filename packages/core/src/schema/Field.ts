import * as SchemaCompiler from "effect/schema/SchemaCompiler"

const { invalid } = SchemaCompiler

/** The decoded value, the input itself where nothing changes, or `invalid`: then the interpreter says what is wrong. */
export type Decode = (input: unknown) => unknown

/** A named field of an open struct. Most fields need no more than their type to be told right. */
export interface Field {
  readonly name: string
  /** A value of this type is right, and stays as it is. */
  readonly type: "string" | "number" | "boolean" | undefined
  /** `null` is right, and stays. */
  readonly mayBeNull: boolean
  readonly mayBeAbsent: boolean
  /** For every other value. */
  readonly decode: Decode
}

/** Reads a plain object of which some fields are named. */
export type ReadFields = (input: Readonly<Record<string, unknown>>) => unknown

// All fields are copied at once, which is quicker than one by one; then those are written that decode to something else.
// What is checked is the copy: a getter may say something else the next time.

/** Reads the fields in a loop. */
export const inLoop = (fields: ReadonlyArray<Field>): ReadFields => {
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
  const isRight = [type && `typeof value === "${type}"`, mayBeNull && "value === null"].filter(Boolean).join(" || ")
  return `
    value = output[${key}]
    if (!(${isRight || "false"})) {
      if (value === undefined) {
        if (${mayBeAbsent ? `${key} in input` : "true"}) return invalid
      } else {
        const decoded = decode${index}(value)
        if (decoded === invalid) return invalid
        if (decoded !== value) output[${key}] = decoded
      }
    }`
}

/** Reads the fields by code that is written for them: where none may be made at run time, in a loop. */
export const byCode = (fields: ReadonlyArray<Field>): ReadFields => {
  const decoders = fields.map((_, index) => `decode${index}`)
  const code = `return (input) => {
    const output = { ...input }
    let value${fields.map(step).join("")}
    return output
  }`
  try {
    // The names are those of a schema, quoted; nothing of a document gets here.
    return new Function("invalid", ...decoders, code)(invalid, ...fields.map(({ decode }) => decode))
  } catch {
    return inLoop(fields)
  }
}
