import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { CallError } from "../error/CallError.ts"
import type { ReversePrivateEndpointNotFound, ServiceNotFound } from "../error/NotFound.ts"
import type { ServiceAddress } from "../id/service.ts"
import type { ReversePrivateEndpointAddress } from "../id/endpoint.ts"
import type {
  ReversePrivateEndpoint,
  ReversePrivateEndpointCreate,
  ReversePrivateEndpointUpdate
} from "./ReversePrivateEndpoint.ts"

/**
 * The port to the reverse private endpoints of a service. Writes fail with `FailedDependency` while the service does
 * not run. Contract: docs/wire-contract.md#reverse-private-endpoints.
 *
 * @example
 * ```ts
 * import { ReversePrivateEndpoints, type ServiceAddress } from "@headgate/core"
 * import * as Effect from "effect/Effect"
 *
 * // The endpoints whose owner has to accept them.
 * export const pending = (address: ServiceAddress) =>
 *   ReversePrivateEndpoints.use((endpoints) => endpoints.list(address)).pipe(
 *     Effect.map((all) => all.filter(({ status }) => status === "PendingAcceptance"))
 *   )
 * ```
 */
export class ReversePrivateEndpoints extends Context.Service<
  ReversePrivateEndpoints,
  {
    /** Lists the endpoints of a service; the order is not promised. */
    readonly list: (
      address: ServiceAddress
    ) => Effect.Effect<ReadonlyArray<ReversePrivateEndpoint>, ServiceNotFound | CallError>
    /** Reads an endpoint. */
    readonly get: (
      address: ReversePrivateEndpointAddress
    ) => Effect.Effect<ReversePrivateEndpoint, ReversePrivateEndpointNotFound | CallError>
    /**
     * Creates an endpoint in the status `Provisioning`. Fails with `Conflict` if another endpoint of the service has one
     * of its private DNS names, or at the limit of the organization.
     */
    readonly create: (
      address: ServiceAddress,
      request: ReversePrivateEndpointCreate
    ) => Effect.Effect<ReversePrivateEndpoint, ServiceNotFound | CallError>
    /** Replaces the private DNS names of an endpoint. Fails as `create` does. */
    readonly update: (
      address: ReversePrivateEndpointAddress,
      request: ReversePrivateEndpointUpdate
    ) => Effect.Effect<ReversePrivateEndpoint, ReversePrivateEndpointNotFound | CallError>
    /** Deletes an endpoint. */
    readonly delete: (
      address: ReversePrivateEndpointAddress
    ) => Effect.Effect<void, ReversePrivateEndpointNotFound | CallError>
  }
>()("@headgate/core/service/ReversePrivateEndpoints") {}
