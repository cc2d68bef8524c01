import * as Schema from "effect/Schema"
import { absentOrNull, identified, openStruct } from "../schema/OpenStruct.ts"
import { TileCreate } from "./Tile.ts"

const Tag = Schema.String.check(Schema.isBetweenLength(1, 32, { message: "Expected 1 to 32 characters" }))

/**
 * What it takes to create a dashboard: a name of 1 to 1024 characters, at most 500 tiles, at most 50 tags of 1 to 32
 * characters. Contract: section 4.3; the bounds are decided. Tags that repeat are stored once.
 *
 * @example
 * ```ts
 * import { DashboardCreate } from "@headgate/core/dashboard"
 * import * as Schema from "effect/Schema"
 *
 * export const request: DashboardCreate = {
 *   name: "Errors",
 *   tiles: [{ x: 0, y: 0, w: 12, h: 4, series: [{ type: "time", aggFn: "count", where: "level:error" }] }]
 * }
 * // A document that was not written by this program is decoded: a bad field is named.
 * export const parse = Schema.decodeUnknownEffect(DashboardCreate, { errors: "all" })
 * ```
 */
export const DashboardCreate = openStruct({
  name: Schema.String.check(Schema.isBetweenLength(1, 1024, { message: "Expected 1 to 1024 characters" })),
  tiles: absentOrNull(
    Schema.Array(TileCreate).check(Schema.isMaxLength(500, { message: "Expected at most 500 tiles" }))
  ),
  tags: absentOrNull(Schema.Array(Tag).check(Schema.isMaxLength(50, { message: "Expected at most 50 tags" })))
}).pipe(identified("DashboardCreate"))
/** What {@link DashboardCreate} decodes to. */
export type DashboardCreate = typeof DashboardCreate.Type
