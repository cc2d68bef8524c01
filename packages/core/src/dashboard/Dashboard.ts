import * as Schema from "effect/Schema"
import { absentOrNull, identified, openStruct } from "../schema/OpenStruct.ts"
import { DashboardId } from "./DashboardId.ts"
import { Tile } from "./Tile.ts"

/** A dashboard made of tiles. Contract: sections 2.4, 4.3 and 4.4. */
export const Dashboard = openStruct({
  id: DashboardId,
  name: Schema.String,
  tiles: absentOrNull(Schema.Array(Tile)),
  tags: absentOrNull(Schema.Array(Schema.String))
}).pipe(identified("Dashboard"))
export type Dashboard = typeof Dashboard.Type
