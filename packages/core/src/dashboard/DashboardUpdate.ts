import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { dashboardFields, Position, Size, tileFields } from "./DashboardCreate.ts"
import { TileId } from "../id/dashboard.ts"

/**
 * A tile in an update: as in a new dashboard, but an `id` is kept. The service refuses a tile without its position or its
 * size. The type allows it, as that of a dashboard does, so that what was read can be written.
 */
export const TileUpdate = looseStruct({
  ...tileFields,
  x: nullish(Position, "The column of the left edge, in cells of the grid, from 0. Required."),
  y: nullish(Position, "The row of the top edge, in cells of the grid, from 0. Required."),
  w: nullish(Size, "The width, in cells of the grid: more than 0. Required."),
  h: nullish(Size, "The height, in cells of the grid: more than 0. Required."),
  id: nullish(TileId, "The id of the tile, which is kept. The service assigns one to a tile without.")
}).pipe(withIdentifier("TileUpdate", "A tile of an updated dashboard. Its id is kept."))
export type TileUpdate = typeof TileUpdate.Type

/**
 * The request that replaces a dashboard: what it does not name is gone. The bounds are those of a new dashboard. The ids of
 * its tiles are kept and may not be repeated. The `id` of the dashboard itself is ignored.
 *
 * @example
 * ```ts
 * import { Dashboards, type DashboardId, type DashboardUpdate } from "@headgate/core"
 * import * as Effect from "effect/Effect"
 *
 * // Read, change, write: the tiles keep their ids, and unknown fields are kept.
 * export const rename = (id: DashboardId, name: string) =>
 *   Dashboards.use((dashboards) =>
 *     Effect.flatMap(dashboards.get({ dashboardId: id }), (dashboard) => {
 *       const request: DashboardUpdate = { ...dashboard, name }
 *       return dashboards.update({ dashboardId: id }, request)
 *     })
 *   )
 * ```
 */
export const DashboardUpdate = looseStruct(dashboardFields(TileUpdate)).pipe(
  withIdentifier("DashboardUpdate", "The request that replaces a dashboard.")
)
export type DashboardUpdate = typeof DashboardUpdate.Type
