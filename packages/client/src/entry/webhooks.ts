export type { ObservabilityClientOptions, ObservabilityOptions } from "../ClientOptions.ts"
export { createClient } from "../dashboard/webhooks.ts"
export type {
  DocumentsClient,
  Webhook,
  WebhookCreate,
  WebhookDocument,
  WebhooksClient,
  WebhookValidation
} from "../dashboard/DocumentsClient.ts"
export { WebhookNotFoundError } from "../error/errorClasses.ts"
export * from "../everywhere.ts"
