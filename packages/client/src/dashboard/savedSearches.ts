import { SavedSearches } from "@headgate/core"
import { makeHttpSavedSearches } from "@headgate/http-adapter/ports"
import { neutral, savedSearchOperations } from "@headgate/http-contract"
import type { ObservabilityClientOptions } from "../ClientOptions.ts"
import type { Closeable } from "../Closeable.ts"
import type { ObservabilityNoun, PortOf } from "../Noun.ts"
import { makeObservabilityClient } from "../makeHttpClient.ts"
import { promisesOf } from "../promisesOf.ts"
import type { Run } from "../Runner.ts"
import type { SavedSearchesClient } from "./DocumentsClient.ts"

/** The methods of the saved searches. */
export const savedSearchesMethods = <R>(run: Run<R>, port: PortOf<SavedSearches["Service"], R>): SavedSearchesClient =>
  promisesOf<SavedSearchesClient>()(run, port, savedSearchOperations(neutral))

/** The saved searches. */
export const savedSearches: ObservabilityNoun<SavedSearches, SavedSearchesClient> = {
  port: SavedSearches,
  overHttp: makeHttpSavedSearches,
  methods: savedSearchesMethods
}

/**
 * Makes a client of the saved searches, and of nothing else: less code for a browser than that of `@headgate/client`.
 * Nothing is opened before the first call. Throws `InvalidRequestError` for a wrong option and names it:
 * `observability.baseUrl`.
 *
 * @example
 * ```ts
 * import { createClient } from "@headgate/client/savedSearches"
 *
 * const { savedSearches } = createClient({
 *   observability: { baseUrl: "https://observability.example.com", token: "hgt_..." }
 * })
 *
 * export const show = async () => {
 *   console.log((await savedSearches.list()).length)
 * }
 * ```
 */
export const createClient = (
  options: ObservabilityClientOptions
): Closeable & { readonly savedSearches: SavedSearchesClient } => makeObservabilityClient(options, { savedSearches })
