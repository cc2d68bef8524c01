import {
  BelowService,
  type DashboardCreate,
  Dashboards,
  type DashboardUpdate,
  type SeriesCreate,
  type ServiceAddress,
  TileId
} from "@headgate/core"
import { dashboardOperations, neutral } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import { ManagementConnection, ObservabilityConnection } from "../Connection.ts"
import { fromDottedPath } from "../ErrorAnswer.ts"
import type { Connection, ManagementApi } from "../connect.ts"
import { type PortBelowService, portOf, portsBelowService } from "../portOf.ts"

// In an update, null clears these.
const settings = { create: { nullable: [] }, update: { nullable: ["savedQuery", "savedQueryLanguage"] } }

const seriesRequest = (series: SeriesCreate): SeriesCreate => {
  const { table } = series
  return table === undefined ? series : { dataSource: table === "metrics" ? "metrics" : "events", ...series }
}

/** The tiles of a request, with the names that every version of the service takes, and without null in place of a list. */
const tilesRequest = <Tile extends NonNullable<(DashboardCreate | DashboardUpdate)["tiles"]>[number]>(
  tiles: ReadonlyArray<Tile> | null | undefined
): ReadonlyArray<Tile> =>
  (tiles ?? []).map((tile) => ({
    ...(tile["seriesReturnType"] === undefined ? {} : { asRatio: tile["seriesReturnType"] === "ratio" }),
    ...tile,
    ...(tile.series ? { series: tile.series.map(seriesRequest) } : {})
  }))

/** Whether a value is a list of objects, or there is none. */
const areObjects = (
  values: unknown
): values is ReadonlyArray<{ readonly [name: string]: unknown }> | null | undefined =>
  Predicate.isNullish(values) || (Array.isArray(values) && values.every((value) => Predicate.isObject(value)))

/** Whether a request is one as its type says. A gateway hands over what it was sent: what is no tile, is refused as it is encoded. */
const hasTiles = ({ tiles }: { readonly tiles?: unknown }): boolean =>
  areObjects(tiles) && (tiles ?? []).every((tile) => areObjects(tile["series"]))

/** A port whose requests every version of the service takes. */
const compatible = ({ makeUuid }: Connection, calls: Dashboards["Service"]): Dashboards["Service"] => {
  const newTileId = Effect.map(makeUuid, (id) => TileId.make(id))
  return {
    ...calls,
    // The real service requires `tiles`, and refuses null.
    create: (request) =>
      calls.create(
        hasTiles(request) ? { ...request, tiles: tilesRequest(request.tiles), tags: request.tags ?? [] } : request
      ),
    update: Effect.fnUntraced(function* (address, request) {
      if (!hasTiles(request)) return yield* calls.update(address, request)
      const tiles = yield* Effect.forEach(tilesRequest(request.tiles), (tile) =>
        tile.id === undefined || tile.id === null
          ? Effect.map(newTileId, (id) => ({ ...tile, id }))
          : Effect.succeed(tile)
      )
      return yield* calls.update(address, { ...request, tiles, tags: request.tags ?? [] })
    }),
    validate: (document) =>
      Effect.map(calls.validate(document), ({ errors, ...validation }) => ({
        ...validation,
        errors: errors.map(({ message, path }) => ({ message, path: fromDottedPath(path) }))
      }))
  }
}

/** The port `Dashboards` over a connection, without a layer. */
export const makeHttpDashboards = (connection: Connection): Dashboards["Service"] =>
  compatible(
    connection,
    portOf<Dashboards["Service"]>()(dashboardOperations(neutral), connection, "HttpDashboards", settings)
  )

/** The port `Dashboards` of each service over a connection, without a layer. */
export const makeHttpServiceDashboards = (connection: ManagementApi): PortBelowService<Dashboards["Service"]> => {
  const portFor = portsBelowService<Dashboards["Service"]>()(
    dashboardOperations(connection.dialect),
    connection,
    "HttpServiceDashboards",
    settings
  )
  return { of: (address) => compatible(connection, portFor(address)) }
}

const layer: Layer.Layer<Dashboards, never, ObservabilityConnection> = Layer.effect(
  Dashboards,
  Effect.map(ObservabilityConnection, makeHttpDashboards)
)

const layerServices: Layer.Layer<BelowService<Dashboards>, never, ManagementConnection> = Layer.effect(
  BelowService(Dashboards),
  Effect.map(ManagementConnection, makeHttpServiceDashboards)
)

const layerOfService = (address: ServiceAddress): Layer.Layer<Dashboards, never, ManagementConnection> =>
  Layer.effect(
    Dashboards,
    BelowService(Dashboards).useSync((dashboards) => dashboards.of(address))
  ).pipe(Layer.provide(layerServices))

/**
 * The `Dashboards` port over the observability API, for the organization of the bearer token. Requests always have
 * `tiles` and `tags`, and no field that is null but `savedQuery` and `savedQueryLanguage` of an update: the real
 * service refuses a null in any other. Contract: docs/wire-contract.md#create-a-dashboard and
 * docs/wire-contract.md#list-dashboards.
 *
 * The service of the contract's time answers with other names than it takes, and wants an id for every tile of an update.
 * Requests give it the names that it takes, `asRatio` for `seriesReturnType` and `dataSource` for `table`, and new tiles an
 * id, so that what was read can be written.
 *
 * `layerServices` is the port `BelowService(Dashboards)` over the management API, `layerOfService(address)` the `Dashboards` port of
 * one service over it, for programs that have an API key and no bearer token.
 *
 * @example
 * ```ts
 * import { Dashboards } from "@headgate/core"
 * import { HttpDashboards, ObservabilityConnection } from "@headgate/http-adapter"
 * import * as Effect from "effect/Effect"
 * import * as FetchHttpClient from "effect/http/FetchHttpClient"
 * import * as Layer from "effect/Layer"
 * import type * as Redacted from "effect/Redacted"
 *
 * // The dashboards of several organizations: a token belongs to one, so each has a layer of its own.
 * const layer = (token: Redacted.Redacted) =>
 *   Layer.fresh(HttpDashboards.layer).pipe(
 *     Layer.provide(ObservabilityConnection.layer({ baseUrl: "https://observability.example.com", token })),
 *     Layer.provide(FetchHttpClient.layer)
 *   )
 *
 * export const namesOf = (tokens: ReadonlyArray<Redacted.Redacted>) =>
 *   Effect.forEach(tokens, (token) =>
 *     Dashboards.use(({ list }) => list()).pipe(
 *       Effect.map((dashboards) => dashboards.map(({ name }) => name)),
 *       Effect.provide(layer(token))
 *     )
 *   )
 * ```
 */
export const HttpDashboards = { layer, layerOfService, layerServices }
