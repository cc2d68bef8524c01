import { BelowService, SavedSearches } from "@headgate/core"
import { makeHttpServiceSavedSearches } from "@headgate/http-adapter/ports"
import type { BelowServiceClient } from "../BelowServiceClient.ts"
import type { ManagementClientOptions } from "../ClientOptions.ts"
import type { Closeable } from "../Closeable.ts"
import { belowService, type ServiceNoun } from "../Noun.ts"
import { makeManagementClient } from "../makeHttpClient.ts"
import type { SavedSearchesClient } from "./DocumentsClient.ts"
import { savedSearchesMethods } from "./savedSearches.ts"

/** The saved searches, reached through a service. */
export const serviceSavedSearches: ServiceNoun<SavedSearches, SavedSearchesClient> = {
  port: BelowService(SavedSearches),
  overHttp: makeHttpServiceSavedSearches,
  methods: belowService(savedSearchesMethods)
}

/**
 * Makes a client of the saved searches, reached through a service, and of nothing else: less code for a browser than that of
 * `@headgate/client`. Nothing is opened before the first call. Throws `InvalidRequestError` for a wrong option and names it:
 * `management.baseUrl`.
 *
 * @example
 * ```ts
 * import { createClient } from "@headgate/client/serviceSavedSearches"
 *
 * const { serviceSavedSearches } = createClient({
 *   management: { baseUrl: "https://api.example.com", keyId: "my-key-id", keySecret: "hgs_..." }
 * })
 *
 * export const show = async (organizationId: string, serviceId: string) => {
 *   console.log((await serviceSavedSearches.of({ organizationId, serviceId }).list()).length)
 * }
 * ```
 */
export const createClient = (
  options: ManagementClientOptions
): Closeable & { readonly serviceSavedSearches: BelowServiceClient<SavedSearchesClient> } =>
  makeManagementClient(options, { serviceSavedSearches })
