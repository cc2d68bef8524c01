import { OrganizationId, Service, ServiceAddress, ServiceStateChange } from "@headgate/core"
import * as Schema from "effect/Schema"
import type { Dialect } from "../Dialect.ts"
import { noPayload, type Operation } from "../Operation.ts"

const organizationParams = Schema.Struct({ organizationId: OrganizationId })

/**
 * The operations on services: the same in every dialect. Contract: docs/wire-contract.md#services.
 *
 * @example
 * ```ts
 * import { neutral, serviceOperations } from "@headgate/http-contract"
 *
 * const { method, path } = serviceOperations(neutral).setState
 * console.log(method, path) // PATCH /v1/organizations/:organizationId/services/:serviceId/state
 * ```
 */
export const serviceOperations = (_dialect: Dialect) => {
  const collection = "/v1/organizations/:organizationId/services"
  const path = `${collection}/:serviceId` as const
  return {
    list: {
      api: "management",
      method: "GET",
      path: collection,
      permission: "service:read",
      params: organizationParams,
      payload: noPayload,
      success: Schema.Array(Service),
      notFound: "OrganizationNotFound",
      errors: [],
      isRepeatable: true,
      stability: "beta",
      summary: "List the services of an organization"
    } satisfies Operation<typeof organizationParams.Type, undefined, ReadonlyArray<Service>, "OrganizationNotFound">,
    get: {
      api: "management",
      method: "GET",
      path,
      permission: "service:read",
      params: ServiceAddress,
      payload: noPayload,
      success: Service,
      notFound: "ServiceNotFound",
      errors: [],
      isRepeatable: true,
      stability: "beta",
      summary: "Read a service"
    } satisfies Operation<ServiceAddress, undefined, Service, "ServiceNotFound">,
    setState: {
      api: "management",
      method: "PATCH",
      path: `${path}/state`,
      permission: "service:update",
      params: ServiceAddress,
      payload: ServiceStateChange,
      success: Service,
      notFound: "ServiceNotFound",
      errors: ["CONFLICT"],
      isRepeatable: true,
      stability: "beta",
      summary: "Start, stop or wake a service"
    } satisfies Operation<ServiceAddress, ServiceStateChange, Service, "ServiceNotFound">
  } as const
}
