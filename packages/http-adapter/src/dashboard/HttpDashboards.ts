import { type DashboardCreate, Dashboards, type DashboardUpdate, type SeriesCreate, TileId } from "@headgate/core"
import { dashboardOperations, neutral } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { type Connection, ObservabilityConnection } from "../Connection.ts"
import { fromDottedPath } from "../ErrorAnswer.ts"
import { call, callList } from "../call.ts"

const createSettings = { nullable: [] }
// In an update, null clears these.
const updateSettings = { nullable: ["savedQuery", "savedQueryLanguage"] }

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

/** The port over the rows of an API. */
const makeDashboards = Effect.fnUntraced(function* (
  connection: Connection,
  operations: ReturnType<typeof dashboardOperations>
) {
  const random = yield* SecureRandom.SecureRandom
  const create = call(connection, operations.create, "HttpDashboards.create", createSettings)
  const list = callList(connection, operations.list, "HttpDashboards.list")
  const get = call(connection, operations.get, "HttpDashboards.get")
  const update = call(connection, operations.update, "HttpDashboards.update", updateSettings)
  const remove = call(connection, operations.delete, "HttpDashboards.delete")
  const validate = call(connection, operations.validate, "HttpDashboards.validate")
  const newTileId = Effect.map(random.uuidV4(), (id) => TileId.make(id))

  return Dashboards.of({
    // The real service requires `tiles`, and refuses null.
    create: (request) => create({}, { ...request, tiles: tilesRequest(request.tiles), tags: request.tags ?? [] }),
    list: () => list({}),
    get: (dashboardId) => get({ dashboardId }),
    update: Effect.fnUntraced(function* (dashboardId, request) {
      const tiles = yield* Effect.forEach(tilesRequest(request.tiles), (tile) =>
        tile.id === undefined || tile.id === null
          ? Effect.map(newTileId, (id) => ({ ...tile, id }))
          : Effect.succeed(tile)
      )
      return yield* update({ dashboardId }, { ...request, tiles, tags: request.tags ?? [] })
    }),
    delete: (dashboardId) => remove({ dashboardId }),
    validate: (document) =>
      Effect.map(validate({}, document), ({ errors, ...validation }) => ({
        ...validation,
        errors: errors.map(({ message, path }) => ({ message, path: fromDottedPath(path) }))
      }))
  })
})

const layer: Layer.Layer<Dashboards, never, ObservabilityConnection> = Layer.effect(
  Dashboards,
  Effect.flatMap(ObservabilityConnection, (connection) => makeDashboards(connection, dashboardOperations(neutral)))
).pipe(Layer.provide(SecureRandom.layerWebCrypto))

/**
 * The `Dashboards` port over the observability API, for the organization of the bearer token. Requests
 * always have `tiles` and `tags`, and no field that is null but `savedQuery` and `savedQueryLanguage` of an update: the real
 * service refuses a null in any other. Contract: sections 4.3 and 4.4.
 *
 * The service of the contract's time answers with other names than it takes, and wants an id for every tile of an update.
 * Requests give it the names that it takes, `asRatio` for `seriesReturnType` and `dataSource` for `table`, and new tiles an
 * id, so that what was read can be written.
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
export const HttpDashboards = { layer }
