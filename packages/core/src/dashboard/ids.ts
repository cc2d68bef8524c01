import * as Schema from "effect/Schema"

/** The id of a dashboard. It is any string, `""` included: the contract (section 2.4) says only "string". */
export const DashboardId = Schema.String.pipe(Schema.brand("DashboardId")).annotate({
  description: "The id of the dashboard."
})
export type DashboardId = typeof DashboardId.Type

/** The id of a tile, assigned by the service: any string, `""` included. Contract: section 2.4. */
export const TileId = Schema.String.pipe(Schema.brand("TileId")).annotate({
  description: "The id of the tile, assigned by the service."
})
export type TileId = typeof TileId.Type
