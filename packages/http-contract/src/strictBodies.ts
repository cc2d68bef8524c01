import { strictIdentifiers } from "@headgate/core/adapter"
import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import * as SchemaAST from "effect/SchemaAST"
import * as Struct from "effect/Struct"
import type { Dialect } from "./Dialect.ts"
import type { AnyOperation } from "./Operation.ts"
import { operations } from "./operations.ts"

type Json = { readonly [name: string]: unknown }
type Schemas = { readonly [name: string]: Json }

const prefix = "#/components/schemas/"

/** The names of the schemas to which a part of a document refers, at every depth. */
const referred = (schemas: Schemas, part: unknown): ReadonlySet<string> => {
  const found = new Set<string>()
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit)
    if (!Predicate.isObject(value)) return
    const { $ref: reference } = value
    const name = Predicate.isString(reference) ? reference.slice(prefix.length) : undefined
    if (name !== undefined && !found.has(name)) {
      found.add(name)
      visit(schemas[name])
    }
    Object.values(value).forEach(visit)
  }
  visit(part)
  return found
}

/** A schema that refers to others by their new names. */
const renameIn = (value: unknown, nameOf: (name: string) => string): unknown => {
  if (Array.isArray(value)) return value.map((part) => renameIn(part, nameOf))
  if (!Predicate.isObject(value)) return value
  return Record.map(value, (part, keyword) =>
    keyword === "$ref" && Predicate.isString(part) ? prefix + nameOf(part.slice(prefix.length)) : renameIn(part, nameOf)
  )
}

/** A schema of an object that has no other fields. */
const closed = (schema: Json): Json => ({ ...Struct.omit(schema, ["propertyNames"]), additionalProperties: false })

/** A schema whose objects have no other fields, and neither have those in it. */
const closedIn = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(closedIn)
  if (!Predicate.isObject(value)) return value
  const schema = Record.map(value, closedIn)
  return Predicate.isObject(schema["properties"]) ? closed(schema) : schema
}

const sourceOf = (schema: Json | undefined): unknown =>
  Predicate.isObject(schema?.["properties"]) ? schema["properties"]["source"] : undefined

const withSource = (schema: Json, source: unknown): Json => ({
  ...schema,
  properties: { ...(Predicate.isObject(schema["properties"]) ? schema["properties"] : {}), source }
})

/**
 * Says of the sources in requests for pipes that they have no other fields, at every depth. A schema that answers have too
 * stays open, as all answers are, and requests get one of their own.
 */
const withStrictSources = (dialect: Dialect, paths: unknown, schemas: Schemas): Schemas => {
  const rows = Object.values<AnyOperation>(operations(dialect).pipe)
  const requests = rows.flatMap(({ payload }) => {
    const name = SchemaAST.resolveIdentifier(payload.ast)
    return name !== undefined && sourceOf(schemas[name]) !== undefined ? [name] : []
  })
  const isRequest = new Set(requests)
  const strict = referred(
    schemas,
    requests.map((name) => sourceOf(schemas[name]))
  )
  const open = referred(
    Record.map(schemas, (schema, name) => (isRequest.has(name) ? withSource(schema, {}) : schema)),
    paths
  )
  const nameOf = (name: string) => (strict.has(name) && open.has(name) ? `${name}Request` : name)
  return Record.fromEntries(
    Record.toEntries(schemas).flatMap(([name, schema]): ReadonlyArray<readonly [string, Json]> => {
      if (isRequest.has(name)) return [[name, withSource(schema, renameIn(sourceOf(schema), nameOf))]]
      if (!strict.has(name)) return [[name, schema]]
      const request = closedIn(renameIn(schema, nameOf))
      return [
        ...(open.has(name) ? [[name, schema] as const] : []),
        ...(Predicate.isObject(request) ? [[nameOf(name), request] as const] : [])
      ]
    })
  )
}

/** Says of the bodies whose unknown fields are a 400 that they have no others. */
export const withStrictBodies = (dialect: Dialect, document: Record<string, any>): Record<string, any> => {
  const { components, paths } = document
  const rows = Object.values(operations(dialect)).flatMap((table) => Object.values<AnyOperation>(table))
  const strict = new Set(rows.flatMap(({ payload }) => strictIdentifiers(payload.ast)))
  const schemas = Record.map(withStrictSources(dialect, paths, components.schemas), (schema, name) =>
    strict.has(name) ? closed(schema) : schema
  )
  return { ...document, components: { ...components, schemas } }
}
