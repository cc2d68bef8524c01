import { type Signal, useSignal } from "@preact/signals"
import { useEffect, useId, useRef } from "preact/hooks"
import { timeIn } from "../../format/times.ts"
import { type ChartData, marksBetween, nearest, styleOfSeries, summaryOf, valueText } from "./chartModel.ts"
import { ChartTable } from "./ChartTable.tsx"
import { coloursChanged, isWithoutColours, readColours } from "./colours.ts"
import type { Plot } from "./plot.ts"

interface ChartProps {
  readonly name: string
  readonly data: ChartData
  readonly zone: string
  /** A value in full, such as `1,234 rows`. */
  readonly text: (value: number) => string
  /** A value of the axis. */
  readonly tick: (value: number) => string
}

/** What happens at the crosshair: the values of a bucket, and what was marked in it. */
const readout = ({ data, text, zone }: Omit<ChartProps, "name" | "tick">, index: number): string => {
  const at = data.times[index]
  if (at === undefined) return "No values"
  const next = data.times[index + 1] ?? data.to
  const values = data.series.map(({ name, text: own, values }) => `${name} ${valueText(values[index], own ?? text)}`)
  const marks = marksBetween(data.marks, at, next).map((mark) => mark.text)
  return [timeIn(at, zone), ...values, ...marks].join(", ")
}

const keys: Readonly<Record<string, (index: number, last: number) => number>> = {
  ArrowLeft: (index) => index - 1,
  ArrowRight: (index) => index + 1,
  PageUp: (index) => index - 10,
  PageDown: (index) => index + 10,
  Home: () => 0,
  End: (_, last) => last
}

interface LegendProps {
  readonly data: ChartData
  readonly hidden: ReadonlySet<string>
  readonly toggle: (name: string) => void
  /** The value that is shown beside each name. */
  readonly value: (index: number) => string
}

const Legend = ({ data, hidden, toggle, value }: LegendProps) => (
  <ul class="legend">
    {data.series.map((one, index) => {
      const { name } = one
      const { colour, dash } = styleOfSeries(one, index, isWithoutColours())
      return (
        <li key={name}>
          <button type="button" class="legend-item" aria-pressed={!hidden.has(name)} onClick={() => toggle(name)}>
            <span class={`series-mark series-${colour} ${dash.length === 0 ? "" : "is-dashed"}`} aria-hidden="true" />
            <bdi>{name}</bdi> <span class="legend-value">{value(index)}</span>
          </button>
        </li>
      )
    })}
  </ul>
)

/** Draws the plot while the chart is seen, anew when its style changes. */
const usePlot = (
  { data, tick, zone }: ChartProps,
  hidden: ReadonlySet<string>,
  pointed: Signal<number | undefined>
) => {
  const figure = useRef<HTMLElement>(null)
  const holder = useRef<HTMLDivElement>(null)
  const plot = useRef<Plot>(undefined)
  const latest = useRef(data)
  latest.current = data
  const isSeen = useSignal(false)
  const names = [
    data.shape,
    ...data.series.map(({ isPrevious, like, name }) => [name, isPrevious, like].join(" "))
  ].join("\n")
  useEffect(() => {
    const element = holder.current
    if (element === null) return
    const seen = new IntersectionObserver((entries) => {
      isSeen.value = entries.some(({ isIntersecting }) => isIntersecting)
    })
    const size = new ResizeObserver(() => plot.current?.resize(element.clientWidth, element.clientHeight))
    seen.observe(element)
    size.observe(element)
    return () => {
      seen.disconnect()
      size.disconnect()
    }
  }, [])
  useEffect(() => {
    if (!isSeen.value) return
    let isLeft = false
    // What draws is larger than the page that wants it, so it is a script of its own.
    const draw = async () => {
      const { drawPlot } = await import("./plot.ts")
      if (isLeft || holder.current === null || figure.current === null) return
      const style = {
        colours: readColours(figure.current),
        isWithoutColours: isWithoutColours(),
        zone,
        tick,
        hidden
      }
      plot.current = drawPlot(holder.current, latest.current, style, (at) => {
        pointed.value = at
      })
      plot.current.point(pointed.peek())
    }
    // Without the script, as after an upgrade of the server, the table and the summary are there.
    draw().catch(() => {})
    return () => {
      isLeft = true
      plot.current?.destroy()
      plot.current = undefined
    }
  }, [isSeen.value, names, zone, hidden, coloursChanged.value])
  useEffect(() => {
    plot.current?.setData(data)
    plot.current?.point(pointed.peek())
  }, [data])
  return { figure, holder, plot }
}

/**
 * Lines over time: with a legend that toggles them, a crosshair for mouse and keyboard, a summary for those who do not see it, and the
 * same data as a table.
 */
export const Chart = (props: ChartProps) => {
  const { data, name, text, zone } = props
  const id = useId()
  const hidden = useSignal<ReadonlySet<string>>(new Set())
  const pointed = useSignal<number | undefined>(undefined)
  const last = data.times.length - 1
  const { figure, holder, plot } = usePlot(props, hidden.value, pointed)
  const index = pointed.value === undefined ? last : nearest(data.times, pointed.value)
  const move = (event: KeyboardEvent) => {
    const to = keys[event.key]?.(index, last)
    if (to === undefined || last < 0) return
    event.preventDefault()
    pointed.value = data.times[Math.min(Math.max(to, 0), last)]
    plot.current?.point(pointed.value)
  }
  const toggle = (series: string) => {
    const next = new Set(hidden.value)
    if (!next.delete(series)) next.add(series)
    hidden.value = next
  }
  return (
    <figure class="chart" ref={figure} aria-labelledby={id} aria-describedby={`${id}-summary`}>
      <figcaption id={id}>{name}</figcaption>
      <p id={`${id}-summary`} class="hidden-label">
        {data.series.map((series) => summaryOf(series, series.text ?? text)).join(" ")}
      </p>
      <div
        class="plot"
        ref={holder}
        role="slider"
        tabIndex={0}
        aria-label={`${name}, time`}
        aria-valuemin={0}
        aria-valuemax={Math.max(last, 0)}
        aria-valuenow={Math.max(index, 0)}
        aria-valuetext={readout(props, index)}
        onKeyDown={move}
      />
      <p class="chart-time quiet" aria-hidden="true">
        {data.times[index] === undefined ? "No values" : timeIn(data.times[index], zone)}
        {data.isRunning && index === last ? ", not ended" : ""}
        {marksBetween(data.marks, data.times[index] ?? 0, data.times[index + 1] ?? data.to).map(
          (mark) => ` · ${mark.text}`
        )}
      </p>
      <Legend
        data={data}
        hidden={hidden.value}
        toggle={toggle}
        value={(series) => valueText(data.series[series]?.values[index], data.series[series]?.text ?? text)}
      />
      <ChartTable name={name} data={data} zone={zone} text={text} />
    </figure>
  )
}
