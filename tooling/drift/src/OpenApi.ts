import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"

const bounds = {
  minimum: Schema.optionalKey(Schema.Finite),
  maximum: Schema.optionalKey(Schema.Finite),
  multipleOf: Schema.optionalKey(Schema.Finite),
  minLength: Schema.optionalKey(Schema.Finite),
  maxLength: Schema.optionalKey(Schema.Finite),
  pattern: Schema.optionalKey(Schema.String),
  minItems: Schema.optionalKey(Schema.Finite),
  maxItems: Schema.optionalKey(Schema.Finite),
  uniqueItems: Schema.optionalKey(Schema.Boolean)
}

/** The keywords that bound a value. */
export const boundNames = Struct.keys(bounds)

const keywords = {
  $ref: Schema.optionalKey(Schema.String),
  type: Schema.optionalKey(Schema.Union([Schema.String, Schema.Array(Schema.String)])),
  nullable: Schema.optionalKey(Schema.Boolean),
  enum: Schema.optionalKey(Schema.Array(Schema.Json)),
  const: Schema.optionalKey(Schema.Json),
  ...bounds,
  required: Schema.optionalKey(Schema.Array(Schema.String))
}

/** What is compared of a JSON Schema. Decoding drops everything else, as descriptions and examples. */
export interface JsonSchema extends Schema.Struct.Type<typeof keywords> {
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
  readonly additionalProperties?: boolean | JsonSchema
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
}

const nested = Schema.suspend((): Schema.Codec<JsonSchema> => JsonSchema)

const JsonSchema: Schema.Codec<JsonSchema> = Schema.Struct({
  ...keywords,
  properties: Schema.optionalKey(Schema.Record(Schema.String, nested)),
  items: Schema.optionalKey(nested),
  additionalProperties: Schema.optionalKey(Schema.Union([Schema.Boolean, nested])),
  oneOf: Schema.optionalKey(Schema.Array(nested)),
  anyOf: Schema.optionalKey(Schema.Array(nested)),
  allOf: Schema.optionalKey(Schema.Array(nested))
})

const Body = Schema.Struct({
  content: Schema.optionalKey(
    Schema.Struct({ "application/json": Schema.optionalKey(Schema.Struct({ schema: JsonSchema })) })
  )
})

const Operation = Schema.Struct({
  parameters: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        name: Schema.String,
        in: Schema.String,
        required: Schema.optionalKey(Schema.Boolean),
        schema: JsonSchema
      })
    )
  ),
  requestBody: Schema.optionalKey(Body),
  responses: Schema.Struct({ "200": Schema.optionalKey(Body) })
})
export interface Operation extends Schema.Schema.Type<typeof Operation> {}

const methods = ["get", "put", "post", "patch", "delete"] as const

const PathItem = Schema.Struct({
  get: Schema.optionalKey(Operation),
  put: Schema.optionalKey(Operation),
  post: Schema.optionalKey(Operation),
  patch: Schema.optionalKey(Operation),
  delete: Schema.optionalKey(Operation)
})

/** What is compared of an OpenAPI document. */
export const OpenApi = Schema.Struct({
  info: Schema.Struct({ title: Schema.String, version: Schema.String }),
  paths: Schema.Record(Schema.String, PathItem),
  components: Schema.Struct({ schemas: Schema.Record(Schema.String, JsonSchema) }),
  /** The other methods of these paths, such as `PATCH /v1/organizations/{organizationId}`. Nothing else is known of them. */
  "x-other-operations": Schema.optionalKey(Schema.Array(Schema.String)),
  /** The other paths of the API. Nothing else is known of them. */
  "x-other-paths": Schema.optionalKey(Schema.Array(Schema.String))
})
export interface OpenApi extends Schema.Schema.Type<typeof OpenApi> {}

export const decodeOpenApi = Schema.decodeUnknownSync(OpenApi)

/** Every operation of a document by its method and path. Names of path parameters are no part of the API. */
export const operationsOf = ({ paths }: OpenApi): ReadonlyMap<string, Operation> =>
  new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      methods.flatMap((method) => {
        const operation = item[method]
        return operation === undefined ? [] : [[`${method.toUpperCase()} ${unnamed(path)}`, operation] as const]
      })
    )
  )

/** A path without the names of its parameters. */
export const unnamed = (path: string): string => path.replaceAll(/\{\w+\}/gu, "{}")
