import { assert, describe, expect, it } from "@effect/vitest"
import * as core from "@headgate/core"
import { Validator } from "@seriousme/openapi-schema-validator"
import formats from "ajv-formats"
import { Ajv2020 } from "ajv/dist/2020.js"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import {
  type AnyOperation,
  type DialectName,
  dialectNames,
  dialects,
  errorCodesOf,
  errorStatuses,
  type Example,
  examples,
  noPayload,
  openApi,
  operations
} from "../src/index.ts"
import {
  apiKeyCreateDocument,
  configDashboardCreateDocument,
  configDashboardDocument,
  createdApiKeyDocument,
  dashboardCreateDocument,
  dashboardDocument,
  pipeDocuments,
  requestId
} from "./documents.ts"

const byName = dialectNames.map((name) => ({ name }))

/** A document as a client receives it: JSON. */
const fetched = (name: DialectName) => JSON.parse(JSON.stringify(openApi(dialects[name])))

const organization = "/v1/organizations/{organizationId}"
const pipePaths: Readonly<Record<DialectName, string>> = {
  neutral: `${organization}/services/{serviceId}/dbpipes/{dbPipeId}`,
  clickhouse: `${organization}/services/{serviceId}/clickpipes/{clickPipeId}`
}

const rowsOf = (name: DialectName) =>
  Object.values(operations(dialects[name])).flatMap((table) => Object.values<AnyOperation>(table))

/** Each row with its example. */
const exampleRowsOf = (name: DialectName) => {
  const given = examples(dialects[name])
  return Struct.keys(given).flatMap((noun) => {
    const exampleOf = new Map(Object.entries<Example>(given[noun]))
    const rows = Object.entries<AnyOperation>(operations(dialects[name])[noun])
    return rows.map(([operation, { payload, success, summary }]) => ({
      summary,
      payload,
      success,
      example: exampleOf.get(operation)
    }))
  })
}

/** A key as a JSON pointer in a URL has it. */
const escaped = (key: string) => key.replaceAll("/", "~1").replaceAll("{", "%7B").replaceAll("}", "%7D")

const dashboards: Readonly<Record<DialectName, { readonly create: object; readonly stored: object }>> = {
  neutral: { create: dashboardCreateDocument, stored: dashboardDocument },
  clickhouse: { create: configDashboardCreateDocument, stored: configDashboardDocument }
}

/** A validator that knows nothing of Effect, for the schemas at a place of a document. */
const ajvOf = (document: object) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } })
  formats.default(ajv)
  ajv.addSchema(document, "document")
  return {
    accepts: (pointer: string, value: unknown) => {
      const validate = ajv.compile({ $ref: `document#${pointer}` })
      return { valid: validate(value), errors: (validate.errors ?? []).map(({ instancePath }) => instancePath) }
    }
  }
}

/** Every object in a document outside its examples, with its place. */
const schemaObjects = (value: unknown, place = ""): ReadonlyArray<{ place: string; schema: any }> =>
  Predicate.isObjectKeyword(value)
    ? [
        { place, schema: value },
        ...Object.entries(value).flatMap(([key, part]) =>
          key === "example" ? [] : schemaObjects(part, `${place}/${key}`)
        )
      ]
    : []

/** Every object in a document that is the schema of a JSON object, with its place. */
const objectSchemas = (value: unknown, place = ""): ReadonlyArray<{ place: string; schema: any }> =>
  Predicate.isObjectKeyword(value)
    ? [
        ...(Predicate.hasProperty(value, "properties") ? [{ place, schema: value }] : []),
        ...Object.entries(value).flatMap(([key, part]) => objectSchemas(part, `${place}/${key}`))
      ]
    : []

/** Keywords of a schema and of what it consists of: a keyword beside a `$ref` or a `null` is in a part. */
const keywords = (schema: any, keyword: string): ReadonlyArray<unknown> => [
  ...(keyword in schema ? [schema[keyword]] : []),
  ...(schema.anyOf ?? []).flatMap((part: any) => keywords(part, keyword))
]

/** The requests for pipes, which have a source whose unknown fields are a 400. */
const requestSources = ["PipeCreate", "PipeUpdate", "SchemaDiscovery"]
const sourceIn = (document: any, request: string) => document.components.schemas[request].properties.source

/** The names of all schemas to which a part of a document refers. */
const referred = (document: any, part: unknown, seen: ReadonlyArray<string> = []): ReadonlyArray<string> =>
  Array.from(JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g), ([, name = ""]) => name).reduce(
    (found, name) =>
      found.includes(name) ? found : referred(document, document.components.schemas[name], [...found, name]),
    seen
  )

const isSentence = (text: unknown): boolean => Predicate.isString(text) && /^[A-Z].*\.$/su.test(text)

/** The path parameters that may be any text. */
const anyText = ["dashboardId", "connectionId", "sourceId", "savedSearchId", "webhookId", "alertId", "dashboardRoleId"]

/** IDs that are not UUIDs: any string in the contract, the name of a column, the user name of HTTP Basic. */
const otherIds = [
  "TableEngine.versionColumnId",
  "Dashboard.id",
  "Connection.id",
  "DashboardSource.id",
  "SavedSearch.id",
  "ChosenFilter.filterId",
  "StoredTile.dashboardId",
  "StoredTile.tileId",
  "SavedSearch.sourceId",
  "SavedSearchCreate.sourceId",
  "Webhook.id",
  "DashboardRole.id",
  "Alert.id",
  "Alert.savedSearchId",
  "Alert.dashboardId",
  "Alert.tileId",
  "Alert.teamId",
  "AlertChannel.webhookId",
  "AlertChannel.slackChannelId",
  "AlertChannelCreate.webhookId",
  "AlertChannelCreate.slackChannelId",
  "SavedSearch.teamId",
  "AlertCreate.savedSearchId",
  "AlertCreate.dashboardId",
  "AlertCreate.tileId",
  "Tile.id",
  "Tile.containerId",
  "Tile.tabId",
  "TileCreate.containerId",
  "TileCreate.tabId",
  "TileCreate.id",
  "TileUpdate.containerId",
  "TileUpdate.tabId",
  ...["QueryExpressionFilter", "StaticListFilter", "PrometheusLabelFilter", "SourceFilter"].map((kind) => `${kind}.id`),
  "DashboardContainer.id",
  "DashboardTab.id",
  "Series.sourceId",
  "SeriesCreate.sourceId",
  "TileUpdate.id",
  "CreatedApiKey.keyId",
  "ReversePrivateEndpoint.vpcResourceConfigurationId",
  "ReversePrivateEndpoint.endpointId",
  "ReversePrivateEndpointCreate.vpcResourceConfigurationId",
  "DnsTarget.id",
  "PrivateDnsMapping.targetId",
  "PrivateDnsMappingCreate.targetId",
  "AssignedRole.roleId",
  "Role.tenantId",
  "Role.ownerId",
  "RolePolicy.tenantId",
  "PubSubSource.projectId",
  "BigQuerySource.projectId",
  "BigQuerySourceCreate.projectId",
  "BigQuerySourceUpdate.projectId",
  "MySqlSource.serverId",
  "AccessKey.accessKeyId",
  "BrokerCredentials.accessKeyId",
  "MySqlSourceCreate.serverId",
  "MySqlSourceUpdate.serverId",
  "PubSubSourceCreate.projectId"
]

describe.each(byName)("the OpenAPI document of the $name dialect", ({ name }) => {
  const document = fetched(name)
  const ajv = ajvOf(document)
  const schemas = objectSchemas(document)
  const properties = schemas.flatMap(({ place, schema }) =>
    Object.entries<any>(schema.properties).map(([property, schema]) => ({
      place: `${place.replace(/^.*\//, "")}.${property}`,
      property,
      schema
    }))
  )

  it.effect("is valid OpenAPI 3.1", () =>
    Effect.gen(function* () {
      const validator = new Validator()
      const { errors, valid } = yield* Effect.promise(() => validator.validate(fetched(name)))
      assert.isTrue(valid, JSON.stringify(errors, undefined, 2))
      assert.strictEqual(validator.version, "3.1")
    })
  )

  // A change of the wire is a change of this file: read it before `vitest --update` writes it anew.
  it("is the one that is committed", async () => {
    await expect(`${JSON.stringify(document, undefined, 2)}\n`).toMatchFileSnapshot(`openapi/${name}.json`)
  })

  it("has the operations of the contract under their paths", () => {
    const documented = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`)
    )
    assert.sameMembers(
      documented,
      rowsOf(name).map(({ method, path }) => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, "{$1}")}`)
    )
  })

  it("declares each path parameter, required and a UUID unless it is one of the observability API, by the dialect's name", () => {
    for (const [path, methods] of Object.entries<Record<string, { parameters: Array<Record<string, unknown>> }>>(
      document.paths
    )) {
      const inPath = Array.from(path.matchAll(/\{(\w+)\}/g), ([, parameter]) => parameter)
      for (const { parameters: declared } of Object.values(methods)) {
        const parameters = declared.filter((parameter) => parameter["in"] === "path")
        assert.deepStrictEqual(
          parameters.map(({ name }) => name),
          inPath
        )
        for (const parameter of parameters) {
          assert.deepInclude(parameter, { in: "path", required: true })
          const isUuid = JSON.stringify(parameter["schema"]).includes('"format":"uuid"')
          assert.strictEqual(isUuid, !anyText.includes(String(parameter["name"])))
        }
      }
    }
    assert.notInclude(JSON.stringify(document.paths), '"pipeId"')
    assert.notInclude(JSON.stringify(document.paths), "{pipeId}")
  })

  it("declares If-Match of what changes a pipe, and the ETag of one pipe", () => {
    const withIfMatch = rowsOf(name).flatMap(({ method, path }) => {
      const spec = document.paths[path.replaceAll(/:(\w+)/g, "{$1}")][method.toLowerCase()]
      const declares = spec.parameters.some((parameter: any) => parameter.name === "If-Match")
      return declares || spec.responses[200].headers !== undefined ? [spec.operationId] : []
    })
    assert.includeMembers(withIfMatch, ["pipe.get", "pipe.delete"])
    assert.notIncludeMembers(withIfMatch, ["pipe.list", "key.create", "dashboard.list"])
  })

  it("describes every schema, every property and every parameter in sentences", () => {
    assert.isAbove(properties.length, 150)
    const operations = Object.values<object>(document.paths).flatMap((methods) => Object.values<any>(methods))
    const parameters = operations.flatMap(({ operationId, parameters }) =>
      parameters.map((parameter: any) => ({ place: `${operationId} ${parameter.name}`, schema: parameter.schema }))
    )
    // A reference without a description of its own has that of what it refers to.
    const referred = (schema: any) => document.components.schemas[schema.$ref?.split("/").at(-1)]
    const undescribed = [...schemas, ...properties, ...parameters].flatMap(({ place, schema }) =>
      isSentence(schema.description ?? referred(schema)?.description) ? [] : [place]
    )
    assert.deepStrictEqual(undescribed, [])
  })

  it("says in one schema what it says of one value, so that generators of clients make one type of it", () => {
    const odd = schemaObjects(document).flatMap(({ place, schema }) =>
      "allOf" in schema ||
      (schema.type === "array" && schema.items === undefined && schema.prefixItems === undefined) ||
      (schema.type === "number" && schema.enum !== undefined)
        ? [place]
        : []
    )
    assert.deepStrictEqual(odd, [])
    const { responses } = document.paths[pipePaths[name]].get
    assert.deepStrictEqual(responses[200].content["application/json"].schema.properties.result, {
      $ref: "#/components/schemas/Pipe",
      description: "The result of the operation."
    })
    assert.deepStrictEqual(document.components.schemas.RoleUpdate.properties.name, {
      type: "string",
      minLength: 1,
      maxLength: 255,
      pattern: "\\S",
      description: "The name of the role: 1 to 255 characters, not only blanks."
    })
    const { level } = document.components.schemas.ChartSeriesItem.properties
    assert.deepStrictEqual(
      level.anyOf,
      [0.5, 0.9, 0.95, 0.99].map((value) => ({ type: "number", const: value }))
    )
  })

  it("has the format of every time and of every ID that is a UUID", () => {
    // The ids of dashboards of the dialect clickhouse have a pattern.
    const isId = ({ place, property, schema }: (typeof properties)[number]) =>
      /^id$|Id$/.test(property) &&
      !["$ref", "pattern"].some((keyword) => keywords(schema, keyword).length > 0) &&
      !otherIds.includes(place)
    const formatless = properties.flatMap((one) => {
      const format = isId(one) ? "uuid" : one.property.endsWith("At") ? "date-time" : undefined
      return format === undefined || keywords(one.schema, "format").includes(format) ? [] : [one.place]
    })
    assert.deepStrictEqual(formatless, [])
  })

  it("declares If-None-Match, a weak ETag and 304 of the statuses of a service, and of nothing else", () => {
    const conditional = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
      Object.entries<any>(methods).flatMap(([method, { parameters = [], responses }]) => {
        const takesTag = parameters.some(({ name }: any) => name === "If-None-Match")
        const tags = [responses[200], responses[304]].map((response) => response?.headers?.ETag?.example?.slice(0, 3))
        return takesTag || responses[304] !== undefined
          ? [[`${method} ${path.split("/").at(-1)}`, takesTag, ...tags]]
          : []
      })
    )
    assert.deepStrictEqual(conditional, [["get statuses", true, 'W/"', 'W/"']])
  })

  it("declares the total of a list in pages as a header, where its body has it, too", () => {
    for (const { api, isPaged = false, method, path } of rowsOf(name)) {
      const { headers } = document.paths[path.replaceAll(/:(\w+)/g, "{$1}")][method.toLowerCase()].responses[200]
      assert.strictEqual(headers?.["X-Total-Count"] !== undefined, isPaged && api === "observability", path)
    }
  })

  it("declares every status that an operation may answer, each with a description of its own", () => {
    const rows = rowsOf(name)
    for (const row of rows) {
      const path = row.path.replaceAll(/:(\w+)/g, "{$1}")
      const responses: Record<string, { readonly description: string }> =
        document.paths[path][row.method.toLowerCase()].responses
      const statuses = [
        200,
        ...(row.isConditional ? [304] : []),
        ...errorCodesOf(row).map((code) => errorStatuses[code])
      ]
      assert.deepStrictEqual(
        Object.keys(responses).map(Number),
        statuses.toSorted((a, b) => a - b),
        path
      )
      const descriptions = Object.values(responses).map(({ description }) => description)
      assert.isTrue(descriptions.every(isSentence), path)
      assert.strictEqual(new Set(descriptions).size, statuses.length, path)
    }
  })

  it("says which bodies have no unknown fields: those of keys and roles, filters, and sources of pipes", () => {
    const strict = Object.entries<any>(document.components.schemas).flatMap(([schema, { additionalProperties }]) =>
      additionalProperties === false ? [schema] : []
    )
    const kinds = ["QueryExpressionFilter", "StaticListFilter", "PrometheusLabelFilter", "SourceFilter"]
    const sources = new Set(requestSources.flatMap((request) => referred(document, sourceIn(document, request))))
    const filters = name === "clickhouse" ? kinds.flatMap((kind) => [kind, `${kind}Create`]) : []
    assert.sameMembers(strict, [
      "ApiKeyCreate",
      "ApiKeyUpdate",
      "HashData",
      "IpAccessListEntryCreate",
      "RoleCreate",
      "RolePolicyCreate",
      "RolePolicyTagsCreate",
      "RoleUpdate",
      ...filters,
      ...sources
    ])
    assert.includeMembers([...sources], ["KafkaSourceCreate", "KafkaOffsetRequest", "PostgresSourceUpdate", "Login"])
    // Answers stay open: a newer service may answer more.
    assert.isFalse(["KafkaOffset", "TableMapping", "KafkaSource", "PipeSource"].some((open) => strict.includes(open)))
    const key = { ...apiKeyCreateDocument, ipAccesList: [] }
    assert.isFalse(ajv.accepts("/components/schemas/ApiKeyCreate", key).valid)
  })

  it("declares which errors are plain text", () => {
    const plainText = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
      Object.entries<any>(methods).flatMap(([method, { responses }]) =>
        Object.entries<any>(responses).flatMap(([status, { content }]) => {
          if (status === "304") return []
          const types = Object.keys(content)
          assert.strictEqual(types.length, 1)
          return types[0] === "application/json" ? [] : [`${status} ${types[0]} ${method} ${path}`]
        })
      )
    )
    const observability = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
      path.startsWith("/api/v2") ? Object.keys(methods).map((method) => `${method} ${path}`) : []
    )
    const withoutText = ["get", "put", "delete"].flatMap((method) =>
      ["sources/{sourceId}", "saved-searches/{savedSearchId}", "webhooks/{webhookId}"].map(
        (path) => `${method} /api/v2/${path}`
      )
    )
    withoutText.push("delete /api/v2/alerts/{alertId}")
    const expected = observability.flatMap((operation) => [
      `401 text/plain ${operation}`,
      `403 text/plain ${operation}`,
      ...(operation.endsWith("}") && !withoutText.includes(operation) ? [`404 text/plain ${operation}`] : [])
    ])
    assert.sameMembers(plainText, name === "clickhouse" ? expected : [])
  })

  it("has an example of every request body and every success, which its schema accepts", () => {
    const media = (at: string, value: any): ReadonlyArray<{ at: string; media: any }> =>
      Object.entries<any>(value.content).map(([type, media]) => ({ at: `${at}/content/${escaped(type)}`, media }))
    for (const [path, methods] of Object.entries<object>(document.paths)) {
      for (const [method, { requestBody, responses }] of Object.entries(methods)) {
        const at = `/paths/${escaped(path)}/${method}`
        const bodies = [
          ...media(`${at}/responses/200`, responses[200]),
          ...(requestBody === undefined ? [] : media(`${at}/requestBody`, requestBody))
        ]
        for (const { at, media } of bodies) {
          assert.isObject(media.example, at)
          assert.deepStrictEqual(ajv.accepts(`${at}/schema`, media.example), { valid: true, errors: [] }, at)
        }
      }
    }
  })

  it.effect.each(exampleRowsOf(name))("$summary: the schemas decode the examples", ({ example, payload, success }) =>
    Effect.gen(function* () {
      const encoded = yield* Schema.encodeUnknownEffect(success)(
        yield* Schema.decodeUnknownEffect(success)(example?.success)
      )
      assert.deepStrictEqual(encoded, example?.success)
      if (payload === noPayload) return
      yield* Schema.decodeUnknownEffect(payload)(example?.payload)
    })
  )

  it("has the server that serves it", () => {
    assert.deepStrictEqual(
      document.servers.map(({ url }: { url: string }) => url),
      ["/"]
    )
  })

  it("secures the management API with Basic and the observability API with Bearer, for every operation", () => {
    const { basic, bearer } = document.components.securitySchemes
    assert.deepInclude(basic, { type: "http", scheme: "basic" })
    assert.deepInclude(bearer, { type: "http" })
    assert.match(bearer.scheme, /^bearer$/i)
    for (const [path, methods] of Object.entries<object>(document.paths)) {
      for (const { security } of Object.values(methods)) {
        assert.deepStrictEqual(security[0], path.startsWith("/v1/") ? { basic: [] } : { bearer: [] })
      }
    }
  })

  it("names a session of the console beside them at the operations that the service does not have, alone", () => {
    const { consoleSession } = document.components.securitySchemes
    assert.deepInclude(consoleSession, { type: "http" })
    assert.match(consoleSession.scheme, /^bearer$/i)
    const named = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { security }]) => {
        assert.deepInclude([[], [{ consoleSession: [] }]], security.slice(1))
        return security.length > 1 ? [`${method} ${path}`] : []
      })
    )
    const pipe = pipePaths[name]
    const pipes = pipe.slice(0, pipe.lastIndexOf("/"))
    const stack = `${organization}/services/{serviceId}/${name === "neutral" ? "dbstack" : "clickstack"}`
    assert.sameMembers(named, [
      ...["status", "events", "errors", "history"].map((what) => `get ${pipe}/${what}`),
      ...["resume", "adopt"].map((what) => `post ${pipe}/${what}`),
      `get ${pipes}/statuses`,
      "post /api/v2/charts/query",
      `post ${stack}/charts/query`
    ])
  })

  it("has exactly the documented settings, with the names of this dialect", () => {
    const { prefix, settings } = {
      prefix: dialects[name].settingsPrefix,
      settings: Object.keys(document.components.schemas.Settings.properties)
    }
    assert.deepStrictEqual(
      settings,
      Object.keys(core.Settings.schema.fields).map((setting) => setting.replace(/^db_/, prefix))
    )
  })

  it("describes bodies so that another validator accepts valid ones and rejects invalid ones", () => {
    const schemas = "/components/schemas"
    const good: ReadonlyArray<readonly [string, object]> = [
      ["Pipe", pipeDocuments[name]],
      ["ApiKeyCreate", apiKeyCreateDocument],
      ["CreatedApiKey", createdApiKeyDocument],
      ["DashboardCreate", dashboards[name].create],
      ["Dashboard", dashboards[name].stored],
      ["ManagementError", { status: 404, error: "NOT_FOUND: no such pipe", requestId }],
      ["ObservabilityError", { message: "no" }]
    ]
    for (const [schema, body] of good) {
      assert.deepStrictEqual(ajv.accepts(`${schemas}/${schema}`, body), { valid: true, errors: [] }, schema)
      assert.isFalse(ajv.accepts(`${schemas}/${schema}`, {}).valid, schema)
    }
    const wrong: ReadonlyArray<readonly [string, object, string]> = [
      ["Pipe", { ...pipeDocuments[name], scaling: { replicas: "two" } }, "/scaling/replicas"],
      [
        "Pipe",
        { ...pipeDocuments[name], settings: { [`${dialects[name].settingsPrefix}max_threads`]: "eight" } },
        `/settings/${dialects[name].settingsPrefix}max_threads`
      ],
      ["ApiKeyCreate", { name: "ci", roles: [] }, "/roles"],
      ["ApiKeyCreate", { name: "ci", roles: ["owner"] }, "/roles/0"],
      ["ApiKeyCreate", { name: "ci", state: "on" }, "/state"],
      ["ApiKeyCreate", { name: "ci", ipAccessList: [{ source: "office" }] }, "/ipAccessList/0/source"],
      ["DashboardCreate", { name: "a".repeat(1025) }, "/name"],
      ["DashboardCreate", { name: "Errors", tiles: [{ x: 0, y: -1, w: 1, h: 1 }] }, "/tiles/0/y"]
    ]
    for (const [schema, body, path] of wrong) {
      assert.include(ajv.accepts(`${schemas}/${schema}`, body).errors, path)
    }
  })

  it("describes the charts of tiles by their display type where requests have them", () => {
    const tileWith = (config: object) => ({ name: "Errors", tiles: [{ name: "a", x: 0, y: 0, w: 1, h: 1, config }] })
    const accepts = (config: object) => ajv.accepts("/components/schemas/DashboardCreate", tileWith(config)).valid
    const source = { sourceId: "65f5e4a3b9e77c001a567891" }
    const query = { configType: "sql", connectionId: "65f5e4a3b9e77c001a567890", sqlTemplate: "SELECT 1" }
    const line = { displayType: "line", ...source, select: [{ aggFn: "count" }] }
    const good = [
      line,
      { ...line, configType: "builder", unknown: 1 },
      { ...line, displayType: "number", colorRules: [{ operator: "gt", value: 1, color: "chart-red" }] },
      { displayType: "heatmap", ...source, select: [{ valueExpression: "Duration" }] },
      { displayType: "search", ...source, select: "Timestamp, Body" },
      { displayType: "markdown" },
      { ...query, displayType: "table" }
    ]
    const wrong = [
      {},
      { ...line, displayType: "gauge" },
      { ...line, select: [] },
      { ...line, select: [{ aggFn: "p99" }] },
      { ...line, sourceId: "logs" },
      { ...line, seriesLimit: 1.5 },
      { ...line, configType: "sql" },
      { ...line, displayType: "number", colorRules: [{ operator: "between", value: [1], color: "chart-red" }] },
      { ...line, displayType: "pie", select: [{ aggFn: "count" }, { aggFn: "count" }] },
      { ...query, displayType: "heatmap" },
      { displayType: "markdown", markdown: 7 }
    ]
    assert.deepStrictEqual(
      good.filter((config) => !accepts(config)),
      []
    )
    assert.deepStrictEqual(wrong.filter(accepts), name === "clickhouse" ? [] : wrong)
  })

  it("describes the envelopes of success and the bodies of error", () => {
    const answer = (path: string, method: string, status: number) =>
      `/paths/${escaped(path)}/${method}/responses/${status}/content/application~1json/schema`
    const pipe = pipePaths[name]
    const good: ReadonlyArray<readonly [string, object]> = [
      [answer(pipe, "get", 200), { status: 200, requestId, result: pipeDocuments[name] }],
      [answer(pipe, "get", 404), { status: 404, error: "NOT_FOUND: no such pipe", requestId }],
      [answer(pipe, "delete", 200), { status: 200, requestId }],
      [answer(`${organization}/keys`, "post", 200), { status: 200, requestId, result: createdApiKeyDocument }],
      [answer("/api/v2/dashboards", "post", 200), { data: dashboards[name].stored }],
      [answer("/api/v2/dashboards", "get", 200), { data: [dashboards[name].stored] }],
      [answer("/api/v2/dashboards", "get", 400), { message: "limit: Expected a whole number" }]
    ]
    for (const [pointer, body] of good) {
      assert.deepStrictEqual(ajv.accepts(pointer, body), { valid: true, errors: [] }, pointer)
      assert.isFalse(ajv.accepts(pointer, {}).valid, pointer)
    }
  })

  it("takes a request body, required and JSON, where something is created or changed and nowhere else", () => {
    for (const [path, methods] of Object.entries<object>(document.paths)) {
      for (const [method, { requestBody }] of Object.entries(methods)) {
        // A pipe is adopted as it is, and the console's sessions are those of the caller.
        const isBare = /\/(?:adopt|consoleSessions|consoleCodes)$/.test(path)
        const changes = ["post", "patch", "put"].includes(method) && !isBare
        assert.strictEqual(requestBody !== undefined, changes)
        if (requestBody !== undefined) {
          assert.isTrue(requestBody.required)
          assert.deepStrictEqual(Object.keys(requestBody.content), ["application/json"])
        }
      }
    }
  })
})

describe("the JSON Schemas of the domain", () => {
  const accepts = (schema: Schema.Constraint, value: unknown) => {
    const { definitions, schema: root } = Schema.toJsonSchemaDocument(schema)
    const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } })
    formats.default(ajv)
    return ajv.validate({ ...root, $defs: definitions }, value)
  }

  const isSchema = (value: unknown): value is Schema.Constraint => Schema.isSchema(value)
  const all = Object.entries<unknown>(core).flatMap(([name, schema]) => (isSchema(schema) ? [{ name, schema }] : []))

  it.each(all)("$name: another validator compiles it", ({ schema }) => {
    assert.isBoolean(accepts(schema, {}))
  })

  it("hold in another validator what they hold in Effect", () => {
    assert.isTrue(accepts(core.Pipe, pipeDocuments.neutral))
    assert.isFalse(accepts(core.Pipe, { ...pipeDocuments.neutral, createdAt: "yesterday" }))
    assert.isTrue(accepts(core.ApiKeyCreate, apiKeyCreateDocument))
    assert.isFalse(accepts(core.ApiKeyCreate, { ...apiKeyCreateDocument, name: "" }))
    assert.isTrue(accepts(core.Dashboard, dashboardDocument))
    assert.isFalse(accepts(core.Dashboard, { ...dashboardDocument, tiles: [{ id: 7 }] }))
  })
})
