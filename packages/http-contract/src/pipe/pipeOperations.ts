import { type Pipe, PipeAddress, ServiceAddress } from "@headgate/core"
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
  const pipe = pipeCodec(dialect)
  return {
    list: {
      api: "management",
      method: "GET",
      path: collection,
      permission: "pipe:read",
      params: ServiceAddress,
      payload: noPayload,
      success: Schema.Array(pipe),
      notFound: "ServiceNotFound",
      errors: [],
      isRepeatable: true,
      stability: "beta",
      summary: "List the pipes of a service"
    } satisfies Operation<ServiceAddress, undefined, ReadonlyArray<Pipe>, "ServiceNotFound">,
    get: {
      api: "management",
      method: "GET",
      path,
      permission: "pipe:read",
      params,
      payload: noPayload,
      success: pipe,
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
