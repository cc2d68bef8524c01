import type * as Core from "@headgate/core"
import type { Addressed, ServiceAddress } from "../addresses.ts"
import type { CallOptions } from "../CallOptions.ts"
import type { CallPromise, List } from "../CallPromise.ts"
import type { Plain } from "../Plain.ts"

/** A reverse private endpoint: pipes of a service reach a source in a private network through it. */
export type ReversePrivateEndpoint = Plain<Core.ReversePrivateEndpoint>

/** The address of a reverse private endpoint. */
export type ReversePrivateEndpointAddress = Addressed<Core.ReversePrivateEndpointAddress>

/** A request for a new reverse private endpoint, with its organization and service. */
export type ReversePrivateEndpointCreate = Addressed<Core.ServiceAddress & Core.ReversePrivateEndpointCreate>

/** The address of a reverse private endpoint, and its changes. */
export type ReversePrivateEndpointUpdate = Addressed<
  Core.ReversePrivateEndpointAddress & Core.ReversePrivateEndpointUpdate
>

/**
 * The reverse private endpoints of services. `get`, `update` and `delete` reject with
 * `ReversePrivateEndpointNotFoundError` if there is no such endpoint.
 */
export interface PrivateEndpointsClient {
  /** Lists the endpoints of a service; their order is not promised. */
  readonly list: (request?: ServiceAddress, options?: CallOptions) => List<ReversePrivateEndpoint>
  /** Reads an endpoint. */
  readonly get: (request: ReversePrivateEndpointAddress, options?: CallOptions) => CallPromise<ReversePrivateEndpoint>
  /**
   * Creates an endpoint in the status `Provisioning`. Rejects with `ConflictError` if another endpoint of the service has
   * one of its private DNS names, or at the limit of the organization.
   */
  readonly create: (request: ReversePrivateEndpointCreate, options?: CallOptions) => CallPromise<ReversePrivateEndpoint>
  /** Replaces the private DNS names of an endpoint. Rejects as `create` does. */
  readonly update: (request: ReversePrivateEndpointUpdate, options?: CallOptions) => CallPromise<ReversePrivateEndpoint>
  /** Deletes an endpoint. */
  readonly delete: (request: ReversePrivateEndpointAddress, options?: CallOptions) => CallPromise<void>
}
