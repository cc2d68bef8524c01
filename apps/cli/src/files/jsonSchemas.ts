import type { Dialect } from "@headgate/http-contract"
import * as JsonSchema from "effect/JsonSchema"
import * as Schema from "effect/Schema"
import { requestCodecs, type ResourceKind } from "./kinds.ts"
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
  const document = JsonSchema.toDocumentDraft07(Schema.toJsonSchemaDocument(requestCodecs[kind](dialect)))
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

const definitionOf = (schema: Members, definitions: Members): Members => {
  const reference = schema["$ref"]
  if (typeof reference === "string") {
    return definitionOf(membersOf(definitions[reference.replace("#/definitions/", "")]), definitions)
  }
  const parts = [schema["anyOf"], schema["allOf"]].find(Array.isArray) ?? []
  const part = parts.filter(isMembers).find((one) => one["type"] !== "null")
  return part === undefined ? schema : definitionOf(part, definitions)
}

/** Puts the fields of a document in the order of its JSON Schema, at every depth. Unknown fields follow, by name. */
export const inSchemaOrder = (
  value: unknown,
  schema: Members,
  definitions = membersOf(schema["definitions"])
): unknown => {
  const { items, properties } = definitionOf(schema, definitions)
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
