import type { Fields } from "../../format/fields.ts"
import type { ChartQuery } from "@headgate/client"
import { seriesConfig } from "@headgate/core/adapter"
import { type Cells, freePlace, overlap, put } from "./grid.ts"
import { type Dashboard, groupKeyOf, objectsOf, placeOf, type Tile } from "./tile.ts"

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, field]) => [name, sorted(field)])
  )
}

/** Whether two values of JSON are the same, whatever the order of their fields. */
export const isSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))

export const tilesOf = ({ tiles }: Dashboard): ReadonlyArray<Tile> => tiles ?? []

const withTiles = (dashboard: Dashboard, tiles: ReadonlyArray<Tile>): Dashboard => ({ ...dashboard, tiles })

/** The tiles with other places; one whose place stays is the same object. */
const placed = (tiles: ReadonlyArray<Tile>, places: ReadonlyMap<string, Cells>): ReadonlyArray<Tile> =>
  tiles.map((tile) => {
    const place = places.get(tile.id)
    return place === undefined || isSame(place, placeOf(tile)) ? tile : { ...tile, ...place }
  })

const cellsOf = (tile: Tile) => ({ id: String(tile.id), ...placeOf(tile) })

const placesOf = (cells: ReadonlyArray<Cells & { readonly id: string }>): ReadonlyMap<string, Cells> =>
  new Map(cells.map(({ h, id, w, x, y }) => [id, { x, y, w, h }]))

/** Puts a tile at a place; tiles of its group that it covers move down. */
export const moved = (dashboard: Dashboard, id: string, place: Cells): Dashboard => {
  const tile = tilesOf(dashboard).find((one) => one.id === id)
  if (tile === undefined) return dashboard
  const group = tilesOf(dashboard).filter((one) => groupKeyOf(one) === groupKeyOf(tile))
  return withTiles(dashboard, placed(tilesOf(dashboard), placesOf(put(group.map(cellsOf), id, place))))
}

/** Moves tiles down that cover another one, such as after the changes of two people. */
export const settled = (dashboard: Dashboard): Dashboard =>
  tilesOf(dashboard).reduce((next, { id }) => {
    const tile = tilesOf(next).find((one) => one.id === id)
    if (tile === undefined) return next
    const others = tilesOf(next).filter((one) => one.id !== id && groupKeyOf(one) === groupKeyOf(tile))
    const isCovered = others.some((one) => overlap(placeOf(one), placeOf(tile)))
    return isCovered ? moved(next, id, placeOf(tile)) : next
  }, dashboard)

/** The dashboard with a tile in the place of the one with its id, or with one more. */
export const withTile = (dashboard: Dashboard, tile: Tile): Dashboard => {
  const tiles = tilesOf(dashboard)
  const isThere = tiles.some(({ id }) => id === tile.id)
  return withTiles(dashboard, isThere ? tiles.map((one) => (one.id === tile.id ? tile : one)) : [...tiles, tile])
}

export const withoutTile = (dashboard: Dashboard, id: string): Dashboard =>
  withTiles(
    dashboard,
    tilesOf(dashboard).filter((tile) => tile.id !== id)
  )

const newPrefix = "new-"

/** The id of a tile until it is saved. */
export const newId = (dashboard: Dashboard): string => {
  const ids = new Set(tilesOf(dashboard).map(({ id }) => String(id)))
  let count = 1
  while (ids.has(`${newPrefix}${count}`)) count += 1
  return `${newPrefix}${count}`
}

/** A tile as it is added: a count over time, at the first free place. Its chart has the form that the dialect has. */
export const newTile = (dashboard: Dashboard, sourceId: string, dialect: "neutral" | "clickhouse"): Tile => {
  const place = freePlace(
    tilesOf(dashboard)
      .filter((tile) => groupKeyOf(tile) === "")
      .map(placeOf),
    12,
    5
  )
  const count = { aggFn: "count", where: "", whereLanguage: "lucene" }
  const chart =
    dialect === "neutral"
      ? { series: [{ type: "time", displayType: "line", sourceId, ...count, groupBy: [] }] }
      : { config: { displayType: "line", sourceId, select: [count] } }
  // The id is one of this page until it is saved.
  return { id: newId(dashboard), name: "New tile", ...place, ...chart } as Tile
}

/** The request that replaces the stored dashboard: tiles that are new get their ids from the service. */
export const requestOfDraft = (draft: Dashboard): Dashboard =>
  withTiles(
    draft,
    tilesOf(draft).map((tile) => {
      const whole = { ...tile, ...placeOf(tile) }
      if (!String(tile.id).startsWith(newPrefix)) return whole
      const { id: _, ...rest } = whole
      return rest as Tile
    })
  )

const withoutNulls = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))

/** The chart of a tile as `config`, also that of one in the older form. */
export const configOf = ({ asRatio, config, series }: Tile): Fields => {
  if (typeof config === "object" && config !== null) return config as unknown as Fields
  const given = objectsOf(series).map(withoutNulls)
  return given.length === 0 ? {} : seriesConfig(given, asRatio === true)
}

/** How a tile is asked for: by its id as long as its chart is the stored one, else as it is now. */
export const chartOf = (stored: Dashboard, tile: Tile): ChartQuery["tile"] => {
  const before = tilesOf(stored).find(({ id }) => id === tile.id)
  const isStored =
    before !== undefined &&
    isSame([before.config, before.series, before.asRatio], [tile.config, tile.series, tile.asRatio])
  return isStored
    ? { dashboardId: stored.id, tileId: tile.id }
    : ({ config: configOf(tile) } as unknown as ChartQuery["tile"])
}
