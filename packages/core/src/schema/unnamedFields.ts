import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaIssue from "effect/SchemaIssue"

// One issue for all fields: it is never reported, and a full pipe has a hundred named fields.
const isNamed = new SchemaIssue.InvalidValue({ message: "Expected a field that the struct does not name" })

const fieldNames = new WeakSet<SchemaAST.AST>()

/**
 * The index signature of a loose struct: any field that the struct does not name. It excludes the named fields, because a
 * JSON codec would otherwise check their decoded values, such as an instant or a secret, as JSON.
 */
export const unnamedFields = (named: Schema.Struct.Fields) => {
  const names = new Set(Object.keys(named))
  const fieldName = Schema.String.check(
    new SchemaAST.Filter((field: string) => (names.has(field) ? isNamed : undefined))
  )
  fieldNames.add(fieldName.ast)
  return Schema.Record(fieldName, Schema.Unknown)
}

/** Whether an object keeps exactly the fields that it does not name, as they are. */
export const keepsUnnamedFields = ({ indexSignatures }: SchemaAST.Objects): boolean =>
  indexSignatures.length === 1 && indexSignatures.every(({ parameter }) => fieldNames.has(parameter))
