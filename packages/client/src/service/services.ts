import { Services } from "@headgate/core"
import { makeHttpServices } from "@headgate/http-adapter/ports"
import { neutral, serviceOperations } from "@headgate/http-contract"
import type { ManagementClientOptions } from "../ClientOptions.ts"
import type { Closeable } from "../Closeable.ts"
import type { ManagementNoun } from "../Noun.ts"
import { makeManagementClient } from "../makeHttpClient.ts"
import { promisesOf } from "../promisesOf.ts"
import type { ServicesClient } from "./ServicesClient.ts"

/** The database services of an organization. */
export const services: ManagementNoun<Services, ServicesClient> = {
  port: Services,
  overHttp: makeHttpServices,
  methods: (run, port) => promisesOf<ServicesClient>()(run, port, serviceOperations(neutral))
}

/**
 * Makes a client of the database services of an organization, and of nothing else: less code for a browser than that of
 * `@headgate/client`. Nothing is opened before the first call. Throws `InvalidRequestError` for a wrong option and names it:
 * `management.baseUrl`.
 *
 * @example
 * ```ts
 * import { createClient } from "@headgate/client/services"
 *
 * const { services } = createClient({
 *   management: { baseUrl: "https://api.example.com", keyId: "my-key-id", keySecret: "hgs_..." }
 * })
 *
 * export const show = async (organizationId: string) => {
 *   console.log((await services.list({ organizationId })).map(({ name }) => name))
 * }
 * ```
 */
export const createClient = (options: ManagementClientOptions): Closeable & { readonly services: ServicesClient } =>
  makeManagementClient(options, { services })
