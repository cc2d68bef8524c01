import {
  type BeforeQuery,
  DiscoveredSchema,
  type Pipe,
  type PipeCreate,
  type PipeUpdate,
  SchemaDiscovery,
  PipeAddress,
  PipeContext,
  ListedPipeStatus,
  HistoryQuery,
  PipeEvent,
  PipeHistory,
  PipeResume,
  PipeStateChange,
  PipeStatus,
  RejectedRow,
  ScalingUpdate,
  ServiceAddress,
  type Settings,
  type SettingsUpdate
} from "@headgate/core"
import { mostListed } from "@headgate/core/adapter"
import * as Schema from "effect/Schema"
import type { Dialect } from "../Dialect.ts"
import { noContent, noPayload, type Operation } from "../Operation.ts"
import { beforeQuery } from "../Paging.ts"
import { pipeCodec, pipeCreateCodec, pipeUpdateCodec, settingsCodec, settingsUpdateCodec } from "./pipeCodec.ts"

/**
 * The pipe operations in a dialect. Contract: docs/wire-contract.md#read-a-pipe and the sections that follow it.
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
    create: {
      api: "management",
      method: "POST",
      path: collection,
      permission: "pipe:create",
      params: ServiceAddress,
      payload: pipeCreateCodec(dialect),
      success: pipe,
      notFound: "ServiceNotFound",
      errors: ["CONFLICT", "FAILED_DEPENDENCY"],
      isRepeatable: false,
      canValidateOnly: true,
      stability: "beta",
      summary: "Create a pipe"
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
      errors: ["CONFLICT", "FAILED_DEPENDENCY"],
      // But the changes of tables, of which a repeat fails.
      isRepeatable: true,
      stability: "beta",
      summary: "Change a pipe"
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
      summary: "Delete a pipe"
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
      errors: ["CONFLICT", "FAILED_DEPENDENCY"],
      // But `resync`, which would begin again.
      isRepeatable: true,
      stability: "beta",
      summary: "Start, stop or resync a pipe"
    } satisfies Operation<PipeAddress, PipeStateChange, Pipe, "PipeNotFound">,
    resume: {
      api: "management",
      method: "POST",
      path: `${path}/resume`,
      permission: "pipe:update",
      params,
      payload: PipeResume,
      success: pipe,
      notFound: "PipeNotFound",
      errors: ["CONFLICT", "FAILED_DEPENDENCY"],
      isRepeatable: false,
      stability: "beta",
      documentsSession: true,
      summary: "Decide how a pipe goes on that could not go on by itself, and start it"
    } satisfies Operation<PipeAddress, PipeResume, Pipe, "PipeNotFound">,
    adopt: {
      api: "management",
      method: "POST",
      path: `${path}/adopt`,
      permission: "pipe:update",
      params,
      payload: noPayload,
      success: pipe,
      notFound: "PipeNotFound",
      errors: ["CONFLICT", "FAILED_DEPENDENCY"],
      isRepeatable: false,
      stability: "beta",
      documentsSession: true,
      summary: "Make a simulated pipe a real one, and start it"
    } satisfies Operation<PipeAddress, undefined, Pipe, "PipeNotFound">,
    scale: {
      api: "management",
      method: "PATCH",
      path: `${path}/scaling`,
      permission: "pipe:update",
      params,
      payload: ScalingUpdate,
      success: pipe,
      notFound: "PipeNotFound",
      errors: ["CONFLICT", "FAILED_DEPENDENCY"],
      isRepeatable: true,
      stability: "beta",
      summary: "Change the size of a pipe"
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
      summary: "Read the settings of a pipe"
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
      errors: ["CONFLICT", "FAILED_DEPENDENCY"],
      isRepeatable: true,
      stability: "beta",
      summary: "Replace the settings of a pipe"
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
      errors: ["FAILED_DEPENDENCY"],
      isRepeatable: true,
      stability: "beta",
      summary: "Discover the fields of a source; without a warehouse they are simulated"
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
      documentsSession: true,
      summary: "Tell how a pipe goes on: its state, the reason, and how fast it moves"
    } satisfies Operation<PipeAddress, undefined, PipeStatus, "PipeNotFound">,
    statuses: {
      api: "management",
      method: "GET",
      path: `${collection}/statuses`,
      permission: "pipe:read",
      params: ServiceAddress,
      payload: noPayload,
      success: Schema.Array(ListedPipeStatus),
      isConditional: true,
      notFound: "ServiceNotFound",
      errors: [],
      isRepeatable: true,
      stability: "beta",
      documentsSession: true,
      summary: "Tell how each pipe of a service goes on, without a question to its source"
    } satisfies Operation<ServiceAddress, undefined, ReadonlyArray<ListedPipeStatus>, "ServiceNotFound">,
    events: {
      api: "management",
      method: "GET",
      path: `${path}/events`,
      permission: "pipe:read",
      params,
      payload: beforeQuery(mostListed.events).annotate({ identifier: "PipeEventsRequest" }),
      success: Schema.Array(PipeEvent),
      notFound: "PipeNotFound",
      errors: [],
      isRepeatable: true,
      stability: "beta",
      documentsSession: true,
      summary: "List the changes of a pipe's state, the newest first"
    } satisfies Operation<PipeAddress, BeforeQuery, ReadonlyArray<PipeEvent>, "PipeNotFound">,
    errors: {
      api: "management",
      method: "GET",
      path: `${path}/errors`,
      permission: "data:read",
      params,
      payload: beforeQuery(mostListed.errors).annotate({ identifier: "RejectedRowsRequest" }),
      success: Schema.Array(RejectedRow),
      notFound: "PipeNotFound",
      errors: ["FAILED_DEPENDENCY"],
      isRepeatable: true,
      stability: "beta",
      documentsSession: true,
      summary: "List the rejected rows of a pipe, the newest first"
    } satisfies Operation<PipeAddress, BeforeQuery, ReadonlyArray<RejectedRow>, "PipeNotFound">,
    history: {
      api: "management",
      method: "GET",
      path: `${path}/history`,
      permission: "pipe:read",
      params,
      payload: HistoryQuery.annotate({ identifier: "PipeHistoryRequest" }),
      success: PipeHistory,
      notFound: "PipeNotFound",
      errors: [],
      isRepeatable: true,
      stability: "beta",
      documentsSession: true,
      summary: "Tell what a pipe has delivered in each step of a time, with its lag and its state"
    } satisfies Operation<PipeAddress, HistoryQuery, PipeHistory, "PipeNotFound">,
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
      summary: "Read what the service knows for its pipes"
    } satisfies Operation<ServiceAddress, undefined, PipeContext, "ServiceNotFound">
  } as const
}
