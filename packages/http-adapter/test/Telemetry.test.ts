import { assert, describe, it } from "@effect/vitest"
import { type OperationName, sampleCalls } from "@headgate/samples"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Tracer from "effect/Tracer"
import * as TestClock from "effect/testing/TestClock"
import { scripted } from "./support/ScriptedClient.ts"
import { layerPorts } from "./support/ports.ts"

describe("the spans of a call", () => {
  for (const sample of sampleCalls) {
    it.effect(`${sample.name}: one for the call, one for each attempt`, () =>
      Effect.gen(function* () {
        const spans: Array<Tracer.Span> = []
        const tracer = Tracer.make({
          span: (options) => {
            const span = new Tracer.NativeSpan(options)
            spans.push(span)
            return span
          }
        })
        const limited = { status: 429, headers: { "retry-after": "1" } }
        const fiber = yield* sample.call.pipe(
          Effect.provide(layerPorts({ baseUrl: "https://api.test" })),
          Effect.provide(scripted(limited, { status: 200, body: sample.responseBody }).layer),
          Effect.withTracer(tracer),
          Effect.forkChild
        )
        yield* TestClock.adjust("1 second")
        yield* Fiber.join(fiber)

        const names: Readonly<Record<OperationName, string>> = {
          "organization.list": "HttpOrganizations.list",
          "organization.get": "HttpOrganizations.get",
          "organization.whoami": "HttpOrganizations.whoami",
          "service.list": "HttpServices.list",
          "service.get": "HttpServices.get",
          "service.setState": "HttpServices.setState",
          "cdcScaling.get": "HttpCdcScaling.get",
          "cdcScaling.update": "HttpCdcScaling.update",
          "endpoint.list": "HttpReversePrivateEndpoints.list",
          "endpoint.get": "HttpReversePrivateEndpoints.get",
          "endpoint.create": "HttpReversePrivateEndpoints.create",
          "endpoint.update": "HttpReversePrivateEndpoints.update",
          "endpoint.delete": "HttpReversePrivateEndpoints.delete",
          "pipe.list": "HttpPipes.list",
          "pipe.get": "HttpPipes.get",
          "pipe.create": "HttpPipes.create",
          "pipe.update": "HttpPipes.update",
          "pipe.discoverSchema": "HttpPipes.discoverSchema",
          "pipe.delete": "HttpPipes.delete",
          "pipe.setState": "HttpPipes.setState",
          "pipe.scale": "HttpPipes.scale",
          "pipe.settings": "HttpPipes.settings",
          "pipe.updateSettings": "HttpPipes.updateSettings",
          "pipe.resume": "HttpPipes.resume",
          "pipe.adopt": "HttpPipes.adopt",
          "pipe.statuses": "HttpPipes.statuses",
          "pipe.status": "HttpPipes.status",
          "pipe.events": "HttpPipes.events",
          "pipe.errors": "HttpPipes.errors",
          "pipe.history": "HttpPipes.history",
          "pipe.context": "HttpPipes.context",
          "key.list": "HttpApiKeys.list",
          "key.create": "HttpApiKeys.create",
          "key.get": "HttpApiKeys.get",
          "key.update": "HttpApiKeys.update",
          "key.delete": "HttpApiKeys.delete",
          "role.list": "HttpRoles.list",
          "role.create": "HttpRoles.create",
          "role.get": "HttpRoles.get",
          "role.update": "HttpRoles.update",
          "role.delete": "HttpRoles.delete",
          "console.createSession": "HttpConsoleSessions.createSession",
          "console.createCode": "HttpConsoleSessions.createCode",
          "dashboard.create": "HttpDashboards.create",
          "dashboard.list": "HttpDashboards.list",
          "dashboard.validate": "HttpDashboards.validate",
          "dashboard.get": "HttpDashboards.get",
          "dashboard.update": "HttpDashboards.update",
          "dashboard.delete": "HttpDashboards.delete",
          "serviceDashboard.create": "HttpServiceDashboards.create",
          "serviceDashboard.list": "HttpServiceDashboards.list",
          "serviceDashboard.validate": "HttpServiceDashboards.validate",
          "serviceDashboard.get": "HttpServiceDashboards.get",
          "serviceDashboard.update": "HttpServiceDashboards.update",
          "serviceDashboard.delete": "HttpServiceDashboards.delete",
          "serviceSource.create": "HttpServiceSources.create",
          "serviceSource.list": "HttpServiceSources.list",
          "serviceSource.get": "HttpServiceSources.get",
          "serviceSource.update": "HttpServiceSources.update",
          "serviceSource.delete": "HttpServiceSources.delete",
          "serviceSavedSearch.create": "HttpServiceSavedSearches.create",
          "serviceSavedSearch.list": "HttpServiceSavedSearches.list",
          "serviceSavedSearch.get": "HttpServiceSavedSearches.get",
          "serviceSavedSearch.update": "HttpServiceSavedSearches.update",
          "serviceSavedSearch.delete": "HttpServiceSavedSearches.delete",
          "serviceWebhook.create": "HttpServiceWebhooks.create",
          "serviceWebhook.list": "HttpServiceWebhooks.list",
          "serviceWebhook.get": "HttpServiceWebhooks.get",
          "serviceWebhook.update": "HttpServiceWebhooks.update",
          "serviceWebhook.delete": "HttpServiceWebhooks.delete",
          "serviceWebhook.validate": "HttpServiceWebhooks.validate",
          "serviceAlert.create": "HttpServiceAlerts.create",
          "serviceAlert.list": "HttpServiceAlerts.list",
          "serviceAlert.get": "HttpServiceAlerts.get",
          "serviceAlert.update": "HttpServiceAlerts.update",
          "serviceAlert.delete": "HttpServiceAlerts.delete",
          "savedSearch.create": "HttpSavedSearches.create",
          "savedSearch.list": "HttpSavedSearches.list",
          "savedSearch.get": "HttpSavedSearches.get",
          "savedSearch.update": "HttpSavedSearches.update",
          "savedSearch.delete": "HttpSavedSearches.delete",
          "webhook.create": "HttpWebhooks.create",
          "webhook.list": "HttpWebhooks.list",
          "webhook.get": "HttpWebhooks.get",
          "webhook.update": "HttpWebhooks.update",
          "webhook.delete": "HttpWebhooks.delete",
          "webhook.validate": "HttpWebhooks.validate",
          "dashboardRole.list": "HttpDashboardRoles.list",
          "dashboardRole.create": "HttpDashboardRoles.create",
          "dashboardRole.get": "HttpDashboardRoles.get",
          "dashboardRole.update": "HttpDashboardRoles.update",
          "dashboardRole.delete": "HttpDashboardRoles.delete",
          "chart.query": "HttpCharts.query",
          "chart.series": "HttpCharts.series",
          "chart.search": "HttpCharts.search",
          "serviceChart.query": "HttpServiceCharts.query",
          "serviceChart.series": "HttpServiceCharts.series",
          "serviceChart.search": "HttpServiceCharts.search",
          "alert.create": "HttpAlerts.create",
          "alert.list": "HttpAlerts.list",
          "alert.get": "HttpAlerts.get",
          "alert.update": "HttpAlerts.update",
          "alert.delete": "HttpAlerts.delete",
          "connection.create": "HttpConnections.create",
          "connection.list": "HttpConnections.list",
          "connection.get": "HttpConnections.get",
          "connection.update": "HttpConnections.update",
          "connection.delete": "HttpConnections.delete",
          "source.create": "HttpSources.create",
          "source.list": "HttpSources.list",
          "source.get": "HttpSources.get",
          "source.update": "HttpSources.update",
          "source.delete": "HttpSources.delete"
        }
        assert.deepStrictEqual(
          spans.map(({ name }) => name),
          [names[sample.name], sample.operation.method, sample.operation.method]
        )
        const [call, first, second] = spans
        assert.strictEqual(call?.attributes.get("headgate.attempts"), 2)
        assert.strictEqual(call?.attributes.get("http.response.status_code"), 200)
        assert.strictEqual(first?.attributes.get("http.response.status_code"), 429)
        assert.strictEqual(second?.attributes.get("http.response.status_code"), 200)
      })
    )
  }
})
