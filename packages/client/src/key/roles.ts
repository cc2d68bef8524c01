import { Roles } from "@headgate/core"
import { makeHttpRoles } from "@headgate/http-adapter/ports"
import { neutral, roleOperations } from "@headgate/http-contract"
import type { ManagementClientOptions } from "../ClientOptions.ts"
import type { Closeable } from "../Closeable.ts"
import type { ManagementNoun } from "../Noun.ts"
import { makeManagementClient } from "../makeHttpClient.ts"
import { promisesOf } from "../promisesOf.ts"
import type { RolesClient } from "./RolesClient.ts"

/** The roles of an organization. */
export const roles: ManagementNoun<Roles, RolesClient> = {
  port: Roles,
  overHttp: makeHttpRoles,
  methods: (run, port) => promisesOf<RolesClient>()(run, port, roleOperations(neutral))
}

/**
 * Makes a client of the roles of an organization, and of nothing else: less code for a browser than that of
 * `@headgate/client`. Nothing is opened before the first call. Throws `InvalidRequestError` for a wrong option and names it:
 * `management.baseUrl`.
 *
 * @example
 * ```ts
 * import { createClient } from "@headgate/client/roles"
 *
 * const { roles } = createClient({
 *   management: { baseUrl: "https://api.example.com", keyId: "my-key-id", keySecret: "hgs_..." }
 * })
 *
 * export const show = async (organizationId: string) => {
 *   console.log((await roles.list({ organizationId })).map(({ name }) => name))
 * }
 * ```
 */
export const createClient = (options: ManagementClientOptions): Closeable & { readonly roles: RolesClient } =>
  makeManagementClient(options, { roles })
