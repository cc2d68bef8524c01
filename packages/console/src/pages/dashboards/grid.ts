/** The grid of a dashboard has this many columns. */
export const columns = 24

/** The most rows that a tile may be high, and the last row that one may begin in: beyond it a picture is no longer looked at. */
const mostRows = 1000

/** A place in the grid, in cells. */
export interface Cells {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

/** A tile that has a place. */
export interface Placed extends Cells {
  readonly id: string
}

const between = (value: number, least: number, most: number): number =>
  Math.min(Math.max(Math.round(value), least), most)

/** The nearest place that is inside the grid, in whole cells. What is not a number becomes the least. */
export const inside = ({ h, w, x, y }: Cells): Cells => {
  const [x_, y_, w_, h_] = [x, y, w, h].map((value) => (Number.isFinite(value) ? value : 0))
  const width = between(w_ ?? 0, 1, columns)
  return {
    x: between(x_ ?? 0, 0, columns - width),
    y: between(y_ ?? 0, 0, mostRows),
    w: width,
    h: between(h_ ?? 0, 1, mostRows)
  }
}

/** Whether two places share a cell. */
export const overlap = (one: Cells, other: Cells): boolean =>
  one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h

const byPlace = (one: Placed, other: Placed): number =>
  one.y - other.y || one.x - other.x || (one.id < other.id ? -1 : 1)

/**
 * Puts a tile at a place. Tiles that it covers move down, below what is there already; no tile moves up or to a side, and those that
 * nothing covers stay. The order of the tiles is kept.
 */
export const put = <Tile extends Placed>(tiles: ReadonlyArray<Tile>, id: string, place: Cells): ReadonlyArray<Tile> => {
  const placed: Array<Cells> = []
  const places = new Map<string, Cells>()
  const settle = (tile: string, wanted: Cells) => {
    let cells = wanted
    // Each step goes below one that is in the way, so it ends.
    for (;;) {
      const blocking = placed.find((other) => overlap(other, cells))
      if (blocking === undefined) break
      cells = { ...cells, y: blocking.y + blocking.h }
    }
    placed.push(cells)
    places.set(tile, cells)
  }
  settle(id, inside(place))
  for (const tile of tiles.toSorted(byPlace)) if (tile.id !== id) settle(tile.id, inside(tile))
  return tiles.map((tile) => ({ ...tile, ...places.get(tile.id) }))
}

/** The first place, by rows, where a tile of this size covers no other. */
export const freePlace = (tiles: ReadonlyArray<Cells>, w: number, h: number): Cells => {
  const { h: height, w: width } = inside({ x: 0, y: 0, w, h })
  const bottom = Math.max(0, ...tiles.map((tile) => tile.y + tile.h))
  for (let y = 0; y < bottom; y += 1) {
    for (let x = 0; x + width <= columns; x += 1) {
      const cells = { x, y, w: width, h: height }
      if (!tiles.some((tile) => overlap(tile, cells))) return cells
    }
  }
  return { x: 0, y: bottom, w: width, h: height }
}

const steps: ReadonlyMap<string, readonly [number, number]> = new Map([
  ["ArrowLeft", [-1, 0]],
  ["ArrowRight", [1, 0]],
  ["ArrowUp", [0, -1]],
  ["ArrowDown", [0, 1]]
])

/** The place that an arrow key gives a tile: it moves, or with `isResize` grows and shrinks; `undefined` for another key. */
export const placeOfKey = (tile: Cells, key: string, isResize: boolean): Cells | undefined => {
  const step = steps.get(key)
  if (step === undefined) return undefined
  const [dx, dy] = step
  return isResize
    ? inside({ ...tile, w: Math.min(tile.w + dx, columns - tile.x), h: tile.h + dy })
    : inside({ ...tile, x: tile.x + dx, y: tile.y + dy })
}

/** The place that a pointer gives a tile, from how far it was moved in pixels. */
export const placeOfPointer = (
  tile: Cells,
  moved: { readonly x: number; readonly y: number },
  cell: { readonly width: number; readonly height: number },
  isResize: boolean
): Cells => {
  const dx = Math.round(moved.x / cell.width)
  const dy = Math.round(moved.y / cell.height)
  return isResize
    ? inside({ ...tile, w: Math.min(tile.w + dx, columns - tile.x), h: tile.h + dy })
    : inside({ ...tile, x: tile.x + dx, y: tile.y + dy })
}

/** Where a tile is, in words: what a screen reader says after it was moved. */
export const placeText = ({ h, w, x, y }: Cells): string =>
  `column ${x + 1} of ${columns}, row ${y + 1}, ${w} wide, ${h} high`
