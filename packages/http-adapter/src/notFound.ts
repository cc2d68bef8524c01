import {
  type AlertId,
  AlertNotFound,
  type ApiKeyAddress,
  type CallError,
  type ConnectionId,
  ConnectionNotFound,
  type DashboardId,
  DashboardNotFound,
  type OrganizationId,
  OrganizationNotFound,
  KeyNotFound,
  type PipeAddress,
  PipeNotFound,
  type ReversePrivateEndpointAddress,
  ReversePrivateEndpointNotFound,
  type RoleAddress,
  RoleNotFound,
  type SavedSearchId,
  SavedSearchNotFound,
  type ServiceAddress,
  ServiceNotFound,
  type SourceId,
  SourceNotFound,
  type WebhookId,
  WebhookNotFound
} from "@headgate/core"
import {
  alertNotFound,
  type CallFields,
  connectionNotFound,
  dashboardNotFound,
  keyNotFound,
  type NotFound,
  endpointNotFound,
  organizationNotFound,
  pipeNotFound,
  roleNotFound,
  savedSearchNotFound,
  serviceNotFound,
  sourceNotFound,
  webhookNotFound
} from "@headgate/core/adapter"
import * as Struct from "effect/Struct"

/** The fields of a "not found" error; its message begins with this summary. */
type FieldsWith = (summary: string) => CallFields

/** The parameters that each "not found" error is made from. */
export interface NotFoundParams {
  readonly ReversePrivateEndpointNotFound: ReversePrivateEndpointAddress
  readonly OrganizationNotFound: { readonly organizationId: OrganizationId }
  readonly ServiceNotFound: ServiceAddress
  readonly PipeNotFound: PipeAddress
  readonly DashboardNotFound: { readonly dashboardId: DashboardId }
  readonly ConnectionNotFound: { readonly connectionId: ConnectionId }
  readonly SourceNotFound: { readonly sourceId: SourceId }
  readonly SavedSearchNotFound: { readonly savedSearchId: SavedSearchId }
  readonly WebhookNotFound: { readonly webhookId: WebhookId }
  readonly AlertNotFound: { readonly alertId: AlertId }
  readonly KeyNotFound: ApiKeyAddress
  readonly RoleNotFound: RoleAddress
}

/** The tags of the errors that a 404 may mean. */
export type Missable = keyof NotFoundParams
/** The error that a 404 is, by its tag. */
export type NotFoundOf<Missing extends Missable> = Extract<NotFound, { readonly _tag: Missing }>

/** What a 404 means, by the `notFound` of the operation. */
const notFoundErrors: {
  readonly [Missing in Missable]: (params: NotFoundParams[Missing], fieldsWith: FieldsWith) => NotFoundOf<Missing>
} = {
  OrganizationNotFound: ({ organizationId }, fieldsWith) =>
    new OrganizationNotFound({ ...fieldsWith(organizationNotFound(organizationId).message), organizationId }),
  ReversePrivateEndpointNotFound: (address, fieldsWith) =>
    new ReversePrivateEndpointNotFound({ ...fieldsWith(endpointNotFound(address).message), address }),
  ServiceNotFound: (address, fieldsWith) =>
    new ServiceNotFound({ ...fieldsWith(serviceNotFound(address).message), address }),
  PipeNotFound: (address, fieldsWith) => new PipeNotFound({ ...fieldsWith(pipeNotFound(address).message), address }),
  DashboardNotFound: ({ dashboardId }, fieldsWith) =>
    new DashboardNotFound({ ...fieldsWith(dashboardNotFound(dashboardId).message), dashboardId }),
  ConnectionNotFound: ({ connectionId }, fieldsWith) =>
    new ConnectionNotFound({ ...fieldsWith(connectionNotFound(connectionId).message), connectionId }),
  SourceNotFound: ({ sourceId }, fieldsWith) =>
    new SourceNotFound({ ...fieldsWith(sourceNotFound(sourceId).message), sourceId }),
  SavedSearchNotFound: ({ savedSearchId }, fieldsWith) =>
    new SavedSearchNotFound({ ...fieldsWith(savedSearchNotFound(savedSearchId).message), savedSearchId }),
  WebhookNotFound: ({ webhookId }, fieldsWith) =>
    new WebhookNotFound({ ...fieldsWith(webhookNotFound(webhookId).message), webhookId }),
  AlertNotFound: ({ alertId }, fieldsWith) =>
    new AlertNotFound({ ...fieldsWith(alertNotFound(alertId).message), alertId }),
  KeyNotFound: ({ keyId, organizationId }, fieldsWith) =>
    new KeyNotFound({ ...fieldsWith(keyNotFound(organizationId, keyId).message), organizationId, keyId }),
  RoleNotFound: ({ organizationId, roleId }, fieldsWith) =>
    new RoleNotFound({ ...fieldsWith(roleNotFound(organizationId, roleId).message), organizationId, roleId })
}

// The first attempt of a retried delete may have deleted it.
const deletedNote = ({ attempts = 0, method }: CallError): string =>
  method === "DELETE" && attempts > 1 ? "; an earlier attempt, whose answer was lost, may have deleted it" : ""

// The message of the service stays, unless it says the same: a 404 may also come from a wrong base URL.
const fieldsOf =
  (error: CallError): FieldsWith =>
  (summary) => ({
    ...Struct.pick(error, ["status", "requestId", "method", "path", "attempts"]),
    message: `${summary}${error.message.endsWith(`: ${summary}`) ? "" : ` (${error.message})`}${deletedNote(error)}`
  })

/** The "not found" error of an operation for a 404, and every other error as it is. */
export const orNotFound =
  <Missing extends Missable>(missing: Missing | undefined, params: NotFoundParams[Missing]) =>
  (error: CallError): CallError | NotFoundOf<Missing> =>
    missing !== undefined && error._tag === "UnexpectedResponse" && error.status === 404
      ? notFoundErrors[missing](params, fieldsOf(error))
      : error
