import type * as Core from "@headgate/core"
import type { CallOptions } from "../CallOptions.ts"
import type { CallPromise, List } from "../CallPromise.ts"
import type { Input } from "../Input.ts"
import type { Plain } from "../Plain.ts"

/** A connection of dashboards to a database, without its password. */
export type Connection = Plain<Core.Connection>

/** A request to create or replace a connection. In a replacement, an absent password stays and `null` removes it. */
export type ConnectionCreate = Input<Core.ConnectionCreate>

/** A data source of dashboards. */
export type DashboardSource = Plain<Core.DashboardSource>

/** A request to create or replace a data source. */
export type DashboardSourceCreate = Input<Core.DashboardSourceCreate>

/**
 * The connections of dashboards to databases. `get`, `update` and `delete` reject with `ConnectionNotFoundError` if there is
 * no such connection.
 */
export interface ConnectionsClient {
  /** Lists all connections; their order is not promised. */
  readonly list: (options?: CallOptions) => List<Connection>
  /** Reads a connection. */
  readonly get: (id: string, options?: CallOptions) => CallPromise<Connection>
  /** Creates a connection. */
  readonly create: (request: ConnectionCreate, options?: CallOptions) => CallPromise<Connection>
  /** Replaces a connection. An absent `password` stays, `null` removes it. */
  readonly update: (id: string, request: ConnectionCreate, options?: CallOptions) => CallPromise<Connection>
  /** Deletes a connection. */
  readonly delete: (id: string, options?: CallOptions) => CallPromise<void>
}

/**
 * The data sources of dashboards. `get`, `update` and `delete` reject with `SourceNotFoundError` if there is no such source.
 */
export interface SourcesClient {
  /** Lists all data sources; their order is not promised. */
  readonly list: (options?: CallOptions) => List<DashboardSource>
  /** Reads a data source. */
  readonly get: (id: string, options?: CallOptions) => CallPromise<DashboardSource>
  /** Creates a data source. */
  readonly create: (request: DashboardSourceCreate, options?: CallOptions) => CallPromise<DashboardSource>
  /** Replaces a data source. */
  readonly update: (id: string, request: DashboardSourceCreate, options?: CallOptions) => CallPromise<DashboardSource>
  /** Deletes a data source. */
  readonly delete: (id: string, options?: CallOptions) => CallPromise<void>
}
