import { boundNames, type JsonSchema, type OpenApi } from "./OpenApi.ts"

/** One thing that a document says of a field. */
export interface Fact {
  /** Where the field stands in the body, such as `result[].source.kafka.type`. */
  readonly path: string
  /** Such as `field`, `type string`, `enum "kafka"`, `required` or `maximum 10`. */
  readonly says: string
  /** The field by the schema that has it, such as `ClickPipeKafkaSource.type`: one for all bodies it stands in. */
  readonly field: string
}

/** Where a schema stands: in the body, and in the named schema it is a part of. */
interface Place {
  readonly path: string
  readonly field: string
}

// A chart's fields depend on these two. The members of every other union are compared as one object with the fields of all.
const discriminators = ["displayType", "configType"]

// These bound nothing. Effect bounds every integer so.
const unbounded = [
  `minimum ${Number.MIN_SAFE_INTEGER}`,
  `maximum ${Number.MAX_SAFE_INTEGER}`,
  "minItems 0",
  "minLength 0",
  "uniqueItems false"
]

const sub = ({ field, path }: Place, name: string): Place => ({
  path: path === "" || name === "[]" ? `${path}${name}` : `${path}.${name}`,
  field: name === "[]" ? `${field}${name}` : `${field}.${name}`
})

const values = ({ const: constant, enum: listed }: JsonSchema) => listed ?? (constant === undefined ? [] : [constant])

/** The facts of a union: it requires what all its members require that have the object with the field. */
const unionOf = (members: ReadonlyArray<ReadonlyArray<Fact>>): ReadonlyArray<Fact> => {
  const described = members.map((facts) => new Set(facts.map(({ path, says }) => `${path} ${says}`)))
  const isRequired = (path: string) =>
    described.every((facts) => !facts.has(`${parentOf(path)} type object`) || facts.has(`${path} required`))
  return members.flat().filter(({ path, says }) => says !== "required" || isRequired(path))
}

/** The facts of a schema that stands in a document, with those of everything it consists of. */
export const factsOf = (document: OpenApi, root: JsonSchema, name: string): ReadonlyArray<Fact> => {
  const { schemas } = document.components

  const target = ({ $ref }: JsonSchema, seen: ReadonlyArray<string> = []) => {
    const name = $ref?.split("/").at(-1)
    const schema = name === undefined || seen.includes(name) ? undefined : schemas[name]
    return name === undefined || schema === undefined ? undefined : { name, schema }
  }

  /** The value of a field that has only one, in the object that a schema describes. */
  const soleValue = (schema: JsonSchema, property: string): ReadonlyArray<string> => {
    const [value, ...others] = values(schema.properties?.[property] ?? {})
    return [
      ...(value === undefined || others.length > 0 ? [] : [String(value)]),
      ...[target(schema)?.schema ?? [], schema.allOf ?? []].flat().flatMap((part) => soleValue(part, property))
    ]
  }

  /** The place of an object with, in parentheses, the values by which it is told from the other members of a union. */
  const discriminated = (schema: JsonSchema, place: Place): Place => {
    const found = discriminators.flatMap((name) => soleValue(schema, name))
    return place.path.endsWith(")") || found.length === 0
      ? place
      : { ...place, path: `${place.path}(${found.join(" ")})` }
  }

  const walk = (schema: JsonSchema, at: Place, seen: ReadonlyArray<string>): ReadonlyArray<Fact> => {
    const members = schema.oneOf ?? schema.anyOf ?? []
    // Each member of a union has a place of its own, and what stands beside them are the conditions to tell them apart.
    const place = members.length > 0 ? at : discriminated(schema, at)
    const parts = members.length > 0 ? [] : (schema.allOf ?? [])
    const fact = (says: string): Fact => ({ ...place, says })
    const fields = Object.entries(schema.properties ?? {}).filter(
      ([property]) => members.length === 0 || !discriminators.includes(property)
    )
    const isObject =
      schema.type === "object" || (schema.properties !== undefined && (members.length === 0 || fields.length > 0))
    const types = [schema.type ?? []].flat().filter((type) => type !== "object")
    const listed = values(schema)
    const isIntegers = types.includes("number") && listed.length > 0 && listed.every(Number.isInteger)
    const referred = target(schema, seen)
    return [
      ...(isObject ? [fact("type object")] : []),
      // An integer is a number too, so that only a request is bound by it.
      ...types.flatMap((type) =>
        type === "integer" ? [fact("type number"), fact("integer")] : [fact(`type ${type}`)]
      ),
      ...(schema.nullable === true ? [fact("type null")] : []),
      ...(isIntegers ? [fact("integer")] : []),
      ...listed.map((value) => fact(value === null ? "type null" : `enum ${JSON.stringify(value)}`)),
      ...boundNames.flatMap((bound) => {
        const says = `${bound} ${String(schema[bound])}`
        return schema[bound] === undefined || unbounded.includes(says) ? [] : [fact(says)]
      }),
      ...(referred === undefined
        ? []
        : walk(referred.schema, { ...place, field: referred.name }, [...seen, referred.name])),
      ...parts.flatMap((part) => walk(part, place, seen)),
      ...unionOf(members.map((member) => walk(member, place, seen))),
      ...(schema.items === undefined ? [] : walk(schema.items, sub(place, "[]"), seen)),
      ...(typeof schema.additionalProperties === "object"
        ? walk(schema.additionalProperties, sub(place, "*"), seen)
        : []),
      ...fields.flatMap(([property, part]) => {
        const inner = sub(place, property)
        return [
          { ...inner, says: "field" },
          ...(schema.required?.includes(property) === true ? [{ ...inner, says: "required" }] : []),
          ...walk(part, inner, seen)
        ]
      })
    ]
  }
  return walk(root, { path: "", field: name }, [])
}

/** The path of the field that has the field. */
export const parentOf = (path: string): string =>
  path.endsWith("[]") ? path.slice(0, -2) : path.slice(0, Math.max(0, path.lastIndexOf(".")))
