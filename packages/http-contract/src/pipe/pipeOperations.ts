import { type Pipe, PipeAddress } from "@headgate/core"
import * as Schema from "effect/Schema"
import type { Dialect } from "../Dialect.ts"
import { noContent, noPayload, type Operation } from "../Operation.ts"
import { pipeCodec } from "./pipeCodec.ts"

/**
 * The pipe operations in a dialect. Contract: section 4.1 (get) and section 1 (delete).
 *
 * @example
 * ```ts
 * import { clickhouse, pipeOperations } from "@headgate/http-contract"
 *
 * console.log(pipeOperations(clickhouse).get.path)
 * // /v1/organizations/:organizationId/services/:serviceId/clickpipes/:clickPipeId
 * ```
 */
export const pipeOperations = (dialect: Dialect) => {
  const { pipeIdParameter, pipesSegment } = dialect
  const collection = `/v1/organizations/:organizationId/services/:serviceId/${pipesSegment}` as const
  const path = `${collection}/:${pipeIdParameter}` as const
  // In core the parameter is `pipeId` in every dialect; on the wire it has the dialect's name.
  const params = PipeAddress.pipe(Schema.encodeKeys({ pipeId: pipeIdParameter }))
  return {
    get: {
      api: "management",
      method: "GET",
      path,
      permission: "pipe:read",
      params,
      payload: noPayload,
      success: pipeCodec(dialect),
      notFound: "PipeNotFound",
      errors: [],
      isRepeatable: true,
      stability: "beta",
      summary: "Read a pipe"
    } satisfies Operation<PipeAddress, undefined, Pipe, "PipeNotFound">,
    delete: {
      api: "management",
      method: "DELETE",
      path,
      permission: "pipe:delete",
      params,
      payload: noPayload,
      success: noContent,
      notFound: "PipeNotFound",
      errors: [],
      isRepeatable: true,
      stability: "beta",
      summary: "Delete a pipe"
    } satisfies Operation<PipeAddress, undefined, void, "PipeNotFound">
  } as const
}
