import type { Tile } from "@headgate/core"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** The columns of the grid of a dashboard. */
export const gridColumns = 24
/** More tiles are not drawn: the service takes no more. */
export const maxTiles = 500
// A higher tile is drawn as high as this.
const maxHeight = 1000

/** A tile where the service shows it, in cells of the grid. */
export interface PlacedTile {
  readonly name: string
  /** The kind of its chart, such as `line`; empty if it does not say. */
  readonly kind: string
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

/** A grid of its own: a tab or a container of a dashboard, or what is in none. */
export interface Section {
  readonly title: string
  readonly rows: number
  readonly tiles: ReadonlyArray<PlacedTile>
}

/** What a dashboard is drawn from: one that was read, or the request for one. */
export interface DrawnDashboard {
  readonly tiles?: ReadonlyArray<Partial<Tile>> | null | undefined
  readonly containers?: unknown
}

const clamp = (value: number | null | undefined, least: number, most: number): number =>
  Math.min(Math.max(value ?? least, least), most)

const decodeConfig = Schema.decodeUnknownOption(Schema.Struct({ displayType: Schema.String }))

const kindOf = ({ config, series }: Partial<Tile>): string =>
  Option.match(decodeConfig(config), {
    onNone: () => series?.[0]?.type ?? "",
    onSome: ({ displayType }) => displayType
  })

/** Inside the grid: a tile that is too far right is moved left. A tile without a size has that of one cell. */
const bounded = (tile: Partial<Tile>): PlacedTile => {
  const w = clamp(tile.w, 1, gridColumns)
  return {
    name: tile.name ?? "",
    kind: kindOf(tile),
    x: clamp(tile.x, 0, gridColumns - w),
    y: clamp(tile.y, 0, Infinity),
    w,
    h: clamp(tile.h, 1, maxHeight)
  }
}

const bottom = ({ h, y }: PlacedTile): number => y + h

const sharesColumns = (one: PlacedTile, other: PlacedTile): boolean =>
  one.x < other.x + other.w && other.x < one.x + one.w

/**
 * Moves tiles up into the gaps above them, as the service does: from the top row to the bottom one, each until one that was
 * placed before stops it. A tile that overlaps those goes below them.
 */
const compact = (tiles: ReadonlyArray<PlacedTile>): ReadonlyArray<PlacedTile> => {
  const placed: Array<PlacedTile> = []
  for (const tile of tiles.toSorted((one, other) => one.y - other.y || one.x - other.x)) {
    const inColumns = placed.filter((other) => sharesColumns(tile, other))
    const overlapped = (y: number) => inColumns.find((other) => bottom(other) > y && other.y < y + tile.h)
    let y = tile.y
    let below = overlapped(y)
    if (below === undefined) y = Math.max(0, ...inColumns.map(bottom).filter((end) => end <= tile.y))
    while (below !== undefined) {
      y = bottom(below)
      below = overlapped(y)
    }
    placed.push({ ...tile, y })
  }
  return placed
}

const Containers = Schema.Array(
  Schema.Struct({
    id: Schema.String,
    title: Schema.optional(Schema.String),
    tabs: Schema.optional(Schema.Array(Schema.Struct({ id: Schema.String, title: Schema.optional(Schema.String) })))
  })
)
const decodeContainers = Schema.decodeUnknownOption(Containers)

/** Where a tile may be: in a container and one of its tabs, or in none. */
const placesOf = (containers: unknown) => {
  const known = Option.getOrElse(decodeContainers(containers), (): typeof Containers.Type => [])
  return known.flatMap(({ id, tabs = [], title = id }) => [
    { containerId: id, tabId: undefined, title },
    ...tabs.map((tab) => ({ containerId: id, tabId: tab.id, title: `${title} / ${tab.title ?? tab.id}` }))
  ])
}

const placeFinder = (containers: unknown) => {
  const places = placesOf(containers)
  const placeOf = ({ containerId, tabId }: Partial<Tile>) =>
    places.findLast((place) => place.containerId === containerId && (place.tabId ?? tabId) === tabId)
  return { places: [undefined, ...places], placeOf }
}

/** The tiles of a dashboard from the first grid to the last, in each from the top row to the bottom one and from left to right. */
export const tilesInOrder = <One extends Partial<Tile>>(
  tiles: ReadonlyArray<One>,
  containers: unknown
): ReadonlyArray<One> => {
  const { placeOf, places } = placeFinder(containers)
  const section = (tile: One): number => places.indexOf(placeOf(tile))
  return tiles.toSorted(
    (one, other) => section(one) - section(other) || (one.y ?? 0) - (other.y ?? 0) || (one.x ?? 0) - (other.x ?? 0)
  )
}

/** The grids of a dashboard, each compacted: what is in no container comes first. Grids without tiles are left out. */
export const sectionsOf = ({ containers, tiles }: DrawnDashboard): ReadonlyArray<Section> => {
  const { placeOf, places } = placeFinder(containers)
  const drawn = (tiles ?? []).slice(0, maxTiles).map((tile) => ({ place: placeOf(tile), tile: bounded(tile) }))
  return places.flatMap((place) => {
    const own = compact(drawn.filter((one) => one.place === place).map(({ tile }) => tile))
    return own.length === 0 ? [] : [{ title: place?.title ?? "", rows: Math.max(...own.map(bottom)), tiles: own }]
  })
}
