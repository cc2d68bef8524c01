import type { ServiceAddress } from "./addresses.ts"

/**
 * Documents in the management API, with an API key and no token: those of the organization of a service. `Documents` has their
 * methods. Those of `of(address)` reject with `ServiceNotFoundError` if there is no such service.
 */
export interface BelowServiceClient<Documents> {
  /** The documents that are reached through a service. Nothing is sent until one of their methods is called. */
  readonly of: (address?: ServiceAddress) => Documents
}
