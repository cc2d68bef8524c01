import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import type { OrganizationId } from "../id/organization.ts"
import type { SourceNotFound } from "../error/NotFound.ts"
import { knownString } from "../schema/fieldSchemas.ts"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { boundedText } from "./documentFields.ts"
import { ConnectionId, SourceId } from "../id/dashboard.ts"
import type { OwnedDocuments } from "./OwnedDocuments.ts"

const sourceKinds = ["log", "trace", "metric", "session", "promql"] as const

const fields = {
  from: nullish(
    looseStruct({
      databaseName: nullish(Schema.String, "The name of the database."),
      tableName: nullish(Schema.String, "The name of the table.")
    }).pipe(withIdentifier("SourceTable", "The table that a data source reads.")),
    "The table that the source reads."
  ),
  timestampValueExpression: nullish(Schema.String, "The expression of the time of a row.")
}

/**
 * A data source of dashboards: a table with logs, traces, metrics or sessions, or what answers PromQL. It has many more fields, which depend on
 * its kind and which are kept as they are sent. Contract: docs/wire-contract.md#connections-and-data-sources.
 */
export const DashboardSource = looseStruct({
  id: SourceId,
  name: Schema.String.annotate({ description: "The name of the source." }),
  kind: nullish(knownString(sourceKinds), "What the rows are."),
  connection: nullish(ConnectionId, "The id of the connection to the database."),
  ...fields
}).pipe(withIdentifier("DashboardSource", "A data source of dashboards."))
export type DashboardSource = typeof DashboardSource.Type

/**
 * The request for a new source, and to replace one. Fields beside these are stored as they are sent. Contract:
 * docs/wire-contract.md#connections-and-data-sources.
 *
 * @example
 * ```ts
 * import { ConnectionId, type DashboardSourceCreate } from "@headgate/core"
 *
 * export const request: DashboardSourceCreate = {
 *   name: "Logs",
 *   kind: "log",
 *   connection: ConnectionId.make("65f5e4a3b9e77c001a567890"),
 *   from: { databaseName: "default", tableName: "otel_logs" }
 * }
 * ```
 */
export const DashboardSourceCreate = looseStruct({
  name: boundedText(255, "The name of the source"),
  kind: Schema.Literals(sourceKinds).annotate({
    description: "What the rows are.",
    message: `Expected ${sourceKinds.map((kind) => `"${kind}"`).join(" | ")}`
  }),
  connection: ConnectionId,
  ...fields
}).pipe(withIdentifier("DashboardSourceCreate", "The request for a data source."))
export type DashboardSourceCreate = typeof DashboardSourceCreate.Type

/**
 * The port to the data sources of one organization's dashboards. The layer decides which one, as a bearer token does
 * over HTTP. Contract: docs/wire-contract.md#connections-and-data-sources.
 *
 * @example
 * ```ts
 * import { DashboardSources } from "@headgate/core"
 * import * as Effect from "effect/Effect"
 *
 * // The ids of the sources that a heatmap can show.
 * export const traces = Effect.gen(function* () {
 *   const sources = yield* DashboardSources
 *   return (yield* sources.list()).flatMap(({ id, kind }) => (kind === "trace" ? [id] : []))
 * })
 * ```
 */
export class DashboardSources extends Context.Service<
  DashboardSources,
  OwnedDocuments<{ readonly sourceId: SourceId }, DashboardSourceCreate, DashboardSource, SourceNotFound>
>()("@headgate/core/dashboard/DashboardSources") {}

/**
 * The port to the data sources of every organization in a store, as `OrganizationDashboards` is for dashboards.
 *
 * @example
 * ```ts
 * import { OrganizationSources, type TokenPrincipal } from "@headgate/core/adapter"
 *
 * export const listFor = (caller: TokenPrincipal) =>
 *   OrganizationSources.use((sources) => sources.of(caller.organizationId).list())
 * ```
 */
export class OrganizationSources extends Context.Service<
  OrganizationSources,
  {
    /** The `DashboardSources` port of one organization. Nothing is read until a method is called. */
    readonly of: (organizationId: OrganizationId) => DashboardSources["Service"]
  }
>()("@headgate/core/dashboard/OrganizationSources") {}
