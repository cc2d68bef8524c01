export type { CallOptions } from "./CallOptions.ts"
export type { ApiKeyCredentials, ClientOptions, ManagementOptions, ObservabilityOptions } from "./ClientOptions.ts"
export { createClient } from "./createClient.ts"
export type {
  Dashboard,
  DashboardCreate,
  DashboardsClient,
  DashboardUpdate,
  DashboardValidation
} from "./dashboard/DashboardsClient.ts"
export type {
  Connection,
  ConnectionCreate,
  ConnectionsClient,
  DashboardSource,
  DashboardSourceCreate,
  SourcesClient
} from "./dashboard/SourcesClient.ts"
export {
  type AnyHeadgateError,
  ClientClosedError,
  ConflictError,
  ConnectionError,
  ConnectionNotFoundError,
  DashboardNotFoundError,
  FailedDependencyError,
  ForbiddenError,
  InvalidRequestError,
  KeyNotFoundError,
  isHeadgateError,
  OrganizationNotFoundError,
  PipeNotFoundError,
  PreconditionFailedError,
  RateLimitedError,
  ReversePrivateEndpointNotFoundError,
  RoleNotFoundError,
  ServerError,
  ServiceNotFoundError,
  SourceNotFoundError,
  TimeoutError,
  UnauthorizedError,
  UnexpectedResponseError
} from "./error/errorClasses.ts"
export { HeadgateError } from "./error/HeadgateError.ts"
export type { HeadgateClient, ManagementClient, ObservabilityClient } from "./HeadgateClient.ts"
export type { Organization, OrganizationsClient } from "./organization/OrganizationsClient.ts"
export type { Pipe, PipeAddress, PipeCreate, PipesClient, PipeUpdate } from "./pipe/PipesClient.ts"
export type { ApiKey, ApiKeyCreate, ApiKeyUpdate, CreatedApiKey, KeysClient } from "./key/KeysClient.ts"
export type { Role, RoleCreate, RolesClient, RoleUpdate } from "./key/RolesClient.ts"
export { versionOf } from "./Plain.ts"
export type { CdcScalingClient } from "./service/CdcScalingClient.ts"
export type { PrivateEndpointsClient, ReversePrivateEndpoint } from "./service/PrivateEndpointsClient.ts"
export type { Service, ServicesClient } from "./service/ServicesClient.ts"
export { reveal, type Secret, secret } from "./Secret.ts"
