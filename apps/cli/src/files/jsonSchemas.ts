import type { Dialect } from "@headgate/http-contract"
import * as JsonSchema from "effect/JsonSchema"
import * as Schema from "effect/Schema"
import { fileSchemas, type ResourceKind } from "./kinds.ts"
import { isMembers, type Members, membersOf, without } from "./members.ts"

/** The fields of a file that the request does not have. */
const ownFields: { readonly [Kind in ResourceKind]: Members } = {
  dashboard: {},
  pipe: {
    stopped: {
      type: "boolean",
      description: "Whether the pipe is stopped. Absent: a new pipe runs, and the state of another stays as it is."
    }
  },
  key: {}
}

/** The fields of the request that a file does not have. */
const withoutFields: { readonly [Kind in ResourceKind]: ReadonlyArray<string> } = {
  dashboard: [],
  pipe: ["startPaused"],
  key: []
}

/** The JSON Schema (draft 7, which editors know best) of the files of a kind. It is derived from the schema of the request. */
export const jsonSchemaOf = (kind: ResourceKind, dialect: Dialect): Members => {
  const document = JsonSchema.toDocumentDraft07(Schema.toJsonSchemaDocument(fileSchemas[kind](dialect)))
  const name = String(document.schema["$ref"]).replace("#/definitions/", "")
  const request = membersOf(document.definitions[name])
  const { name: ofName, ...properties } = without(membersOf(request["properties"]), withoutFields[kind])
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: `A ${kind} of headgate`,
    ...request,
    properties: { $schema: { type: "string" }, name: ofName, ...ownFields[kind], ...properties },
    required: Array.from(new Set(["name", ...(Array.isArray(request["required"]) ? request["required"] : [])])),
    // A request for a key with an unknown field is refused. The others keep it: it may be of a newer service.
    additionalProperties: kind !== "key",
    definitions: without(document.definitions, [name])
  }
}

/** What a value may be by a schema: without references and unions around it. */
const alternatives = (schema: Members, definitions: Members): ReadonlyArray<Members> => {
  const reference = schema["$ref"]
  if (typeof reference === "string") {
    return alternatives(membersOf(definitions[reference.replace("#/definitions/", "")]), definitions)
  }
  const parts = [schema["anyOf"], schema["allOf"]].find(Array.isArray)
  return parts === undefined ? [schema] : parts.filter(isMembers).flatMap((part) => alternatives(part, definitions))
}

/** The fields that have one value each, such as `displayType` of a chart. */
const constantsOf = (properties: Members) =>
  Object.entries(properties).flatMap(([name, field]) => {
    const values = membersOf(field)["enum"]
    return Array.isArray(values) && values.length === 1 ? [{ name, value: values[0] }] : []
  })

/** The alternative that a value is: the one that says most of it with fields that have one value. */
const alternativeOf = (value: unknown, all: ReadonlyArray<Members>): Members => {
  if (Array.isArray(value)) return all.find(({ items }) => items !== undefined) ?? {}
  if (!isMembers(value)) return {}
  const fitting = all
    .filter(({ properties }) => isMembers(properties))
    .map((one) => ({ one, constants: constantsOf(membersOf(one["properties"])) }))
    .filter(({ constants }) => constants.every(({ name, value: only }) => value[name] === only))
    .toSorted((one, other) => other.constants.length - one.constants.length)
  return fitting[0]?.one ?? {}
}

/** Puts the fields of a document in the order of its JSON Schema, at every depth. Unknown fields follow, by name. */
export const inSchemaOrder = (
  value: unknown,
  schema: Members,
  definitions = membersOf(schema["definitions"])
): unknown => {
  const { items, properties } = alternativeOf(value, alternatives(schema, definitions))
  if (Array.isArray(value)) return value.map((element) => inSchemaOrder(element, membersOf(items), definitions))
  if (!isMembers(value)) return value
  const known = membersOf(properties)
  const names = [
    ...Object.keys(known).filter((name) => Object.hasOwn(value, name)),
    ...Object.keys(value)
      .filter((name) => !Object.hasOwn(known, name))
      .toSorted()
  ]
  return Object.fromEntries(
    names.map((name) => [name, inSchemaOrder(value[name], membersOf(known[name]), definitions)])
  )
}
