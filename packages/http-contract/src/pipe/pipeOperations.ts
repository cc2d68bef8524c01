import {
  DiscoveredSchema,
  type Pipe,
  type PipeCreate,
  type PipeUpdate,
  SchemaDiscovery,
  PipeAddress,
  PipeContext,
  PipeStateChange,
  PipeStatus,
  ScalingUpdate,
  ServiceAddress,
  type Settings,
  type SettingsUpdate
} from "@headgate/core"
import * as Schema from "effect/Schema"
import { type Dialect, renameSetting } from "../Dialect.ts"
import { noContent, noPayload, type Operation } from "../Operation.ts"
import { pipeCodec, pipeCreateCodec, pipeUpdateCodec, settingsCodec, settingsUpdateCodec } from "./pipeCodec.ts"

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

const kinesis = {
  format: "JSONEachRow",
  streamName: "clicks",
  region: "eu-central-1",
  iteratorType: "LATEST",
  authentication: "IAM_USER"
}
const createExample = {
  name: "clicks",
  source: { kinesis: { ...kinesis, accessKey: { accessKeyId: "AKIAEXAMPLE", secretKey: "<secret>" } } },
  destination: {
    database: "analytics",
    table: "clicks",
    managedTable: true,
    columns: [{ name: "id", type: "String" }]
  }
}

const createdExample = {
  id: "3c7d1a94-5e2f-4b60-9d83-7a1f0c6e2b58",
  serviceId: "8a4b6d2f-91c3-4e57-b0da-6f2c1e9d7b35",
  ...createExample,
  source: { kinesis },
  fieldMappings: [],
  scaling: { replicas: 1, replicaCpuMillicores: 125, replicaMemoryGb: 0.5 },
  settings: {},
  state: "Provisioning",
  createdAt: "2026-11-22T08:15:30.000Z",
  updatedAt: "2026-11-22T08:15:30.000Z"
}

/**
 * The pipe operations in a dialect. Contract: section 4.1 (get), section 1 (delete), and the life cycle, section 4.
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
    create: {
      api: "management",
      method: "POST",
      path: collection,
      permission: "pipe:create",
      params: ServiceAddress,
      payload: pipeCreateCodec(dialect),
      success: pipe,
      notFound: "ServiceNotFound",
      errors: ["CONFLICT"],
      isRepeatable: false,
      stability: "beta",
      summary: "Create a pipe",
      example: { payload: createExample, success: createdExample }
    } satisfies Operation<ServiceAddress, PipeCreate, Pipe, "ServiceNotFound">,
    update: {
      api: "management",
      method: "PATCH",
      path,
      permission: "pipe:update",
      params,
      payload: pipeUpdateCodec(dialect),
      success: pipe,
      notFound: "PipeNotFound",
      errors: ["CONFLICT"],
      // But the changes of tables, of which a repeat fails.
      isRepeatable: true,
      stability: "beta",
      summary: "Change a pipe",
      example: {
        payload: { name: "clicks", source: { kinesis: { useEnhancedFanOut: true } } },
        success: example(dialect)
      }
    } satisfies Operation<PipeAddress, PipeUpdate, Pipe, "PipeNotFound">,
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
    } satisfies Operation<PipeAddress, undefined, void, "PipeNotFound">,
    setState: {
      api: "management",
      method: "PATCH",
      path: `${path}/state`,
      permission: "pipe:update",
      params,
      payload: PipeStateChange,
      success: pipe,
      notFound: "PipeNotFound",
      errors: ["CONFLICT"],
      // But `resync`, which would begin again.
      isRepeatable: true,
      stability: "beta",
      summary: "Start, stop or resync a pipe",
      example: { payload: { command: "stop" }, success: { ...example(dialect), state: "Stopping" } }
    } satisfies Operation<PipeAddress, PipeStateChange, Pipe, "PipeNotFound">,
    scale: {
      api: "management",
      method: "PATCH",
      path: `${path}/scaling`,
      permission: "pipe:update",
      params,
      payload: ScalingUpdate,
      success: pipe,
      notFound: "PipeNotFound",
      errors: ["CONFLICT"],
      isRepeatable: true,
      stability: "beta",
      summary: "Change the size of a pipe",
      example: { payload: { replicas: 2 }, success: example(dialect) }
    } satisfies Operation<PipeAddress, ScalingUpdate, Pipe, "PipeNotFound">,
    settings: {
      api: "management",
      method: "GET",
      path: `${path}/settings`,
      permission: "pipe:read",
      params,
      payload: noPayload,
      success: settingsCodec(dialect),
      notFound: "PipeNotFound",
      errors: [],
      isRepeatable: true,
      stability: "beta",
      summary: "Read the settings of a pipe",
      example: { success: example(dialect).settings }
    } satisfies Operation<PipeAddress, undefined, Settings, "PipeNotFound">,
    updateSettings: {
      api: "management",
      method: "PUT",
      path: `${path}/settings`,
      permission: "pipe:update",
      params,
      payload: settingsUpdateCodec(dialect),
      success: settingsCodec(dialect),
      notFound: "PipeNotFound",
      errors: ["CONFLICT"],
      isRepeatable: true,
      stability: "beta",
      summary: "Replace the settings of a pipe",
      example: { payload: example(dialect).settings, success: example(dialect).settings }
    } satisfies Operation<PipeAddress, SettingsUpdate, Settings, "PipeNotFound">,
    discoverSchema: {
      api: "management",
      method: "POST",
      path: `${collection}/schemaDiscovery`,
      permission: "pipe:discover",
      params: ServiceAddress,
      payload: SchemaDiscovery,
      success: DiscoveredSchema,
      notFound: "ServiceNotFound",
      errors: [],
      isRepeatable: true,
      stability: "beta",
      summary: "Discover the fields of a source; without a warehouse they are simulated",
      example: {
        payload: { source: createExample.source },
        success: {
          fields: [
            { name: "id", type: "String" },
            { name: "timestamp", type: "DateTime64(3)" },
            { name: "data", type: "String" }
          ]
        }
      }
    } satisfies Operation<ServiceAddress, SchemaDiscovery, DiscoveredSchema, "ServiceNotFound">,
    status: {
      api: "management",
      method: "GET",
      path: `${path}/status`,
      permission: "pipe:read",
      params,
      payload: noPayload,
      success: PipeStatus,
      notFound: "PipeNotFound",
      errors: [],
      isRepeatable: true,
      stability: "beta",
      summary: "Tell how a pipe goes on; its states are simulated",
      example: {
        success: {
          state: "Provisioning",
          message: null,
          since: "2026-10-18T17:42:05.250Z",
          next: "Running",
          due: "2026-10-18T17:42:05.750Z",
          simulated: true
        }
      }
    } satisfies Operation<PipeAddress, undefined, PipeStatus, "PipeNotFound">,
    context: {
      api: "management",
      method: "GET",
      path: `${collection}/context`,
      permission: "pipe:read",
      params: ServiceAddress,
      payload: noPayload,
      success: PipeContext,
      notFound: "ServiceNotFound",
      errors: [],
      isRepeatable: true,
      stability: "beta",
      summary: "Read what the service knows for its pipes",
      example: { success: {} }
    } satisfies Operation<ServiceAddress, undefined, PipeContext, "ServiceNotFound">
  } as const
}
