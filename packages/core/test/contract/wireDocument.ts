import * as JsonPatch from "effect/JsonPatch"
import * as Record from "effect/Record"
import type * as Schema from "effect/Schema"

/** `tiles[2].w` as the JSON Pointer `/tiles/2/w`. */
const pointer = (path: string): string => `/${path.replaceAll("[", ".").replaceAll("]", "").replaceAll(".", "/")}`

const isArray = (json: Schema.Json): json is Schema.JsonArray => Array.isArray(json)

/** The document with another value at a path. */
export const replaceAt = (document: Schema.Json, path: string, value: Schema.Json): Schema.Json =>
  JsonPatch.apply([{ op: "replace", path: pointer(path), value }], document)

/** The document without the field at a path. */
export const removeAt = (document: Schema.Json, path: string): Schema.Json =>
  JsonPatch.apply([{ op: "remove", path: pointer(path) }], document)

/** The document with fields that no contract names in every object, at every depth. */
export const withUnknownFields = (document: Schema.Json): Schema.Json => {
  if (document === null || typeof document !== "object") return document
  if (isArray(document)) return document.map(withUnknownFields)
  return {
    ...Record.map(document, withUnknownFields),
    newInTheService: { nested: [1, null, { deep: "kept" }] },
    "x-null": null
  }
}

/** The paths of everything that a document holds, elements of arrays left out: what `ContractFields` is keyed by. */
export const fieldPaths = (document: Schema.Json, at = ""): ReadonlyArray<string> => {
  if (document === null || typeof document !== "object") return []
  if (isArray(document)) return document.slice(0, 1).flatMap((element) => fieldPaths(element, `${at}[0]`))
  return Object.entries(document).flatMap(([name, value]) => {
    const path = at === "" ? name : `${at}.${name}`
    return [path, ...fieldPaths(value, path)]
  })
}
