import { Organizations } from "@headgate/core"
import { makeHttpOrganizations } from "@headgate/http-adapter/ports"
import { neutral, organizationOperations } from "@headgate/http-contract"
import type { ManagementClientOptions } from "../ClientOptions.ts"
import type { Closeable } from "../Closeable.ts"
import type { ManagementNoun } from "../Noun.ts"
import { makeManagementClient } from "../makeHttpClient.ts"
import { promisesOf } from "../promisesOf.ts"
import type { OrganizationsClient } from "./OrganizationsClient.ts"

/** Organizations, and of who calls. */
export const organizations: ManagementNoun<Organizations, OrganizationsClient> = {
  port: Organizations,
  overHttp: makeHttpOrganizations,
  methods: (run, port) => promisesOf<OrganizationsClient>()(run, port, organizationOperations(neutral))
}

/**
 * Makes a client of organizations and of nothing else: less code for a browser than that of
 * `@headgate/client`. Nothing is opened before the first call. Throws `InvalidRequestError` for a wrong option and names it:
 * `management.baseUrl`.
 *
 * @example
 * ```ts
 * import { createClient } from "@headgate/client/organizations"
 *
 * const { organizations } = createClient({
 *   management: { baseUrl: "https://api.example.com", keyId: "my-key-id", keySecret: "hgs_..." }
 * })
 *
 * export const show = async () => {
 *   console.log((await organizations.list()).map(({ name }) => name))
 * }
 * ```
 */
export const createClient = (
  options: ManagementClientOptions
): Closeable & { readonly organizations: OrganizationsClient } => makeManagementClient(options, { organizations })
