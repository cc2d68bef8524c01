import { cut, escapeTerminal, escapeTerminalLine, fit } from "@headgate/command-line"
import type { ChartData } from "@headgate/core"
import { chartColumns } from "@headgate/core/adapter"
import * as Duration from "effect/Duration"
import { numberText } from "./chartText.ts"
import { drawBars } from "./drawBars.ts"
import { drawHeatmap } from "./drawHeatmap.ts"
import { type Drawing, linesOf } from "./Drawing.ts"
import { drawSeries } from "./drawSeries.ts"
import { drawTable } from "./drawTable.ts"

/** What is known of a tile: its data, its text, or why there is neither. */
export type TileContent =
  | {
      readonly _tag: "Data"
      readonly data: ChartData
      /** Milliseconds: when it was asked for. */
      readonly at: number
      /** Why it is not newer. */
      readonly problem?: string
    }
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "Failed"; readonly reason: string }

/** A tile, with what it shows. */
interface ShownTile {
  readonly name: string
  readonly content: TileContent
}

const besideName = (name: string, text: string, { labelWidth, width }: Drawing): ReadonlyArray<string> =>
  linesOf(text, width - labelWidth - 1).map((line, index) =>
    `${fit(index === 0 ? name : "", labelWidth)} ${line}`.trimEnd()
  )

const drawNumber = (name: string, data: ChartData, drawing: Drawing): ReadonlyArray<string> => {
  const values = chartColumns(data, "value")
  const [row = []] = data.rows
  const shown = values.map(
    ({ column, index }) => (column.isPrevious === true ? "before: " : "") + numberText(row[index], column)
  )
  return besideName(name, shown.join(", "), drawing)
}

const drawData = (name: string, data: ChartData, drawing: Drawing): ReadonlyArray<string> => {
  if (data.rows.length === 0) return besideName(name, "no rows in this range", drawing)
  if (data.displayType === "heatmap") return drawHeatmap(name, data, drawing)
  if (data.displayType === "number") return drawNumber(name, data, drawing)
  if (data.displayType === "pie" || data.displayType === "bar") return drawBars(name, data, drawing)
  const isOverTime = data.granularitySeconds !== undefined && chartColumns(data, "time").length > 0
  if (isOverTime) return drawSeries(name, data, drawing)
  return drawTable(name, data, drawing)
}

const ageText = (millis: number): string => Duration.format(Duration.seconds(Math.max(Math.round(millis / 1000), 1)))

const drawText = (name: string, text: string, { most, width }: Drawing): ReadonlyArray<string> => {
  const lines = linesOf(escapeTerminal(text.trim()), width - 2)
  return [
    name,
    ...lines.slice(0, most).map((line) => `  ${line}`.trimEnd()),
    ...(lines.length > most ? [`  ${most} of ${lines.length} lines shown`] : [])
  ]
}

/** The lines of a tile in a terminal. Nothing in it can control the terminal. */
export const drawTile = ({ content, name }: ShownTile, drawing: Drawing): ReadonlyArray<string> => {
  const shown = cut(escapeTerminalLine(name).trim(), drawing.width)
  if (content._tag === "Text") return drawText(shown, content.text, drawing)
  if (content._tag === "Failed") return besideName(shown, `not shown: ${escapeTerminalLine(content.reason)}`, drawing)
  const { at, data, problem } = content
  const notes = [
    ...(problem === undefined ? [] : [`of ${ageText(drawing.now - at)} ago: ${problem}`]),
    ...data.warnings.map((warning) => `warning: ${warning}`)
  ]
  return [
    ...drawData(shown, data, drawing),
    ...notes.flatMap((note) => linesOf(escapeTerminalLine(note), drawing.width - 2).map((line) => `  ${line}`))
  ]
}
