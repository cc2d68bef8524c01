import * as Schema from "effect/Schema"
import type { ContractType } from "./ContractField.ts"

interface Node {
  readonly type?: string
  readonly format?: string
  readonly properties?: Readonly<Record<string, Node>>
  readonly items?: Node
  readonly allOf?: ReadonlyArray<Node>
  readonly anyOf?: ReadonlyArray<Node>
  readonly $ref?: string
}

const Node: Schema.Codec<Node> = Schema.Struct({
  type: Schema.optionalKey(Schema.String),
  format: Schema.optionalKey(Schema.String),
  properties: Schema.optionalKey(
    Schema.Record(
      Schema.String,
      Schema.suspend(() => Node)
    )
  ),
  items: Schema.optionalKey(Schema.suspend(() => Node)),
  allOf: Schema.optionalKey(Schema.Array(Schema.suspend(() => Node))),
  anyOf: Schema.optionalKey(Schema.Array(Schema.suspend(() => Node))),
  $ref: Schema.optionalKey(Schema.String)
})

const formats: Readonly<Record<string, ContractType>> = { uuid: "uuid", "date-time": "date-time" }
const scalars: Readonly<Record<string, ContractType>> = {
  string: "string",
  integer: "integer",
  number: "number",
  boolean: "boolean"
}

/**
 * The fields that a schema names, by path and as the contract writes types: read off its JSON Schema, which is what
 * the schema tells the world of itself. A field that is misspelt, missing or of another type shows here.
 */
export const namedFields = (schema: Schema.Constraint): Record<string, ContractType> => {
  const document = Schema.toJsonSchemaDocument(schema)
  const decode = Schema.decodeUnknownSync(Node)

  const resolve = (node: Node): Node => {
    const definition = node.$ref === undefined ? undefined : document.definitions[node.$ref.replace("#/$defs/", "")]
    if (definition !== undefined) return resolve(decode(definition))
    // A description beside a `$ref` is in an `allOf` with it.
    const alternative =
      node.anyOf?.find(({ type }) => type !== "null") ?? node.allOf?.find(({ $ref }) => $ref !== undefined)
    return alternative === undefined ? node : resolve(alternative)
  }

  const listOf = ({ type }: Node): ContractType =>
    type === undefined ? "list" : type === "object" ? "objects" : "strings"

  const typeOf = (node: Node): ContractType => {
    if (Object.keys(node).length === 0) return "anything"
    const type =
      node.type === "object"
        ? "object"
        : node.type === "array"
          ? listOf(resolve(node.items ?? {}))
          : (formats[node.format ?? ""] ?? scalars[node.type ?? ""])
    if (type === undefined) throw new Error(`No type of the contract: ${JSON.stringify(node)}`)
    return type
  }

  const walk = (node: Node, at: string): ReadonlyArray<readonly [string, ContractType]> =>
    Object.entries(node.properties ?? {}).flatMap(([name, field]) => {
      const path = at === "" ? name : `${at}.${name}`
      const value = resolve(field)
      const inner = value.items === undefined ? walk(value, path) : walk(resolve(value.items), `${path}[0]`)
      return [[path, typeOf(value)], ...inner]
    })

  return Object.fromEntries(walk(resolve(decode(document.schema)), ""))
}
