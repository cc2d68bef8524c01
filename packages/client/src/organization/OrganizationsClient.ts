import type * as Core from "@headgate/core"
import type { OrganizationAddress } from "../addresses.ts"
import type { CallOptions } from "../CallOptions.ts"
import type { CallPromise, List } from "../CallPromise.ts"
import type { Plain } from "../Plain.ts"

/** An organization: the owner of services, API keys and dashboards. Times are RFC 3339 strings. */
export type Organization = Plain<Core.Organization>

/** The API key that makes the call, its roles, and what it may do. */
export type Whoami = Plain<Core.Whoami>

/** The organizations of the management API. */
export interface OrganizationsClient {
  /** Lists the organizations: the one of the API key. */
  readonly list: (options?: CallOptions) => List<Organization>
  /** Reads an organization. Rejects with `OrganizationNotFoundError` if there is none with the id. */
  readonly get: (request?: OrganizationAddress, options?: CallOptions) => CallPromise<Organization>
  /** Tells which API key makes the call, and which roles it has, and what it may do. The result of the test client has no fields. */
  readonly whoami: (options?: CallOptions) => CallPromise<Whoami>
}
