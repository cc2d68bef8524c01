export type { ObservabilityClientOptions, ObservabilityOptions } from "../ClientOptions.ts"
export { createClient } from "../dashboard/savedSearches.ts"
export type {
  DocumentsClient,
  SavedSearch,
  SavedSearchCreate,
  SavedSearchesClient
} from "../dashboard/DocumentsClient.ts"
export { SavedSearchNotFoundError } from "../error/errorClasses.ts"
export * from "../everywhere.ts"
