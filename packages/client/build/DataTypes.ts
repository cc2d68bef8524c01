import {
  type Alternatives,
  alternativesOf,
  chartSchemas,
  configSchemas,
  type Needs,
  needsOf,
  passedOnType
} from "@headgate/core/adapter"
import * as Predicate from "effect/Predicate"
import type * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"

import type { Defaults } from "../src/Defaults.ts"

/** `output`: what a call resolves to. `input`: what a caller passes, where a time may also be a `Date`. */
export type Direction = "output" | "input"

/** What a type of the package is made from. */
export interface DataType {
  readonly schema: Schema.Constraint
  readonly direction: Direction
  /** What says which fields go together, where it is not the schema: the payload of a request that has an address too. */
  readonly payload?: SchemaAST.AST
  /** Whether the organization and the service may be those of the client. */
  readonly hasDefaults?: boolean
}

const defaults: ReadonlySet<PropertyKey> = new Set(["organizationId", "serviceId"] satisfies ReadonlyArray<
  keyof Defaults
>)

/** What is written of an object: the fields of an interface, or a union. */
interface Body {
  readonly body: string
  readonly keyword: "interface" | "type"
}

/** A type that gets a name. */
interface Named extends Body {
  readonly ast: SchemaAST.AST
  readonly encoded?: SchemaAST.AST
}

/** A field as it is written. */
interface Field {
  readonly name: PropertyKey
  readonly doc: string
  readonly key: string
  readonly isOptional: boolean
  readonly value: string
}

const passedOn = new Map<string, Schema.Constraint>(Object.entries({ ...configSchemas, ...chartSchemas }))

/** The type of values that are no plain data, by the id of their schema, and direction. */
const constructors: { readonly [Name in string]?: { readonly [D in Direction]: string } } = {
  "effect/schema/DateTimeUtc": { output: "string", input: "Date | string" },
  "effect/schema/Redacted": { output: "Secret", input: "Secret" }
}

const textOf = (value: unknown): string | undefined => (Predicate.isString(value) ? value : undefined)

const valuesOf = (ast: SchemaAST.AST, name: string): ReadonlyArray<unknown> =>
  [...(ast.checks?.map((check) => check.annotations) ?? []).toReversed(), ast.annotations].map(
    (annotations) => annotations?.[name]
  )

/** An annotation of a schema: of its last check that has it, or of the node itself. */
export const annotation = (ast: SchemaAST.AST, name: "description" | "identifier"): string | undefined =>
  valuesOf(ast, name)
    .map(textOf)
    .find((text) => text !== undefined)

const isNeeds = (value: unknown): value is Needs => Predicate.hasProperty(value, "needs")
const isAlternatives = (value: unknown): value is Alternatives => Predicate.hasProperty(value, "fields")

/** The description of a field: that of its key, or that of its schema. */
const fieldDescription = (ast: SchemaAST.AST): string | undefined =>
  textOf(ast.context?.annotations?.["description"]) ?? annotation(ast, "description")

const docOf = (text: string, indent = ""): string => `${indent}/** ${text.replaceAll("*/", "* /")} */\n`

const required = (field: Field): Field => ({ ...field, isOptional: false, value: present(field.value) })

/** A field that may be that of the client. */
const orDefault = ({ doc, value, ...field }: Field): Field => ({
  ...field,
  isOptional: true,
  doc: doc.replace(/ \*\/\n$/, " Absent: that of the client. */\n"),
  value: `${value} | undefined`
})

/** A type without `null` and `undefined`. */
const present = (value: string): string => value.replaceAll(/ \| (?:null|undefined)(?= \||$)/g, "")

const propertyName = (name: PropertyKey): string => {
  if (typeof name !== "string") throw new Error(`a field of an interface is a string, not ${String(name)}`)
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? name : JSON.stringify(name)
}

/** Requests with one of the fields, which is there, and without the others. */
const withOneOf = (fields: ReadonlyArray<Field>, { fields: names, isRequired }: Alternatives) =>
  [...names, ...(isRequired ? [] : [undefined])].map((only) =>
    fields.map((field) =>
      field.name === only
        ? required(field)
        : names.includes(String(field.name))
          ? { ...field, value: "null | undefined" }
          : field
    )
  )

/** Requests with each known value of a field, and what it needs; a value that nobody lists needs nothing. */
const withNeeds = (fields: ReadonlyArray<Field>, { field: kind, needs }: Needs) =>
  [
    ...Object.entries(needs).map(([value, names]) => [JSON.stringify(value), names] as const),
    ["Unlisted", []] as const
  ].map(([value, names]: readonly [string, ReadonlyArray<string>]) =>
    fields.map((field) =>
      field.name === kind ? { ...field, value } : names.includes(String(field.name)) ? required(field) : field
    )
  )

/** The requests of which a schema is the union; `undefined` if it is one. */
const requestsOf = (fields: ReadonlyArray<Field>, ast: SchemaAST.AST) => {
  const alternatives = valuesOf(ast, alternativesOf).find(isAlternatives)
  const needs = valuesOf(ast, needsOf).find(isNeeds)
  return alternatives ? withOneOf(fields, alternatives) : needs && withNeeds(fields, needs)
}

/**
 * Writes TypeScript for schemas: an interface for each object with an identifier, and the description of each field as its
 * doc comment. What a schema does not name is absent, so that a misspelt name does not compile.
 */
export class DataTypes {
  /** The fields without a description, as `Pipe.id`. */
  readonly undescribed = new Set<string>()
  readonly #named: ReadonlyMap<string, DataType>
  // The interfaces that the named types need, by name.
  readonly #interfaces = new Map<string, { readonly doc: string } & Pick<Named, "body" | "keyword">>()

  /** `named` are the types that have a name of their own in the package. */
  constructor(named: Readonly<Record<string, DataType>>) {
    this.#named = new Map(Object.entries(named))
  }

  /** The declaration of a type. The doc comment of a named type is `doc`. `undefined` if there is no such type. */
  declare(name: string, doc = ""): string | undefined {
    const found = this.#bodyOf(name)
    if (found === undefined) return undefined
    const head = this.#named.has(name) ? doc : (this.#interfaces.get(name)?.doc ?? "")
    return `${head}${found.keyword} ${name} ${found.keyword === "type" ? "= " : ""}${found.body}`
  }

  #bodyOf(name: string): Body | undefined {
    const named = this.#named.get(name)
    if (named === undefined) return this.#interfaces.get(name)
    const { direction, schema } = named
    const type = SchemaAST.toType(schema.ast)
    const encoded = SchemaAST.toEncoded(schema.ast)
    return SchemaAST.isObjects(type)
      ? this.#members(name, type, encoded, direction, named)
      : { keyword: "type", body: this.#type(name, type, encoded, direction) }
  }

  // The encoded side has descriptions that the decoded one lacks.
  #fields(owner: string, type: SchemaAST.Objects, encoded: SchemaAST.AST, direction: Direction): ReadonlyArray<Field> {
    const encodedFields = new Map(
      SchemaAST.isObjects(encoded) ? encoded.propertySignatures.map((field) => [field.name, field.type]) : []
    )
    return type.propertySignatures.map(({ name, type }) => {
      const key = propertyName(name)
      const path = `${owner}.${key}`
      const sent = encodedFields.get(name) ?? type
      const description = fieldDescription(type) ?? fieldDescription(sent)
      if (description === undefined) this.undescribed.add(path)
      const isOptional = type.context?.isOptional === true
      const value = this.#type(path, type, sent, direction)
      const absent = isOptional && direction === "input" && value !== "unknown" ? " | undefined" : ""
      return { name, key, isOptional, doc: docOf(description ?? "", "  "), value: value + absent }
    })
  }

  #members(
    owner: string,
    type: SchemaAST.Objects,
    encoded: SchemaAST.AST,
    direction: Direction,
    { hasDefaults = false, payload = type }: Pick<DataType, "hasDefaults" | "payload"> = {}
  ): Body {
    const fields = this.#fields(owner, type, encoded, direction).map((field) =>
      hasDefaults && defaults.has(field.name) ? orDefault(field) : field
    )
    const written = (fields: ReadonlyArray<Field>) =>
      fields.length === 0
        ? "{}"
        : `{\n${fields.map(({ doc, isOptional, key, value }) => `${doc}  readonly ${key}${isOptional ? "?" : ""}: ${value}\n`).join("")}}`
    const requests = direction === "input" ? requestsOf(fields, payload) : undefined
    return requests === undefined
      ? { keyword: "interface", body: written(fields) }
      : { keyword: "type", body: requests.map(written).join(" | ") }
  }

  #type(path: string, type: SchemaAST.AST, encoded: SchemaAST.AST, direction: Direction): string {
    const nested = (type: SchemaAST.AST, encoded: SchemaAST.AST) => this.#type(path, type, encoded, direction)
    switch (type._tag) {
      case "String":
        return "string"
      case "Number":
        return "number"
      case "Boolean":
        return "boolean"
      case "Null":
        return "null"
      case "Undefined":
        return "undefined"
      case "Unknown":
        return this.#passedOn(path, type, direction)
      case "Literal":
        return JSON.stringify(type.literal)
      case "Declaration":
        return this.#declaration(path, type, direction)
      case "Union":
        return this.#union(path, type, encoded, direction)
      case "Arrays": {
        if (type.rest.length === 0) return `readonly [${type.elements.map((one) => nested(one, one)).join(", ")}]`
        const [item, ...others] = type.rest
        if (item === undefined || others.length > 0 || type.elements.length > 0) break
        const sent = SchemaAST.isArrays(encoded) ? (encoded.rest[0] ?? item) : item
        return `ReadonlyArray<${nested(item, sent)}>`
      }
      case "Objects":
        return this.#object(path, type, encoded, direction)
      default:
    }
    throw new Error(`${path}: no type is known for a schema of ${type._tag}`)
  }

  /** A value that a client passes on: its schema is one of those of the documents. */
  #passedOn(path: string, type: SchemaAST.Unknown, direction: Direction): string {
    const name = textOf(type.annotations?.[passedOnType])
    if (name === undefined) return "unknown"
    const schema = passedOn.get(name)
    if (schema === undefined) throw new Error(`${path}: no schema is known by the name ${name}`)
    const { ast } = schema
    const value = this.#type(name, ast, ast, direction)
    return SchemaAST.isUnion(ast) ? this.#name(path, name, { ast, body: value, keyword: "type" }, direction) : value
  }

  #declaration(path: string, type: SchemaAST.Declaration, direction: Direction): string {
    const representation: unknown = type.annotations?.["representation"]
    const name = Predicate.hasProperty(representation, "id") ? textOf(representation.id) : undefined
    const known = name === undefined ? undefined : constructors[name]
    if (known === undefined) throw new Error(`${path}: no type is known for a value of ${name}`)
    if (name !== "effect/schema/Redacted" || direction === "output") return known[direction]
    const [hidden] = type.typeParameters
    if (hidden === undefined) throw new Error(`${path}: a secret of nothing`)
    const value = this.#type(path, hidden, hidden, direction)
    return value === "string" ? `${known.input} | string` : value
  }

  /** The members of a union, with those of the unions in it. */
  #membersOf(path: string, type: SchemaAST.AST, encoded: SchemaAST.AST, direction: Direction): ReadonlyArray<string> {
    if (!SchemaAST.isUnion(type)) return [this.#type(path, type, encoded, direction)]
    const sent = SchemaAST.isUnion(encoded) && encoded.types.length === type.types.length ? encoded.types : type.types
    return type.types.flatMap((member, index) => this.#membersOf(path, member, sent[index] ?? member, direction))
  }

  #union(path: string, type: SchemaAST.Union, encoded: SchemaAST.AST, direction: Direction): string {
    const members = new Set(this.#membersOf(path, type, encoded, direction))
    const known = [...members].filter((member) => member.startsWith('"'))
    const isOpen = known.length > 0 && members.has("string")
    if (isOpen) members.delete("string")
    // One known value alone tells the members of a union apart.
    if (isOpen || (known.length > 1 && direction === "input")) members.add("Unlisted")
    const last = ["null", "undefined"].filter((member) => members.delete(member))
    return [...members, ...last].join(" | ")
  }

  #object(path: string, type: SchemaAST.Objects, encoded: SchemaAST.AST, direction: Direction): string {
    const identifier = annotation(type, "identifier") ?? annotation(encoded, "identifier")
    if (type.propertySignatures.length === 0) {
      const [signature] = type.indexSignatures
      if (signature === undefined || identifier !== undefined) return "{}"
      const value = this.#type(path, signature.type, signature.type, direction)
      return value === "unknown" ? "{}" : `{ readonly [name: string]: ${value} }`
    }
    if (identifier === undefined) {
      return this.#members(path, type, encoded, direction).body.replaceAll("\n", "\n  ")
    }
    const written = this.#members(identifier, type, encoded, direction)
    return this.#name(path, identifier, { ast: type, encoded, ...written }, direction)
  }

  /** The name of a type of the package, which is declared at its first use. */
  #name(path: string, identifier: string, { ast, body, encoded = ast, keyword }: Named, direction: Direction): string {
    // The same schema may differ as input, where a time may be a `Date`.
    for (const name of [identifier, `${identifier}${direction === "input" ? "Input" : "Output"}`]) {
      const known = this.#bodyOf(name)?.body
      if (known === body) return name
      if (known !== undefined) continue
      const description = annotation(ast, "description") ?? annotation(encoded, "description")
      this.#interfaces.set(name, { doc: description === undefined ? "" : docOf(description), body, keyword })
      return name
    }
    throw new Error(`${path}: several types have the identifier ${identifier}`)
  }
}
