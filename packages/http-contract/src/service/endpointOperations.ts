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

const payloadExample = {
  description: "orders database",
  type: "VPC_ENDPOINT_SERVICE",
  vpcEndpointServiceName: "com.amazonaws.vpce.eu-central-1.vpce-svc-0123456789abcdef0",
  customPrivateDnsMappings: [{ privateDnsName: "orders.example.com" }]
}

const example = {
  ...payloadExample,
  id: "2b7c1f0e-9d3a-4c58-8e61-0f4a7b9c2d13",
  serviceId: "8a4b6d2f-91c3-4e57-b0da-6f2c1e9d7b35",
  endpointId: "vpce-2b7c1f0e9d3a4c588",
  dnsNames: ["vpce-2b7c1f0e9d3a4c588.invalid"],
  privateDnsNames: ["orders.example.com"],
  status: "PendingAcceptance"
}

/**
 * The operations on reverse private endpoints in a dialect. Contract: `ReversePrivateEndpoint` of the upstream service.
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
      summary: "List the reverse private endpoints of a service",
      example: { success: [example] }
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
      summary: "Read a reverse private endpoint",
      example: { success: example }
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
      stability: "beta",
      summary: "Create a reverse private endpoint",
      example: { payload: payloadExample, success: { ...example, status: "Provisioning" } }
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
      summary: "Replace the private DNS names of a reverse private endpoint",
      example: {
        payload: { customPrivateDnsMappings: payloadExample.customPrivateDnsMappings },
        success: example
      }
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
      summary: "Delete a reverse private endpoint",
      example: {}
    } satisfies Operation<ReversePrivateEndpointAddress, undefined, void, "ReversePrivateEndpointNotFound">
  } as const
}
