import { type Pipe, PipeAddress, ServiceAddress } from "@headgate/core"
import * as Schema from "effect/Schema"
import { type Dialect, renameSetting } from "../Dialect.ts"
import { noContent, noPayload, type Operation } from "../Operation.ts"
import { pipeCodec } from "./pipeCodec.ts"

const example = (dialect: Dialect) => ({
  id: "3c7d1a94-5e2f-4b60-9d83-7a1f0c6e2b58",
  serviceId: "8a4b6d2f-91c3-4e57-b0da-6f2c1e9d7b35",
  name: "clicks",
  state: "Running",
  createdAt: "2026-03-02T08:15:30Z",
  updatedAt: "2026-10-18T17:42:05.250Z",
  destination: { database: "analytics", table: "clicks", managedTable: true },
  scaling: { replicas: 2, replicaCpuMillicores: 250, replicaMemoryGb: 0.5 },
  settings: { [renameSetting(dialect, "db_max_threads")]: 8, streaming_max_insert_wait_ms: 5000 },
  source: { kinesis: { streamName: "clicks", region: "eu-central-1", timestamp: 1_769_860_800 } }
})

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
      summary: "List the pipes of a service",
      example: { success: [example(dialect)] }
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
      summary: "Read a pipe",
      example: { success: example(dialect) }
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
      errors: ["FAILED_DEPENDENCY"],
      isRepeatable: true,
      stability: "beta",
      summary: "Delete a pipe",
      example: {}
    } satisfies Operation<PipeAddress, undefined, void, "PipeNotFound">
  } as const
}
