export type { BelowServiceClient } from "../BelowServiceClient.ts"
export type { ApiKeyCredentials, ManagementClientOptions, ManagementOptions } from "../ClientOptions.ts"
export { createClient } from "../dashboard/serviceWebhooks.ts"
export type { ServiceAddress } from "../addresses.ts"
export type {
  DocumentsClient,
  Webhook,
  WebhookCreate,
  WebhookDocument,
  WebhooksClient,
  WebhookValidation
} from "../dashboard/DocumentsClient.ts"
export { ServiceNotFoundError, WebhookNotFoundError } from "../error/errorClasses.ts"
export * from "../everywhere.ts"
