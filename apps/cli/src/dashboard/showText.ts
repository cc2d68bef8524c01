import { cut, escapeTerminalLine } from "@headgate/command-line"
import type * as DateTime from "effect/DateTime"
import { cellText, labelText, periodText, rangeText } from "../chart/chartText.ts"
import { type Drawing, labelWidthOf } from "../chart/Drawing.ts"
import { drawTile } from "../chart/drawTile.ts"
import { plainLine, tableText } from "../output/Layout.ts"
import type { Shown, ShowQuery, TileState } from "./showTiles.ts"

// A tile that is shown alone has more.
const mostOfEach = 10
const mostOfOne = 100

/** The lengths of the periods of all tiles. */
const periodsOf = ({ tiles }: Shown): string => {
  const seconds = tiles.flatMap(({ content }) =>
    content._tag === "Data" && content.data.granularitySeconds !== undefined ? [content.data.granularitySeconds] : []
  )
  return Array.from(new Set(seconds), periodText).join(" and ")
}

const titleOf = ({ dashboard, options }: ShowQuery, shown: Shown, zone: DateTime.TimeZone): string => {
  const periods = periodsOf(shown)
  const range = `${rangeText(shown.from, shown.to, zone)} ${options.timezone}`
  return `${escapeTerminalLine(dashboard.name)}  ${range}${periods === "" ? "" : `, ${periods}`}`
}

/** A dashboard in a terminal: a title with the range, and each tile. */
export const pictureOf = (query: ShowQuery, shown: Shown, zone: DateTime.TimeZone, width: number): string => {
  const drawing: Drawing = {
    width,
    labelWidth: labelWidthOf(width),
    zone,
    now: shown.now,
    most: shown.tiles.length === 1 ? mostOfOne : mostOfEach
  }
  return [
    cut(titleOf(query, shown, zone), width),
    ...shown.tiles.flatMap(({ content, tile }) => ["", ...drawTile({ name: tile.name ?? "", content }, drawing)])
  ].join("\n")
}

const plainTile = ({ content, tile }: TileState, zone: DateTime.TimeZone): string => {
  const name = plainLine("tile", escapeTerminalLine(tile.name ?? ""))
  if (content._tag === "Text") return `${name}\n${content.text.split("\n").map(escapeTerminalLine).join("\n")}`
  if (content._tag === "Failed") return `${name}\nnot shown: ${escapeTerminalLine(content.reason)}`
  const { columns, displayType, rows } = content.data
  const cells = rows.map((row) => columns.map((column, index) => cellText(row[index], column, { displayType, zone })))
  const table = tableText([columns.map((column) => labelText(column.name)), ...cells], {
    isPlain: true,
    width: Infinity
  })
  return `${name}\n${rows.length === 0 ? "no rows in this range" : table}`
}

/** A dashboard for screen readers: a line for each value. */
export const plainOf = (query: ShowQuery, shown: Shown, zone: DateTime.TimeZone): string =>
  [titleOf(query, shown, zone), ...shown.tiles.map((tile) => plainTile(tile, zone))].join("\n\n")
