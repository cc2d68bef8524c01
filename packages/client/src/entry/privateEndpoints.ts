export type { ApiKeyCredentials, ManagementClientOptions, ManagementOptions } from "../ClientOptions.ts"
export { createClient } from "../service/privateEndpoints.ts"
export type { ServiceAddress } from "../addresses.ts"
export type {
  PrivateEndpointsClient,
  ReversePrivateEndpoint,
  ReversePrivateEndpointAddress,
  ReversePrivateEndpointCreate,
  ReversePrivateEndpointUpdate
} from "../service/PrivateEndpointsClient.ts"
export { ReversePrivateEndpointNotFoundError, ServiceNotFoundError } from "../error/errorClasses.ts"
export * from "../everywhere.ts"
