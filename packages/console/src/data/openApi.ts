import { send } from "./request.ts"

/** What the forms know of a JSON Schema. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly enum?: ReadonlyArray<unknown>
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: unknown
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly items?: JsonSchema
}

/** The document of the API: forms are made of the schemas in it, with the names and the bounds of this server. */
export interface OpenApi {
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
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
