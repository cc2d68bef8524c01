import { send } from "./request.ts"

/** What the forms know of a JSON Schema. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly title?: string
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly enum?: ReadonlyArray<unknown>
  readonly const?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: unknown
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly items?: JsonSchema
}

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> }
}

/** The document of the API: forms are made of the schemas in it, with the names and the bounds of this server. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

const shapeOf = (path: string): string => path.replace(/:\w+|\{\w+\}/g, "{}")

/**
 * The schema of the body of an operation; `undefined` if the document has none. It is found by the method and the path, whatever
 * their parameters are called: the name of a schema is not the same in both dialects.
 */
export const bodyOf = ({ components, paths }: OpenApi, method: string, path: string): JsonSchema | undefined => {
  const found = Object.keys(paths).find((name) => shapeOf(name) === shapeOf(path))
  const operation = found === undefined ? undefined : paths[found]?.[method.toLowerCase()]
  const schema = operation?.requestBody?.content["application/json"]?.schema
  const name = schema?.$ref?.split("/").at(-1)
  return name === undefined ? schema : components.schemas[name]
}

let document: Promise<OpenApi> | undefined

/** The document of the API, read when a form first wants it. */
export const openApi = (): Promise<OpenApi> => {
  document ??= send({ method: "GET", path: "/openapi.json", envelope: "none" }).then(({ value }) => value as OpenApi)
  document.catch(() => {
    document = undefined
  })
  return document
}
