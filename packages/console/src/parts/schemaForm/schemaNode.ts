import type { JsonSchema } from "../../data/openApi.ts"
import { labelOf } from "./labelOf.ts"

/** The schemas of a document by name, to which `$ref` refers. */
export type Schemas = Readonly<Record<string, JsonSchema>>

/** One value: a number, a choice or a text. */
export interface ValueNode {
  readonly kind: "value"
  readonly type: "integer" | "number" | "boolean" | "choice" | "text"
  readonly least: number | undefined
  readonly most: number | undefined
  readonly choices: ReadonlyArray<string> | undefined
  /** What the choices are called, where that is not what they are, such as ids. */
  readonly titles?: Readonly<Record<string, string>>
  /** What is so without it, as the schema says. */
  readonly absent: unknown
  readonly isSecret: boolean
  /** Whether it has lines, as a certificate in PEM. */
  readonly isLong: boolean
}

/** A field of an object. */
export interface Member {
  readonly name: string
  readonly label: string
  readonly description: string
  readonly isRequired: boolean
  readonly node: FormNode
}

/** One of the forms that a value may have. Its `constants` tell it from the others and are not typed. */
export interface Variant {
  readonly title: string
  readonly constants: Readonly<Record<string, unknown>>
  readonly node: ObjectNode
}

export interface ObjectNode {
  readonly kind: "object"
  readonly members: ReadonlyArray<Member>
}

export interface ListNode {
  readonly kind: "list"
  readonly item: FormNode
}

export interface UnionNode {
  readonly kind: "union"
  readonly variants: ReadonlyArray<Variant>
}

/** A value of which a form knows nothing: it is typed as JSON. */
export interface JsonNode {
  readonly kind: "json"
}

/** What a schema asks for, as a form shows it. */
export type FormNode = ValueNode | ObjectNode | ListNode | UnionNode | JsonNode

/** Whether a text with this name is one that nobody else may read. Ids of keys, users and certificates are none. */
export const isSecretName = (name: string): boolean =>
  /password|secret|token|private_?key|connection_?string|service_?account_?(?:key|file)/i.test(name)

const described = ({ description }: JsonSchema) => (description === undefined ? {} : { description })

/** A schema without references and wrappers around it, such as null as the other choice. What stands beside a reference goes before it. */
const resolve = (schema: JsonSchema, schemas: Schemas): JsonSchema => {
  if (schema.$ref !== undefined) {
    const named = schemas[schema.$ref.split("/").at(-1) ?? ""]
    return named === undefined ? {} : { ...resolve(named, schemas), ...described(schema) }
  }
  const choices = choicesOf(schema, schemas)
  const [only] = choices ?? []
  return only !== undefined && choices?.length === 1 ? { ...only, ...described(schema) } : schema
}

const isScalar = ({ enum: choices, type }: JsonSchema): boolean =>
  choices !== undefined || ["string", "integer", "number", "boolean"].includes(type ?? "")

/** What a value may be beside null. Of several scalars, such as known names or any text, it is the first that a form asks for. */
const choicesOf = (schema: JsonSchema, schemas: Schemas): ReadonlyArray<JsonSchema> | undefined => {
  const choices = (schema.anyOf ?? schema.oneOf)
    ?.map((one) => resolve(one, schemas))
    .filter(({ type }) => type !== "null")
  return choices?.every(isScalar) === true ? choices.slice(0, 1) : choices
}

const constantOf = (schema: JsonSchema): unknown =>
  schema.const ?? (schema.enum?.length === 1 ? schema.enum[0] : undefined)

const types: Readonly<Record<string, ValueNode["type"]>> = {
  integer: "integer",
  number: "number",
  boolean: "boolean",
  string: "text"
}

const valueOf = (schema: JsonSchema, name: string): ValueNode | undefined => {
  const choices = schema.enum?.map(String)
  const type = choices === undefined ? types[schema.type ?? ""] : "choice"
  if (type === undefined) return undefined
  const isLong = type === "text" && /\bPEM\b|\.proto\b|JSON key/.test(schema.description ?? "")
  // JavaScript's own bounds of an integer say nothing.
  const bound = (value: number | undefined) =>
    value === undefined || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? undefined : value
  return {
    kind: "value",
    type,
    least: bound(schema.minimum),
    most: bound(schema.maximum),
    choices,
    absent: schema.default,
    isSecret: type === "text" && isSecretName(name),
    isLong
  }
}

const variantOf = (schema: JsonSchema, schemas: Schemas, index: number): Variant => {
  const constants = Object.fromEntries(
    Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
      const value = constantOf(resolve(property, schemas))
      return value === undefined ? [] : [[name, value]]
    })
  )
  const { members } = objectOf(schema, schemas)
  const [first] = Object.values(constants)
  return {
    title: schema.title ?? (first === undefined ? `Variant ${index + 1}` : String(first)),
    constants,
    node: { kind: "object", members: members.filter(({ name }) => !(name in constants)) }
  }
}

const objectOf = (schema: JsonSchema, schemas: Schemas): ObjectNode => ({
  kind: "object",
  members: Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    label: labelOf(name),
    description: resolve(property, schemas).description ?? "",
    isRequired: schema.required?.includes(name) === true,
    node: nodeOf(property, schemas, name)
  }))
})

/** What a schema asks for. `name` is that of the field that has it: it tells secrets. */
export const nodeOf = (schema: JsonSchema, schemas: Schemas, name: string = ""): FormNode => {
  const resolved = resolve(schema, schemas)
  const value = valueOf(resolved, name)
  if (value !== undefined) return value
  const choices = choicesOf(resolved, schemas) ?? []
  if (choices.length > 1 && choices.every(({ properties }) => properties !== undefined))
    return { kind: "union", variants: choices.map((one, index) => variantOf(one, schemas, index)) }
  if (resolved.type === "array" && resolved.items !== undefined)
    return { kind: "list", item: nodeOf(resolved.items, schemas, name) }
  return resolved.properties === undefined ? { kind: "json" } : objectOf(resolved, schemas)
}

/** An object with one of its members changed. */
export const withMember = (node: ObjectNode, name: string, change: (member: Member) => Member): ObjectNode => ({
  kind: "object",
  members: node.members.map((member) => (member.name === name ? change(member) : member))
})

/** A choice of these texts. */
export const choiceOf = (choices: ReadonlyArray<string>, titles: Readonly<Record<string, string>> = {}): ValueNode => ({
  kind: "value",
  type: "choice",
  least: undefined,
  most: undefined,
  choices,
  titles,
  absent: undefined,
  isSecret: false,
  isLong: false
})
