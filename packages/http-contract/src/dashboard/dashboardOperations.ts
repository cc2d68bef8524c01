import {
  Dashboard,
  DashboardCreate,
  DashboardDocument,
  DashboardId,
  DashboardUpdate,
  DashboardValidation,
  ServiceAddress
} from "@headgate/core"
import type { NotFound } from "@headgate/core/adapter"
import * as Schema from "effect/Schema"
import type { Dialect } from "../Dialect.ts"
import { type ApiName, noContent, noParams, noPayload, type Operation, pathSegment } from "../Operation.ts"

/** The path parameter of the operations on one dashboard. Its id may be any text that a path can hold. */
const ids = { dashboardId: DashboardId.check(pathSegment("dashboard")) }
const DashboardParams = Schema.Struct(ids)
const ServiceDashboardParams = Schema.Struct({ ...ServiceAddress.fields, ...ids })

type PathParams<Params> = Schema.Codec<Params, { readonly [name: string]: string }>

/** What differs between the two APIs to the same dashboards. */
interface Place<
  Api extends ApiName,
  Params,
  Item extends typeof DashboardParams.Type,
  Missing extends NotFound["_tag"]
> {
  readonly api: Api
  readonly path: `/${string}`
  /** The parameters of the path of all dashboards, and those of one. */
  readonly params: PathParams<Params>
  readonly item: PathParams<Item>
  /** What a 404 of the path of all dashboards means. */
  readonly missing?: { readonly notFound: Missing }
  /** The envelope of a validation. */
  readonly validation: Api extends "observability" ? { readonly envelope: "none" } : {}
}

const rowsAt = <
  Api extends ApiName,
  Params,
  Item extends typeof DashboardParams.Type,
  Missing extends NotFound["_tag"] = never
>({
  api,
  item,
  missing,
  params,
  path,
  validation
}: Place<Api, Params, Item, Missing>) =>
  ({
    create: {
      api,
      method: "POST",
      path,
      permission: "dashboard:create",
      params,
      payload: DashboardCreate,
      success: Dashboard,
      ...missing,
      errors: ["CONFLICT"],
      isRepeatable: false,
      stability: "stable",
      summary: "Create a dashboard"
    } satisfies Operation<Params, DashboardCreate, Dashboard, Missing>,
    list: {
      api,
      method: "GET",
      path,
      permission: "dashboard:read",
      params,
      payload: noPayload,
      success: Schema.Array(Dashboard),
      ...missing,
      errors: [],
      isRepeatable: true,
      stability: "stable",
      summary: "List all dashboards"
    } satisfies Operation<Params, undefined, ReadonlyArray<Dashboard>, Missing>,
    validate: {
      api,
      method: "POST",
      path: `${path}/validate`,
      permission: "dashboard:validate",
      params,
      payload: DashboardDocument,
      success: DashboardValidation,
      ...validation,
      ...missing,
      errors: [],
      isRepeatable: true,
      stability: "beta",
      summary: "Validate the request for a dashboard"
    } satisfies Operation<Params, DashboardDocument, DashboardValidation, Missing>,
    get: {
      api,
      method: "GET",
      path: `${path}/:dashboardId`,
      permission: "dashboard:read",
      params: item,
      payload: noPayload,
      success: Dashboard,
      notFound: "DashboardNotFound",
      errors: [],
      isRepeatable: true,
      stability: "beta",
      summary: "Read a dashboard"
    } satisfies Operation<Item, undefined, Dashboard, "DashboardNotFound">,
    update: {
      api,
      method: "PUT",
      path: `${path}/:dashboardId`,
      permission: "dashboard:update",
      params: item,
      payload: DashboardUpdate,
      success: Dashboard,
      notFound: "DashboardNotFound",
      errors: ["CONFLICT"],
      isRepeatable: true,
      stability: "beta",
      summary: "Replace a dashboard"
    } satisfies Operation<Item, DashboardUpdate, Dashboard, "DashboardNotFound">,
    delete: {
      api,
      method: "DELETE",
      path: `${path}/:dashboardId`,
      permission: "dashboard:delete",
      params: item,
      payload: noPayload,
      success: noContent,
      notFound: "DashboardNotFound",
      errors: [],
      isRepeatable: true,
      stability: "beta",
      summary: "Delete a dashboard"
    } satisfies Operation<Item, undefined, void, "DashboardNotFound">
  }) as const

/**
 * The dashboard operations of the observability API: the same in every dialect. Contract:
 * docs/wire-contract.md#create-a-dashboard and docs/wire-contract.md#list-dashboards, the others by decision.
 *
 * @example
 * ```ts
 * import { dashboardOperations, neutral } from "@headgate/http-contract"
 *
 * const { method, path } = dashboardOperations(neutral).list
 * console.log(method, path) // GET /api/v2/dashboards
 * ```
 */
export const dashboardOperations = (_dialect: Dialect) =>
  rowsAt({
    api: "observability",
    path: "/api/v2/dashboards",
    params: noParams,
    item: DashboardParams,
    validation: { envelope: "none" }
  })

/**
 * The same operations on the same dashboards in the management API, below each service of the organization.
 *
 * @example
 * ```ts
 * import { neutral, serviceDashboardOperations } from "@headgate/http-contract"
 *
 * console.log(serviceDashboardOperations(neutral).list.path)
 * // /v1/organizations/:organizationId/services/:serviceId/dbstack/dashboards
 * ```
 */
export const serviceDashboardOperations = ({ stackSegment }: Dialect) =>
  rowsAt({
    api: "management",
    path: `/v1/organizations/:organizationId/services/:serviceId/${stackSegment}/dashboards`,
    params: ServiceAddress,
    item: ServiceDashboardParams,
    missing: { notFound: "ServiceNotFound" },
    validation: {}
  })
