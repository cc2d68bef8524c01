import { escapeTerminalLine } from "@headgate/command-line"
import { nearestField } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as Output from "../output/Output.ts"

// Of today's service, and of editors.
const alsoKnown = ["id", "fields", "$schema"]

// More are left out.
const maxMisspellings = 20

/** What a value may be, without unions around it. */
const members = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> =>
  SchemaAST.isUnion(ast) ? ast.types.flatMap(members) : [ast]

const unknownFields = (types: ReadonlyArray<SchemaAST.AST>, value: unknown, path: string): ReadonlyArray<string> => {
  if (Array.isArray(value)) {
    const elements = types.filter(SchemaAST.isArrays).flatMap(({ rest }) => rest.flatMap(members))
    return value.flatMap((element, index) => unknownFields(elements, element, `${path}[${index}]`))
  }
  const fields = types.filter(SchemaAST.isObjects).flatMap(({ propertySignatures }) => propertySignatures)
  if (!Predicate.isObject(value) || fields.length === 0) return []
  const known = [...fields.map(({ name }) => String(name)), ...alsoKnown]
  return Object.entries(value).flatMap(([name, field]) => {
    const at = path === "" ? name : `${path}.${name}`
    const ofName = fields.filter((one) => one.name === name).flatMap(({ type }) => members(type))
    const near = known.includes(name) ? undefined : nearestField(name, known)
    return near === undefined ? unknownFields(ofName, field, at) : [`${escapeTerminalLine(at)}: did you mean ${near}?`]
  })
}

/** What a request is by each of its schemas: what one names is no misspelling of what another names. */
const typesOf = (schemas: ReadonlyArray<Schema.Constraint>) =>
  schemas.flatMap(({ ast }) => members(SchemaAST.toEncoded(ast)))

/**
 * Warns on stderr of the unknown fields of a document that are near to a known one, by path. They are kept, because the
 * service may know them. `label` comes before the path.
 */
export const warnOfMisspellings = (
  schemas: ReadonlyArray<Schema.Constraint>,
  document: unknown,
  label: string
): Effect.Effect<void> => {
  const found = unknownFields(typesOf(schemas), document, "")
  return Effect.forEach(
    found.slice(0, maxMisspellings),
    (misspelling) => Output.note(`warning: ${label}${misspelling} It is kept as it is.`),
    { discard: true }
  )
}
