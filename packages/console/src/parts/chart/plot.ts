import uPlot from "uplot"
import { tickText, timeTicks, valueTicks } from "../../format/ticks.ts"
import { type ChartData, lonely, stacked, styleOfSeries, valueRange } from "./chartModel.ts"
import type { Colours } from "./colours.ts"
import { drawnColumns } from "./thin.ts"

/** How a chart is drawn, beside its data. */
export interface PlotStyle {
  readonly colours: Colours
  /** Whether lines are told apart by dashes alone. */
  readonly isWithoutColours: boolean
  readonly zone: string
  /** A value of the axis, short. */
  readonly tick: (value: number) => string
  /** The series that are left out. */
  readonly hidden: ReadonlySet<string>
}

const leastHeight = 80

const axis = ({ colours }: PlotStyle): uPlot.Axis => ({
  stroke: colours.text,
  grid: { stroke: colours.line, width: 1 },
  ticks: { stroke: colours.line, width: 1 },
  font: "12px system-ui, sans-serif"
})

const axes = (style: PlotStyle): Array<uPlot.Axis> => {
  let step = 0
  return [
    {
      ...axis(style),
      size: 32,
      splits: (plot, _, from, to) => {
        const found = timeTicks(from, to, style.zone, Math.max(Math.floor(plot.width / 90), 1))
        step = found.step
        return [...found.ticks]
      },
      values: (_, splits) => splits.map((at) => tickText(at, style.zone, step))
    },
    {
      ...axis(style),
      size: 60,
      splits: (_, __, least, most) => [...valueTicks(least, most, 4)],
      values: (_, splits) => splits.map((value) => style.tick(value))
    }
  ]
}

const isStacked = ({ shape = "line" }: ChartData): boolean => shape !== "line"

/** The path of a shape of chart; `undefined` is uPlot's own, a line. */
const pathsOf = ({ shape }: ChartData) =>
  // A period begins at its time.
  shape === "stacked_bar" ? uPlot.paths.bars?.({ size: [0.85, 60], align: 1 }) : undefined

/** Two lines for each series: that of the buckets that have ended, and the dashed one to the bucket that has not. */
const lines = (data: ChartData, { colours, hidden, isWithoutColours }: PlotStyle): Array<uPlot.Series> => {
  const paths = pathsOf(data)
  return data.series.flatMap((one, index) => {
    const { dash } = styleOfSeries(one, index, isWithoutColours)
    const stroke = colours.series[index] ?? colours.text
    const line: uPlot.Series = {
      label: one.name,
      show: !hidden.has(one.name),
      stroke,
      width: 2,
      spanGaps: false,
      ...(paths === undefined ? {} : { paths }),
      points: {
        show: paths === undefined,
        size: 5,
        fill: stroke,
        filter: (plot, place) => lonely(plot.data[place] as ReadonlyArray<number | null>)
      }
    }
    // What is not ended has a ground of its own, so that nothing below is seen through it. Without colours dashes alone tell them apart.
    const ground = { fill: colours.ground }
    const [ended, running] = isStacked(data) ? [isWithoutColours ? ground : { fill: stroke }, ground] : [{}, {}]
    return [
      { ...line, ...ended, dash },
      { ...line, ...running, dash: [4, 4], width: 1.5 }
    ]
  })
}

/** Draws a small triangle and a line where something happened. */
const drawMarks =
  (data: () => ChartData, { colours }: PlotStyle) =>
  (plot: uPlot) => {
    const { height: depth, left, top, width } = plot.bbox
    const { ctx } = plot
    const size = 5 * devicePixelRatio
    ctx.save()
    ctx.strokeStyle = colours.text
    ctx.fillStyle = colours.text
    ctx.setLineDash([2, 4])
    for (const { at } of data().marks ?? []) {
      const x = plot.valToPos(at, "x", true)
      if (x < left || x > left + width) continue
      ctx.beginPath()
      ctx.moveTo(x, top)
      ctx.lineTo(x, top + depth)
      ctx.stroke()
      ctx.beginPath()
      ctx.moveTo(x - size, top)
      ctx.lineTo(x + size, top)
      ctx.lineTo(x, top + 1.6 * size)
      ctx.fill()
    }
    ctx.restore()
  }

const alignedData = (data: ChartData, { hidden }: PlotStyle, width: number): uPlot.AlignedData => {
  const values = isStacked(data)
    ? stacked(data.series, (name) => !hidden.has(name))
    : data.series.map(({ values }) => values)
  const columns = { times: data.times, series: values }
  const { series, times } = drawnColumns(columns, { ...data, isJoined: data.shape !== "stacked_bar" }, width)
  return [[...times], ...series.map((values) => [...values])]
}

/** A drawn chart. */
export interface Plot {
  readonly setData: (data: ChartData) => void
  readonly resize: (width: number, height: number) => void
  /** Moves the line of the crosshair to a time. */
  readonly point: (at: number | undefined) => void
  readonly destroy: () => void
}

/** Draws a chart into an element. `onPoint` gets the time that the mouse is at. */
export const drawPlot = (
  holder: HTMLElement,
  first: ChartData,
  style: PlotStyle,
  onPoint: (at: number | undefined) => void
): Plot => {
  let data = first
  let width = Math.max(holder.clientWidth, 50)
  let height = Math.max(holder.clientHeight, leastHeight)
  const plot = new uPlot(
    {
      width,
      height,
      ms: 1,
      // The last time of the axis is not cut off.
      padding: [8, 28, 0, 0],
      legend: { show: false },
      cursor: {
        y: false,
        points: { show: false },
        drag: { x: false, y: false, setScale: false },
        bind: {
          mousemove: (self, _, handler) => (event) => {
            handler(event)
            const box = self.over.getBoundingClientRect()
            onPoint(self.posToVal(event.clientX - box.left, "x"))
            return null
          },
          mouseleave: (_, __, handler) => (event) => {
            handler(event)
            onPoint(undefined)
            return null
          }
        }
      },
      scales: {
        x: { time: true, range: () => [data.from, data.to] },
        y: { range: (_, least, most) => valueRange(least, most) }
      },
      axes: axes(style),
      series: [{}, ...lines(first, style)],
      hooks: { draw: [drawMarks(() => data, style)] }
    },
    alignedData(first, style, width),
    holder
  )
  return {
    setData: (next) => {
      data = next
      plot.setData(alignedData(next, style, width))
    },
    resize: (nextWidth, nextHeight) => {
      const tall = Math.max(nextHeight, leastHeight)
      if (nextWidth < 50 || (Math.abs(nextWidth - width) < 1 && Math.abs(tall - height) < 1)) return
      width = nextWidth
      height = tall
      plot.setSize({ width, height })
      plot.setData(alignedData(data, style, width))
    },
    point: (at) => {
      const left = at === undefined ? -10 : plot.valToPos(at, "x")
      plot.setCursor({ left, top: at === undefined ? -10 : 5 }, false)
    },
    destroy: () => plot.destroy()
  }
}
