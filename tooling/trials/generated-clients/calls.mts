// Five calls and a refusal, with the types that openapi-typescript generates. It prints what it was answered.
import createClient from "openapi-fetch"
import type { components, paths } from "./schema.ts"

declare const process: { readonly env: Readonly<Record<string, string | undefined>> }

const { keyId, keySecret, organizationId, serviceId, token, url } = JSON.parse(process.env["CALLS"] ?? "")
const basic = btoa(`${keyId}:${keySecret}`)
const management = createClient<paths>({ baseUrl: url, headers: { authorization: `Basic ${basic}` } })
const observability = createClient<paths>({ baseUrl: url, headers: { authorization: `Bearer ${token}` } })
const stranger = createClient<paths>({ baseUrl: url, headers: { authorization: "Bearer none" } })

function answered<Data>({ data, error }: { readonly data?: Data; readonly error?: unknown }): Data {
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}

const organization = answered(
  await management.GET("/v1/organizations/{organizationId}", { params: { path: { organizationId } } })
).result

const pipe: components["schemas"]["PipeCreate"] = {
  name: "orders",
  source: { kafka: { type: "kafka", format: "JSONEachRow", brokers: "b.example.com:9092", topics: "orders" } },
  destination: {
    database: "default",
    table: "orders",
    managedTable: true,
    columns: [{ name: "id", type: "UInt64" }]
  },
  scaling: { replicas: 2 }
}
// @ts-expect-error -- a field that no source has
void ({ name: "orders", source: { kafka: { brocers: "b.example.com:9092" } } } satisfies typeof pipe)
const pipes = "/v1/organizations/{organizationId}/services/{serviceId}/clickpipes"
const created = answered(
  await management.POST(pipes, { params: { path: { organizationId, serviceId } }, body: pipe })
).result
const read = answered(
  await management.GET(`${pipes}/{clickPipeId}`, {
    params: { path: { organizationId, serviceId, clickPipeId: created.id } }
  })
).result
const state: string = read.state

const dashboard: components["schemas"]["DashboardCreate"] = {
  name: "Night shift",
  tiles: [{ name: "Read me", x: 0, y: 0, w: 4, h: 2, config: { displayType: "markdown", markdown: "# Hello" } }]
}
const made = answered(await observability.POST("/api/v2/dashboards", { body: dashboard })).data
const listed = answered(await observability.GET("/api/v2/dashboards")).data
const refused = await stranger.GET("/api/v2/dashboards", { parseAs: "text" })
const refusal: string | object | undefined = refused.error

console.log(
  JSON.stringify({
    organization: organization.name,
    topics: read.source?.kafka?.topics,
    replicas: read.scaling?.replicas,
    hasState: state.length > 0,
    tile: made.tiles?.[0]?.config,
    dashboards: listed.map(({ name }) => name),
    refused: [refused.response.status, refusal]
  })
)
