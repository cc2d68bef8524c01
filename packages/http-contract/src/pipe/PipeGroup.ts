import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { RequiredPermission } from "../access/RequiredPermission.ts"
import { ManagementSecurity } from "../access/Security.ts"
import type { Dialect } from "../Dialect.ts"
import { EmptyManagementEnvelope, managementEnvelope } from "../Envelope.ts"
import { managementResourceErrors } from "../ErrorBody.ts"
import { pipeOnWire } from "./PipeOnWire.ts"
import { pipeOperations } from "./pipeOperations.ts"

/**
 * The pipe operations, `get` and `delete`, in a dialect. Contract: section 4.1 (read) and section 1 (delete).
 *
 * @example
 * ```ts
 * import { clickhouse, pipeGroup } from "@headgate/http-contract"
 * import * as HttpApi from "effect/http-api/HttpApi"
 * import * as OpenApi from "effect/http-api/OpenApi"
 *
 * // An API with the pipes alone.
 * const { paths } = OpenApi.fromApi(HttpApi.make("pipes").add(pipeGroup(clickhouse)))
 * console.log(Object.keys(paths)[0])
 * // /v1/organizations/{organizationId}/services/{serviceId}/clickpipes/{clickPipeId}
 * ```
 */
export const pipeGroup = (dialect: Dialect) => {
  const operations = pipeOperations(dialect)
  return HttpApiGroup.make("pipe")
    .add(
      HttpApiEndpoint.get("get", operations.get.path, {
        params: operations.get.params,
        success: managementEnvelope(pipeOnWire(dialect)),
        error: managementResourceErrors
      })
        .annotate(RequiredPermission, operations.get.permission)
        .annotateMerge(OpenApi.annotations({ summary: "Read a pipe" })),
      HttpApiEndpoint.delete("delete", operations.delete.path, {
        params: operations.delete.params,
        success: EmptyManagementEnvelope,
        error: managementResourceErrors
      })
        .annotate(RequiredPermission, operations.delete.permission)
        .annotateMerge(OpenApi.annotations({ summary: "Delete a pipe" }))
    )
    .middleware(ManagementSecurity)
    .annotateMerge(OpenApi.annotations({ title: "Pipes", description: "The ingestion pipes of a service." }))
}
