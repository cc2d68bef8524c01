import { ServiceAddress } from "@headgate/core"
import { belowService, type PortMethod, takesAddress } from "@headgate/http-contract"
import * as Record from "effect/Record"
import { call, type Row } from "./call.ts"
import type { Connection, ManagementApi } from "./connect.ts"
import type { RequestSettings } from "./encodeRequest.ts"

/** The operations of a port, by the names of its methods. */
interface Rows {
  readonly [name: string]: Row
}

type Method = (...args: never) => unknown

/** Whether a row is a method: the compiler takes a method for another that has more arguments. */
type Is<Operation extends Row, Expected extends Method> = [
  PortMethod<Operation>,
  Parameters<Expected>["length"]
] extends [Expected, Parameters<PortMethod<Operation>>["length"]]
  ? true
  : false

/** What is wrong with a table as the table of a port; `never` if nothing is. */
type Mismatch<Port, Table> = {
  readonly [Name in string & (keyof Port | keyof Table)]: [Port, Table] extends [
    { readonly [Each in Name]: infer Expected extends Method },
    { readonly [Each in Name]: infer Operation extends Row }
  ]
    ? Is<Operation, Expected> extends true
      ? never
      : `the row ${Name} is not the method ${Name} of the port`
    : `the row ${Name} is not the method ${Name} of the port`
}[string & (keyof Port | keyof Table)]

type Checked<Port, Table> = [Mismatch<Port, Table>] extends [never] ? Table : Mismatch<Port, Table>

/** How the requests of each method are written, where it is not as the table says. */
type Settings<Port> = { readonly [Name in keyof Port]?: RequestSettings }

const methodsOf = (
  rows: Rows,
  connection: Connection,
  name: string,
  settings: { readonly [name: string]: RequestSettings | undefined },
  givenParams: object = {}
) => {
  const calls = Record.map(rows, (row, method) => {
    const send = call(connection, row, `${name}.${method}`, settings[method])
    const hasAddress = takesAddress(row, givenParams)
    return (given: object) =>
      hasAddress
        ? (address: object, request?: unknown) => send({ ...given, ...address }, request)
        : (request?: unknown) => send(given, request)
  })
  return (given: object) => Record.map(calls, (of) => of(given))
}

/**
 * A port over a connection, from the table of its operations: each row is the method of its name. A row without its method, a
 * method without its row, and a row that is another method do not compile. `name` is that of the spans, as in `HttpPipes.get`.
 * What the adapter does in another way is a method beside it: `{ ...portOf<Port>()(table, connection, name), update }`.
 */
export const portOf =
  <Port extends object>() =>
  <Table extends Rows>(
    table: Table & Checked<Port, Table>,
    connection: Connection,
    name: string,
    settings: Settings<Port> = {}
  ): Port =>
    // `Checked` has compared each row with the method of its name.
    methodsOf(table, connection, name, settings)({}) as unknown as Port

/**
 * A port of each service.
 *
 * @example
 * ```ts
 * import type { ManagementConnection, ObservabilityConnection } from "@headgate/http-adapter"
 * import {
 *   makeHttpAlerts,
 *   makeHttpApiKeys,
 *   makeHttpCdcScaling,
 *   makeHttpCharts,
 *   makeHttpConnections,
 *   makeHttpConsoleSessions,
 *   makeHttpDashboardRoles,
 *   makeHttpDashboards,
 *   makeHttpOrganizations,
 *   makeHttpPipes,
 *   makeHttpReversePrivateEndpoints,
 *   makeHttpRoles,
 *   makeHttpSavedSearches,
 *   makeHttpServiceAlerts,
 *   makeHttpServiceCharts,
 *   makeHttpServiceDashboards,
 *   makeHttpServiceSavedSearches,
 *   makeHttpServices,
 *   makeHttpServiceSources,
 *   makeHttpServiceWebhooks,
 *   makeHttpSources,
 *   makeHttpWebhooks
 * } from "@headgate/http-adapter/ports"
 *
 * // The ports that a program has from its connections. A bundler leaves out those that it does not name.
 * export const managementPorts = (connection: ManagementConnection["Service"]) => ({
 *   apiKeys: makeHttpApiKeys(connection),
 *   cdcScaling: makeHttpCdcScaling(connection),
 *   consoleSessions: makeHttpConsoleSessions(connection),
 *   dashboardRoles: makeHttpDashboardRoles(connection),
 *   organizations: makeHttpOrganizations(connection),
 *   pipes: makeHttpPipes(connection),
 *   reversePrivateEndpoints: makeHttpReversePrivateEndpoints(connection),
 *   roles: makeHttpRoles(connection),
 *   serviceAlerts: makeHttpServiceAlerts(connection),
 *   serviceCharts: makeHttpServiceCharts(connection),
 *   serviceDashboards: makeHttpServiceDashboards(connection),
 *   serviceSavedSearches: makeHttpServiceSavedSearches(connection),
 *   services: makeHttpServices(connection),
 *   serviceSources: makeHttpServiceSources(connection),
 *   serviceWebhooks: makeHttpServiceWebhooks(connection)
 * })
 * export const observabilityPorts = (connection: ObservabilityConnection["Service"]) => ({
 *   alerts: makeHttpAlerts(connection),
 *   charts: makeHttpCharts(connection),
 *   connections: makeHttpConnections(connection),
 *   dashboards: makeHttpDashboards(connection),
 *   savedSearches: makeHttpSavedSearches(connection),
 *   sources: makeHttpSources(connection),
 *   webhooks: makeHttpWebhooks(connection)
 * })
 * ```
 */
export interface PortBelowService<Port> {
  readonly of: (address: ServiceAddress) => Port
}

/**
 * {@link portOf} for the port of each service: its table is that of the same operations under `/api/v2`, each of which is the
 * method of its name.
 */
export const portsBelowService =
  <Port extends object>() =>
  <Table extends Rows>(
    table: Table & Checked<Port, Table>,
    connection: ManagementApi,
    name: string,
    settings: Settings<Port> = {}
  ): ((address: ServiceAddress) => Port) => {
    const rows = belowService<Rows>(table, connection.dialect)
    const methods = methodsOf(rows, connection, name, settings, ServiceAddress.fields)
    // As in `portOf`.
    return (address) => methods(address) as unknown as Port
  }
