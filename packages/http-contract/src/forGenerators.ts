import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import * as Struct from "effect/Struct"

type JsonSchema = { readonly [keyword: string]: unknown }

/** Keywords whose meaning depends on others of the same schema: in a schema of their own they say something else. */
const dependent = [
  "additionalProperties",
  "contains",
  "else",
  "if",
  "items",
  "maxContains",
  "minContains",
  "patternProperties",
  "prefixItems",
  "properties",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties"
]

/** What a schema says to a reader. Of several, the one that is nearest to the value says it best. */
const annotations = ["description", "title", "default"]

const hasAny = (schema: JsonSchema, keywords: ReadonlyArray<string>): boolean =>
  keywords.some((keyword) => keyword in schema)

/** Whether two schemas of one value mean the same as one schema with the keywords of both. */
const areOne = (schema: JsonSchema, member: JsonSchema): boolean =>
  !(hasAny(schema, dependent) && hasAny(member, dependent)) &&
  !hasAny(schema, Struct.keys(Struct.omit(member, annotations)))

const withoutAllOf = (schema: JsonSchema): JsonSchema => {
  const members = schema["allOf"]
  if (!Array.isArray(members) || !members.every(Predicate.isObject)) return schema
  const { rest, whole } = members.reduce<{ readonly rest: ReadonlyArray<JsonSchema>; readonly whole: JsonSchema }>(
    ({ rest, whole }, member) =>
      areOne(whole, member) ? { rest, whole: { ...whole, ...member } } : { rest: [...rest, member], whole },
    { rest: [], whole: Struct.omit(schema, ["allOf"]) }
  )
  return rest.length === 0 ? whole : { ...whole, allOf: rest }
}

const withItems = (schema: JsonSchema): JsonSchema =>
  schema["type"] === "array" && !hasAny(schema, ["items", "prefixItems"]) ? { ...schema, items: {} } : schema

const withoutNumberEnum = (schema: JsonSchema): JsonSchema => {
  const { enum: values, type, ...rest } = schema
  if (type !== "number" || !Array.isArray(values)) return schema
  return { anyOf: values.map((value: unknown) => ({ type, const: value })), ...rest }
}

const partOf = (value: unknown, keyword?: string): unknown => {
  if (keyword === "example") return value
  if (Array.isArray(value)) return value.map((part) => partOf(part))
  return Predicate.isObject(value) ? forGenerators(value) : value
}

/**
 * A document whose schemas mean the same in words that generators of clients know. What a member of an `allOf` says stands
 * in the schema itself, also beside a `$ref`: generators take an `allOf` for a type of its own, or give up. An array has
 * `items`, and numbers to choose from are constants: openapi-python-client makes no type of others.
 */
export const forGenerators = (document: JsonSchema): JsonSchema =>
  withoutNumberEnum(withItems(withoutAllOf(Record.map(document, partOf))))
