import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import {
  type ConnectionOptions,
  HttpAdapter,
  HttpApiKeys,
  HttpCdcScaling,
  HttpCharts,
  HttpConnections,
  HttpConsoleSessions,
  HttpDashboards,
  HttpDocumentStores,
  HttpOrganizations,
  HttpPipes,
  HttpReversePrivateEndpoints,
  HttpRoles,
  HttpServices,
  HttpSources,
  ManagementConnection,
  ObservabilityConnection
} from "../../src/index.ts"
import { connectManagement, connectObservability, fetchTransport, noObserver } from "../../src/ports.ts"

/** The credentials of the tests: no output may show them. */
export const secrets = { keySecret: "SECRET-key-7f3a", token: "SECRET-token-91bc" }

export const management = { keyId: "key-id", keySecret: Redacted.make(secrets.keySecret) }
export const observability = { token: Redacted.make(secrets.token) }

/** Whether connections send over fetch and not over an `HttpClient`. */
export const SendsOverFetch = Context.Reference<boolean>("test/SendsOverFetch", { defaultValue: () => false })

const overHttpClient = (options: ConnectionOptions) =>
  Layer.merge(
    HttpAdapter.layerManagement({ ...options, ...management }),
    HttpAdapter.layerObservability({ ...options, ...observability })
  )

const parts = { transport: fetchTransport(), observer: noObserver }

const overFetch = (options: ConnectionOptions) =>
  Layer.merge(
    Layer.fresh(
      Layer.mergeAll(
        HttpOrganizations.layer,
        HttpServices.layer,
        HttpCdcScaling.layer,
        HttpReversePrivateEndpoints.layer,
        HttpPipes.layer,
        HttpApiKeys.layer,
        HttpRoles.layer,
        HttpConsoleSessions.layer,
        HttpDashboards.layerServices,
        HttpDocumentStores.layerServices,
        HttpCharts.layerServices
      )
    ).pipe(
      Layer.provideMerge(Layer.effect(ManagementConnection, connectManagement({ ...options, ...management }, parts)))
    ),
    Layer.fresh(
      Layer.mergeAll(
        HttpDashboards.layer,
        HttpConnections.layer,
        HttpSources.layer,
        HttpDocumentStores.layer,
        HttpCharts.layer
      )
    ).pipe(
      Layer.provideMerge(
        Layer.effect(ObservabilityConnection, connectObservability({ ...options, ...observability }, parts))
      )
    )
  )

/** All ports over one base URL, with these credentials. */
export const layerPorts = (options: ConnectionOptions) =>
  Layer.unwrap(
    Effect.map(SendsOverFetch, (sendsOverFetch) => (sendsOverFetch ? overFetch(options) : overHttpClient(options)))
  )
