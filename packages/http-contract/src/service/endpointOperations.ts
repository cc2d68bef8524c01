import {
  ReversePrivateEndpoint,
  ReversePrivateEndpointAddress,
  ReversePrivateEndpointCreate,
  ReversePrivateEndpointUpdate,
  ServiceAddress
} from "@headgate/core"
import * as Schema from "effect/Schema"
import type { Dialect } from "../Dialect.ts"
import { noContent, noPayload, type Operation } from "../Operation.ts"

/**
 * The operations on reverse private endpoints in a dialect. Contract: docs/wire-contract.md#reverse-private-endpoints.
 *
 * @example
 * ```ts
 * import { endpointOperations, neutral } from "@headgate/http-contract"
 *
 * console.log(endpointOperations(neutral).list.path)
 * // /v1/organizations/:organizationId/services/:serviceId/dbpipesReversePrivateEndpoints
 * ```
 */
export const endpointOperations = ({ pipesSegment }: Dialect) => {
  const collection =
    `/v1/organizations/:organizationId/services/:serviceId/${pipesSegment}ReversePrivateEndpoints` as const
  const path = `${collection}/:reversePrivateEndpointId` as const
  return {
    list: {
      api: "management",
      method: "GET",
      path: collection,
      permission: "endpoint:read",
      params: ServiceAddress,
      payload: noPayload,
      success: Schema.Array(ReversePrivateEndpoint),
      notFound: "ServiceNotFound",
      errors: [],
      isRepeatable: true,
      stability: "beta",
      summary: "List the reverse private endpoints of a service"
    } satisfies Operation<ServiceAddress, undefined, ReadonlyArray<ReversePrivateEndpoint>, "ServiceNotFound">,
    get: {
      api: "management",
      method: "GET",
      path,
      permission: "endpoint:read",
      params: ReversePrivateEndpointAddress,
      payload: noPayload,
      success: ReversePrivateEndpoint,
      notFound: "ReversePrivateEndpointNotFound",
      errors: [],
      isRepeatable: true,
      stability: "beta",
      summary: "Read a reverse private endpoint"
    } satisfies Operation<
      ReversePrivateEndpointAddress,
      undefined,
      ReversePrivateEndpoint,
      "ReversePrivateEndpointNotFound"
    >,
    create: {
      api: "management",
      method: "POST",
      path: collection,
      permission: "endpoint:write",
      params: ServiceAddress,
      payload: ReversePrivateEndpointCreate,
      success: ReversePrivateEndpoint,
      notFound: "ServiceNotFound",
      errors: ["CONFLICT", "FAILED_DEPENDENCY"],
      isRepeatable: false,
      canValidateOnly: true,
      stability: "beta",
      summary: "Create a reverse private endpoint"
    } satisfies Operation<ServiceAddress, ReversePrivateEndpointCreate, ReversePrivateEndpoint, "ServiceNotFound">,
    update: {
      api: "management",
      method: "PATCH",
      path,
      permission: "endpoint:write",
      params: ReversePrivateEndpointAddress,
      payload: ReversePrivateEndpointUpdate,
      success: ReversePrivateEndpoint,
      notFound: "ReversePrivateEndpointNotFound",
      errors: ["CONFLICT", "FAILED_DEPENDENCY"],
      isRepeatable: true,
      stability: "beta",
      summary: "Replace the private DNS names of a reverse private endpoint"
    } satisfies Operation<
      ReversePrivateEndpointAddress,
      ReversePrivateEndpointUpdate,
      ReversePrivateEndpoint,
      "ReversePrivateEndpointNotFound"
    >,
    delete: {
      api: "management",
      method: "DELETE",
      path,
      permission: "endpoint:write",
      params: ReversePrivateEndpointAddress,
      payload: noPayload,
      success: noContent,
      notFound: "ReversePrivateEndpointNotFound",
      errors: ["FAILED_DEPENDENCY"],
      isRepeatable: true,
      stability: "beta",
      summary: "Delete a reverse private endpoint"
    } satisfies Operation<ReversePrivateEndpointAddress, undefined, void, "ReversePrivateEndpointNotFound">
  } as const
}
