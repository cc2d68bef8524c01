import { chartNotFound, notFound, type NotFoundParams, TokenId } from "@headgate/core/adapter"
import {
  AlertId,
  ApiKeyId,
  ConnectionId,
  DashboardId,
  DashboardRoleId,
  OrganizationId,
  PipeId,
  ReversePrivateEndpointId,
  RoleId,
  SavedSearchId,
  ServiceId,
  SourceId,
  WebhookId
} from "@headgate/core"
import * as Record from "effect/Record"
import { assert, describe, it } from "vitest"

const id = "6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f"
const organizationId = OrganizationId.make("1c9f6a0e-3b7d-4f2a-8e5c-7d4b6a9f0e21")
const service = { organizationId, serviceId: ServiceId.make("0b9a8c7d-1e2f-4a3b-9c4d-5e6f7a8b9c0d") }

const params: NotFoundParams = {
  OrganizationNotFound: { organizationId },
  ServiceNotFound: service,
  ReversePrivateEndpointNotFound: { ...service, reversePrivateEndpointId: ReversePrivateEndpointId.make(id) },
  PipeNotFound: { ...service, pipeId: PipeId.make(id) },
  KeyNotFound: { organizationId, keyId: ApiKeyId.make(id) },
  DashboardNotFound: { dashboardId: DashboardId.make("d-1") },
  ConnectionNotFound: { connectionId: ConnectionId.make("c-1") },
  SourceNotFound: { sourceId: SourceId.make("s-1") },
  SavedSearchNotFound: { savedSearchId: SavedSearchId.make("x-1") },
  WebhookNotFound: { webhookId: WebhookId.make("w-1") },
  AlertNotFound: { alertId: AlertId.make("a-1") },
  DashboardRoleNotFound: { dashboardRoleId: DashboardRoleId.make("r-1") },
  ChartNotFound: {},
  RoleNotFound: { organizationId, roleId: RoleId.make(id) },
  TokenNotFound: { organizationId, tokenId: TokenId.make(id) }
}

// What callers read.
const expected: { readonly [Tag in keyof NotFoundParams]: string } = {
  OrganizationNotFound: `there is no organization ${organizationId}`,
  ServiceNotFound: `the organization has no service ${service.serviceId}`,
  ReversePrivateEndpointNotFound: `the service has no reverse private endpoint ${id}`,
  PipeNotFound: `the service has no pipe ${id}`,
  KeyNotFound: `the organization has no API key ${id}`,
  DashboardNotFound: "the organization has no dashboard d-1",
  ConnectionNotFound: "the organization has no connection c-1",
  SourceNotFound: "the organization has no source s-1",
  SavedSearchNotFound: "the organization has no saved search x-1",
  WebhookNotFound: "the organization has no webhook w-1",
  AlertNotFound: "the organization has no alert a-1",
  DashboardRoleNotFound: "the organization has no role of dashboards r-1",
  ChartNotFound: "what the chart needs is not there",
  RoleNotFound: `the organization has no role ${id}`,
  TokenNotFound: `the organization has no token ${id}`
}

const byAddress: ReadonlySet<string> = new Set(["ServiceNotFound", "ReversePrivateEndpointNotFound", "PipeNotFound"])

describe("notFound", () => {
  it.each(Record.keys(expected))("%s", (tag) => {
    const error = notFound(tag, params[tag])
    const fields = byAddress.has(tag) ? { address: params[tag] } : params[tag]
    assert.strictEqual(error.message, expected[tag])
    assert.deepStrictEqual<object>({ ...error }, { _tag: tag, ...fields })
  })

  it("puts the message into what else is known of the call", () => {
    const error = notFound("DashboardNotFound", params.DashboardNotFound, (summary) => ({
      message: `upstream: ${summary}`,
      status: 404
    }))
    assert.strictEqual(error.message, "upstream: the organization has no dashboard d-1")
    assert.strictEqual(error.status, 404)
  })

  it("says what a chart needs", () => {
    assert.deepStrictEqual<object>({ ...chartNotFound("the dashboard has no tile t-1") }, { _tag: "ChartNotFound" })
    assert.strictEqual(chartNotFound("the dashboard has no tile t-1").message, "the dashboard has no tile t-1")
  })

  it("names nothing but the resource, whatever else a path names", () => {
    const { dashboardId } = notFound("DashboardNotFound", { ...service, ...params.DashboardNotFound })
    assert.strictEqual(dashboardId, "d-1")
    assert.notProperty(notFound("DashboardNotFound", { ...service, ...params.DashboardNotFound }), "serviceId")
  })
})
