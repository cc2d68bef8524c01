export type { BelowServiceClient } from "../BelowServiceClient.ts"
export type { ApiKeyCredentials, ManagementClientOptions, ManagementOptions } from "../ClientOptions.ts"
export { createClient } from "../dashboard/serviceSavedSearches.ts"
export type { ServiceAddress } from "../addresses.ts"
export type {
  DocumentsClient,
  SavedSearch,
  SavedSearchCreate,
  SavedSearchesClient
} from "../dashboard/DocumentsClient.ts"
export { SavedSearchNotFoundError, ServiceNotFoundError } from "../error/errorClasses.ts"
export * from "../everywhere.ts"
