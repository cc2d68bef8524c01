import * as Schema from "effect/Schema"

/** The id of a dashboard. It is any non-empty string: the contract (section 2.4) says only "string". */
export const DashboardId = Schema.NonEmptyString.pipe(Schema.brand("DashboardId"))
export type DashboardId = typeof DashboardId.Type

/** The id of a tile, assigned by the service. Contract: section 2.4. */
export const TileId = Schema.NonEmptyString.pipe(Schema.brand("TileId"))
export type TileId = typeof TileId.Type
