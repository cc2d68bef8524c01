import * as Schema from "effect/Schema"
import { absentOrNull, identified, openStruct } from "../schema/OpenStruct.ts"
import { DashboardId } from "./DashboardId.ts"
import { Tile } from "./Tile.ts"

/**
 * A dashboard made of tiles. Contract: sections 2.4, 4.3 and 4.4. A reader needs `id` and `name`; unknown fields are
 * kept, at every depth, so that a dashboard survives being kept as code by a program that does not know all of it.
 *
 * @example
 * ```ts
 * import { Dashboard } from "@headgate/core/dashboard"
 * import * as Schema from "effect/Schema"
 *
 * const dashboard = Schema.decodeUnknownSync(Dashboard)({
 *   id: "d-1",
 *   name: "Errors",
 *   tiles: [{ id: "t-1", x: 0, y: 0, w: 12, h: 4, series: [{ type: "time", aggFn: "count" }], folded: true }]
 * })
 * console.log(dashboard.tiles?.map(({ w }) => w)) // [ 12 ]
 * console.log(JSON.stringify(Schema.encodeSync(Dashboard)(dashboard)).includes("folded")) // true
 * ```
 */
export const Dashboard = openStruct({
  id: DashboardId,
  name: Schema.String,
  tiles: absentOrNull(Schema.Array(Tile)),
  tags: absentOrNull(Schema.Array(Schema.String))
}).pipe(identified("Dashboard"))
/** What {@link Dashboard} decodes to. */
export type Dashboard = typeof Dashboard.Type
