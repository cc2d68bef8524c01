import * as Schema from "effect/Schema"
import { absentOrNull, identified, openStruct } from "../schema/OpenStruct.ts"
import { TileId } from "./DashboardId.ts"
import { Series, SeriesCreate } from "./Series.ts"

/** A tile of a dashboard, as read. Contract: section 2.4. Positions and sizes are in cells of the grid. */
export const Tile = openStruct({
  id: TileId,
  name: absentOrNull(Schema.String),
  x: absentOrNull(Schema.Finite),
  y: absentOrNull(Schema.Finite),
  w: absentOrNull(Schema.Finite),
  h: absentOrNull(Schema.Finite),
  asRatio: absentOrNull(Schema.Boolean),
  series: absentOrNull(Schema.Array(Series))
}).pipe(identified("Tile"))
/** What {@link Tile} decodes to. */
export type Tile = typeof Tile.Type

const Position = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0, { message: "Expected a number of at least 0" }))
const Size = Schema.Finite.check(Schema.isGreaterThan(0, { message: "Expected a number greater than 0" }))

/**
 * A tile, as written: `x` and `y` are at least 0, `w` and `h` greater than 0, in cells of the grid. An `id` that is
 * sent is ignored: the service assigns one. Contract: section 4.3.
 */
export const TileCreate = openStruct({
  name: absentOrNull(Schema.String),
  x: Position,
  y: Position,
  w: Size,
  h: Size,
  asRatio: absentOrNull(Schema.Boolean),
  series: absentOrNull(Schema.Array(SeriesCreate))
}).pipe(identified("TileCreate"))
/** What {@link TileCreate} decodes to. */
export type TileCreate = typeof TileCreate.Type
