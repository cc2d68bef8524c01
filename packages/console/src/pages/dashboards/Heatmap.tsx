import type { ChartData } from "@headgate/core"
import { useEffect, useMemo, useRef } from "preact/hooks"
import { number } from "../../format/numbers.ts"
import { timeIn } from "../../format/times.ts"
import { ChartTable } from "../../parts/chart/ChartTable.tsx"
import { coloursChanged } from "../../parts/chart/colours.ts"
import type { Writing } from "./answer.ts"
import { type Heat, heatOf } from "./heat.ts"

const draw = (canvas: HTMLCanvasElement, { data, most }: Heat) => {
  const context = canvas.getContext("2d")
  if (context === null) return
  const { clientHeight, clientWidth } = canvas
  canvas.width = clientWidth * devicePixelRatio
  canvas.height = clientHeight * devicePixelRatio
  const [width, height] = [
    canvas.width / Math.max(data.times.length, 1),
    canvas.height / Math.max(data.series.length, 1)
  ]
  context.clearRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = getComputedStyle(canvas).color
  for (const [row, { values }] of data.series.entries()) {
    for (const [column, value] of values.entries()) {
      if (value === null || value <= 0 || most <= 0) continue
      // The least value that is there is seen.
      context.globalAlpha = 0.12 + 0.88 * (value / most)
      context.fillRect(column * width, row * height, Math.ceil(width), Math.max(height - 1, 1))
    }
  }
}

interface HeatmapProps {
  readonly name: string
  readonly data: ChartData
  readonly writing: Writing
}

/** A heatmap: its cells on a canvas, in the colours of the page, and the same as a table. */
export const Heatmap = ({ data, name, writing }: HeatmapProps) => {
  const heat = useMemo(() => heatOf(data, writing), [data, writing.zone])
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const element = canvas.current
    if (element === null) return
    const observer = new ResizeObserver(() => draw(element, heat))
    observer.observe(element)
    draw(element, heat)
    return () => observer.disconnect()
  }, [heat, coloursChanged.value])
  const { series } = heat.data
  const ends = [series[0]?.name, series.at(-1)?.name]
  return (
    <div class="heatmap">
      <div class="heatmap-plot">
        <p class="heatmap-rows quiet" aria-hidden="true">
          <span>{ends[0]}</span>
          <span>{series.length > 1 ? ends[1] : ""}</span>
        </p>
        <canvas
          ref={canvas}
          role="img"
          aria-label={`${name}: ${series.length} rows, ${heat.data.times.length} periods, the largest value is ${number(heat.most)}`}
        />
      </div>
      <p class="heatmap-times quiet">
        <span>{timeIn(heat.data.from, writing.zone)}</span>
        <span>{timeIn(heat.data.to, writing.zone)}</span>
      </p>
      <ChartTable name={name} data={heat.data} zone={writing.zone} text={number} />
    </div>
  )
}
