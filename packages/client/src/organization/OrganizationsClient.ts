import * as Core from "@headgate/core"
import * as Schema from "effect/Schema"
import type { Plain } from "../Plain.ts"
import { type PromiseClient, promiseMethods } from "../PromiseClient.ts"
import type { Run } from "../Runner.ts"

/** An organization: the owner of services, API keys and dashboards. Times are RFC 3339 strings. */
export type Organization = Plain<Core.Organization>

/**
 * The organizations of the management API. `list` returns the organization of the key, `whoami` the key itself and its
 * roles. `get` rejects with `OrganizationNotFoundError` if there is no such organization.
 */
export interface OrganizationsClient extends PromiseClient<Core.Organizations["Service"]> {}

const OrganizationInput = Schema.Struct({ organizationId: Core.OrganizationId })

/** The methods of organizations, over the adapter that runs the calls. */
export const organizationsClient = (run: Run<Core.Organizations>): OrganizationsClient => {
  const { listAll, method, read } = promiseMethods(run, Core.Organizations)
  return {
    list: listAll((organizations) => organizations.list()),
    get: method(OrganizationInput, (organizations, { organizationId }) => organizations.get(organizationId)),
    whoami: read((organizations) => organizations.whoami())
  }
}
