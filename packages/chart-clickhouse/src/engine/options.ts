import type { EmbeddedOptions, ServerOptions } from "@headgate/clickhouse"
import type { CallError, ConnectionId, OrganizationId } from "@headgate/core"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"

/** A warehouse that charts read. */
export type ChartWarehouse =
  /** By the user of queries, never by the mover's. */
  | ({ readonly _tag: "Server" } & ServerOptions)
  /** The engine inside this process, which the mover has open: connections of their own, which only read. */
  | ({ readonly _tag: "Embedded" } & Pick<EmbeddedOptions, "database" | "directory" | "load">)
  /** Charts of it fail with `FailedDependency` and this message, which says what to do. */
  | { readonly _tag: "NotQueried"; readonly message: string }

/** What a connection of an organization leads to. */
export type ChartConnection =
  | { readonly _tag: "Warehouse"; readonly warehouse: string }
  | {
      readonly _tag: "Host"
      /** A URL: `https://db.example.com:8443`. */
      readonly host: string
      readonly username: string
      readonly password: Redacted.Redacted
    }

/** Bounds of queries. Those of a caller are never above them. */
export interface QueryLimits {
  /** Seconds. 10 by default. */
  readonly seconds?: number
  /** Bytes of one query. 512 MiB by default. */
  readonly memory?: number
  /** Rows that a query reads. 1e9 by default. */
  readonly rows?: number
  /** Queries at work in a database. Half the cores by default, 1 to 4. */
  readonly atWork?: number
  /** Queries of one organization at work or waiting that may be at work. 2 by default. */
  readonly atWorkOfOne?: number
  /** Queries that wait. 32 by default. */
  readonly waiting?: number
}

/** How charts read. */
export interface ClickHouseChartEnginesOptions {
  /** The warehouses, by the names that `PipeTables` has: the id of a service, or `*`. */
  readonly warehouses: ReadonlyMap<string, ChartWarehouse>
  /** Databases of the warehouses that the operator lets organizations read. Without an organization: only while the store has one. */
  readonly queryDatabases?: ReadonlyArray<{ readonly organizationId?: OrganizationId; readonly database: string }>
  /** The connection of an organization; `undefined` if it has none of this id. */
  readonly connectionOf: (
    organizationId: OrganizationId,
    connectionId: ConnectionId
  ) => Effect.Effect<ChartConnection | undefined, CallError>
  /** Which of these tables a pipe of another organization names as a table that it writes to. */
  readonly namedByOthers: (
    organizationId: OrganizationId,
    warehouse: string,
    database: string,
    tables: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlySet<string>, CallError>
  /**
   * The address of a host that connections may lead to, which is the one that is connected to. Fails with why it is not allowed, or
   * cannot be resolved. Absent: no other host than the warehouses.
   */
  readonly addressOf?: (host: string) => Effect.Effect<string, { readonly message: string }>
  /** Sends the passwords of connections over plain http to other hosts than loopback, too. */
  readonly allowInsecureHttp?: boolean
  /** Runs the SQL of callers, on servers. */
  readonly allowRawSql?: boolean
  readonly limits?: QueryLimits
}
