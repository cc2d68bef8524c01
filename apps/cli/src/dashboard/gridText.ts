import { escapeTerminalLine, fit } from "@headgate/command-line"
import { type Layout, tableText } from "../output/Layout.ts"
import { gridColumns, type PlacedTile, type Section } from "./grid.ts"

// A cell of the grid has 1 to 5 columns of the terminal, 4 in a file.
const maxCell = 5
const fileCell = 4
// More lines are counted.
const maxLines = 1000

/** A tile in the columns and lines of a terminal. */
interface Box {
  readonly tile: PlacedTile
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

const boxOf =
  (cell: number) =>
  (tile: PlacedTile): Box => {
    const [left, top] = [Math.round(tile.x * cell), Math.round(tile.y)]
    const right = Math.round((tile.x + tile.w) * cell)
    return { tile, left, top, width: right - left, height: Math.round(tile.y + tile.h) - top }
  }

/** A line of a box: the name in its upper edge, the kind of the chart below it. */
const boxLine = ({ height, tile, top, width }: Box, line: number): string => {
  const inner = width - 2
  const name = escapeTerminalLine(tile.name).trim()
  if (inner < 0) return "│".repeat(width)
  if (height === 1) return `[${fit(name, inner)}]`
  if (line === top + height - 1) return `└${"─".repeat(inner)}┘`
  if (line > top) return `│${fit(line === top + 1 ? ` ${escapeTerminalLine(tile.kind)}` : "", inner)}│`
  const label = name === "" ? "" : ` ${name}`
  const edge = (gap: string) => (label === "" ? "─".repeat(gap.length) : ` ${"─".repeat(gap.length - 1)}`)
  return `┌${fit(label, inner).replace(/(?<! ) +$/, edge)}┐`
}

const gridLine = (boxes: ReadonlyArray<Box>, line: number): string => {
  let text = ""
  let column = 0
  for (const box of boxes) {
    if (line < box.top || line >= box.top + box.height) continue
    text += " ".repeat(box.left - column) + boxLine(box, line)
    column = box.left + box.width
  }
  return text
}

const tileRows = (sections: ReadonlyArray<Section>): ReadonlyArray<ReadonlyArray<string>> =>
  sections.flatMap(({ tiles, title }) =>
    tiles.map(({ h, kind, name, w, x, y }) => [name, kind, title, ...[x, y, w, h].map(String)].map(escapeTerminalLine))
  )

/** Draws the grids of a dashboard in a terminal; plain, it lists the tiles with their places. */
export const gridText = (sections: ReadonlyArray<Section>, layout: Layout): string => {
  if (layout.isPlain)
    return tableText([["TILE", "KIND", "SECTION", "X", "Y", "WIDTH", "HEIGHT"], ...tileRows(sections)], layout)
  const { width } = layout
  const cell = width === Infinity ? fileCell : Math.min(Math.max(Math.floor(width / gridColumns), 1), maxCell)
  const lines: Array<string> = []
  let more = 0
  for (const { rows, tiles, title } of sections) {
    if (title !== "") lines.push(escapeTerminalLine(title))
    const boxes = tiles.map(boxOf(cell)).toSorted((one, other) => one.left - other.left)
    const all = Math.round(rows)
    const count = Math.min(all, Math.max(maxLines - lines.length, 0))
    for (let line = 0; line < count; line++) lines.push(gridLine(boxes, line))
    more += all - count
  }
  return (more > 0 ? [...lines, `… and ${more} more rows`] : lines).join("\n")
}
