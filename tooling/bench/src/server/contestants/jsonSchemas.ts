/** The requests of the contract as JSON Schema, as a Fastify user writes it for ajv. */

const uuid = { type: "string", format: "uuid" }
const list = (items: object, limits: object = {}) => ({ type: "array", items, ...limits })
const oneOf = (...values: ReadonlyArray<string>) => ({ type: "string", enum: values })

const object = (properties: Record<string, object>, required: ReadonlyArray<string> = []) => ({
  type: "object",
  properties,
  required
})

/** Fields of one type. */
const fields = (type: object, ...names: ReadonlyArray<string>): Record<string, object> =>
  Object.fromEntries(names.map((name) => [name, type]))

const text = { type: "string" }

const series = object({
  type: oneOf("time", "table", "number", "histogram", "search", "markdown"),
  dataSource: oneOf("events", "metrics"),
  aggFn: oneOf("avg", "count", "count_distinct", "last_value", "max", "min", "quantile", "sum"),
  whereLanguage: oneOf("lucene", "sql"),
  metricDataType: oneOf("sum", "gauge", "histogram"),
  ...fields(text, "where", "sourceId", "field", "metricName"),
  groupBy: list(text)
})

const tile = object(
  {
    name: text,
    ...fields({ type: "number", minimum: 0 }, "x", "y"),
    ...fields({ type: "number", exclusiveMinimum: 0 }, "w", "h"),
    asRatio: { type: "boolean" },
    series: list(series)
  },
  ["x", "y", "w", "h"]
)

export const getPipeSchema = { params: object({ organizationId: uuid, serviceId: uuid, pipeId: uuid }) }

export const getPipesSchema = { params: object({ organizationId: uuid, serviceId: uuid }) }

export const postKeySchema = {
  params: object({ organizationId: uuid }),
  body: object(
    {
      name: { type: "string", minLength: 1, maxLength: 255 },
      roles: list(oneOf("admin", "developer", "query_endpoints"), { minItems: 1 }),
      expireAt: { type: "string", format: "date-time" },
      ipAccessList: list(object(fields(text, "source", "description"), ["source"]))
    },
    ["name"]
  )
}

export const patchStateSchema = {
  ...getPipeSchema,
  body: object({ command: oneOf("start", "stop", "resync") }, ["command"])
}

export const postDashboardSchema = {
  body: object(
    {
      name: { type: "string", minLength: 1, maxLength: 1024 },
      tiles: list(tile, { maxItems: 500 }),
      tags: list({ type: "string", minLength: 1, maxLength: 32 }, { maxItems: 50 })
    },
    ["name"]
  )
}

export const putDashboardSchema = { ...postDashboardSchema, params: object({ dashboardId: text }) }
