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

/** Makes a {@link FieldReader}. */
export const fieldReader =
  (fields: ReadonlyArray<Field>): FieldReader =>
  (input) => {
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
