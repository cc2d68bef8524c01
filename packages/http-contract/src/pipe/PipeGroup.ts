import { PipeAddress } from "@headgate/core/pipe"
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { RequiredPermission } from "../access/RequiredPermission.ts"
import { ManagementSecurity } from "../access/Security.ts"
import type { Dialect } from "../Dialect.ts"
import { EmptyManagementEnvelope, managementEnvelope } from "../Envelope.ts"
import { managementResourceErrors } from "../ErrorBody.ts"
import { pipeOnWire } from "./PipeOnWire.ts"

const path = ({ pipeIdParameter, pipesSegment }: Dialect) =>
  `/v1/organizations/:organizationId/services/:serviceId/${pipesSegment}/:${pipeIdParameter}` as const

/** Inside, the parameter is `pipeId` in every dialect; on the wire it has the dialect's name. */
const params = ({ pipeIdParameter }: Dialect) => PipeAddress.pipe(Schema.encodeKeys({ pipeId: pipeIdParameter }))

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
export const pipeGroup = (dialect: Dialect) =>
  HttpApiGroup.make("pipe")
    .add(
      HttpApiEndpoint.get("get", path(dialect), {
        params: params(dialect),
        success: managementEnvelope(pipeOnWire(dialect)),
        error: managementResourceErrors
      })
        .annotate(RequiredPermission, "pipe:read")
        .annotateMerge(OpenApi.annotations({ summary: "Read a pipe" })),
      HttpApiEndpoint.delete("delete", path(dialect), {
        params: params(dialect),
        success: EmptyManagementEnvelope,
        error: managementResourceErrors
      })
        .annotate(RequiredPermission, "pipe:delete")
        .annotateMerge(OpenApi.annotations({ summary: "Delete a pipe" }))
    )
    .middleware(ManagementSecurity)
    .annotateMerge(OpenApi.annotations({ title: "Pipes", description: "The ingestion pipes of a service." }))
