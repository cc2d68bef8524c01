/// <reference lib="esnext.disposable" preserve="true" />

import type { DashboardsClient } from "./dashboard/DashboardsClient.ts"
import type { ConnectionsClient, SourcesClient } from "./dashboard/SourcesClient.ts"
import type { KeysClient } from "./key/KeysClient.ts"
import type { OrganizationsClient } from "./organization/OrganizationsClient.ts"
import type { RolesClient } from "./key/RolesClient.ts"
import type { PipesClient } from "./pipe/PipesClient.ts"
import type { CdcScalingClient } from "./service/CdcScalingClient.ts"
import type { PrivateEndpointsClient } from "./service/PrivateEndpointsClient.ts"
import type { ServicesClient } from "./service/ServicesClient.ts"

/** What every client has. `await using` closes it too. */
interface Closeable extends AsyncDisposable {
  /**
   * Aborts the calls in flight and releases the connections. Those calls, and all later ones, reject with
   * `ClientClosedError`. Closing twice is allowed.
   */
  close(): Promise<void>
}

/** A client of the management API. */
export interface ManagementClient extends Closeable {
  readonly organizations: OrganizationsClient
  readonly services: ServicesClient
  readonly cdcScaling: CdcScalingClient
  readonly privateEndpoints: PrivateEndpointsClient
  readonly pipes: PipesClient
  readonly keys: KeysClient
  readonly roles: RolesClient
}

/** A client of the observability API. */
export interface ObservabilityClient extends Closeable {
  readonly dashboards: DashboardsClient
  readonly connections: ConnectionsClient
  readonly sources: SourcesClient
}

/**
 * A client of both APIs, as `createClient` and `createTestClient` return it: code that takes one runs with either.
 *
 * @example
 * ```ts
 * import type { HeadgateClient } from "@headgate/client"
 *
 * export const titles = async (headgate: HeadgateClient): Promise<ReadonlyArray<string>> => {
 *   const dashboards = await headgate.dashboards.list()
 *   return dashboards.map(({ name }) => name)
 * }
 * ```
 */
export interface HeadgateClient extends ManagementClient, ObservabilityClient {}

/** A client of which the compiler does not know the APIs: the methods of an API that was not given are `undefined`. */
export type PartialClient = Closeable & Partial<HeadgateClient>
