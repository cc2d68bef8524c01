import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { withFastDecoder } from "../schema/FastDecoder.ts"
import type { LooseStruct } from "../schema/LooseStruct.ts"
import { maxCountedIssues, maxIssues } from "./FieldIssue.ts"

// Longer names than any field has: they are near to none, and not repeated in full.
const maxName = 64

/** The Levenshtein distance of two names. */
const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, letter] of Array.from(one).entries()) {
    const next = [index + 1]
    for (let column = 1; column < row.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (other[column - 1] === letter ? 0 : 1)
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}

/**
 * The known field that a name is probably a misspelling of: the nearest that differs in case, or in at most one character of
 * three.
 *
 * @example
 * ```ts
 * import { nearestField } from "@headgate/core/adapter"
 *
 * console.log(nearestField("tag", ["name", "tiles", "tags"])) // tags
 * console.log(nearestField("owner", ["name", "tiles", "tags"])) // undefined
 * ```
 */
export const nearestField = (name: string, known: ReadonlyArray<string>): string | undefined => {
  if (name.length > maxName) return undefined
  const [nearest] = known
    .map((field) => ({ field, apart: distance(field.toLowerCase(), name.toLowerCase()) }))
    .filter(({ apart, field }) => apart <= field.length / 3)
    .toSorted((one, other) => one.apart - other.apart)
  return nearest?.field
}

/** A name as an error repeats it. */
export const shortName = (name: string): string => (name.length > maxName ? `${name.slice(0, maxName)}...` : name)

/** What is wrong with an unknown field, with the known one that it is near to. */
export const unknownFieldMessage = (name: string, known: ReadonlyArray<string>): string => {
  const near = nearestField(name, known)
  return near === undefined ? "Unknown field" : `Unknown field: did you mean ${near}?`
}

const refusesUnknown = "@headgate/core/refusesUnknownFields"

/**
 * Refuses the fields that a struct does not name, each with the name that it is near to. For requests where an ignored field
 * is dangerous: a misspelt access list would open a key to every address.
 */
export const refuseUnknownFields = <Fields extends Schema.Struct.Fields>(
  schema: LooseStruct<Fields>
): LooseStruct<Fields> => {
  const known = Object.keys(schema.schema.fields)
  const names = new Set(known)
  return withFastDecoder(
    schema.check(
      Schema.makeFilter(
        (value: object) =>
          Object.keys(value)
            .filter((name) => !names.has(name))
            .slice(0, maxCountedIssues)
            .map((name, index) => ({
              path: [shortName(name)],
              issue: index < maxIssues ? unknownFieldMessage(name, known) : "Unknown field"
            })),
        // Effect reports it together with the issues of the fields.
        // Without `toJsonSchema` the description of the struct would be left out of its JSON Schema.
        { expected: "no unknown fields", "~structural": true, toJsonSchema: () => [{}, true], [refusesUnknown]: true }
      )
    )
  )
}

const partsOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  if (SchemaAST.isObjects(ast)) return ast.propertySignatures.map(({ type }) => type)
  if (SchemaAST.isArrays(ast)) return [...ast.elements, ...ast.rest]
  return SchemaAST.isUnion(ast) ? ast.types : []
}

/**
 * The identifiers of the schemas of a request, at every depth, that refuse unknown fields: a check cannot say so in a JSON
 * Schema, where `additionalProperties` must stand beside the properties.
 *
 * @example
 * ```ts
 * import { ApiKeyUpdate } from "@headgate/core"
 * import { strictIdentifiers } from "@headgate/core/adapter"
 *
 * console.log(strictIdentifiers(ApiKeyUpdate.ast)) // [ 'ApiKeyUpdate', 'IpAccessListEntryCreate' ]
 * ```
 */
export const strictIdentifiers = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  const isStrict = ast.checks?.some(({ annotations }) => annotations?.[refusesUnknown] === true) === true
  const identifier = isStrict ? SchemaAST.resolveIdentifier(ast) : undefined
  return [...(identifier === undefined ? [] : [identifier]), ...partsOf(ast).flatMap(strictIdentifiers)]
}
