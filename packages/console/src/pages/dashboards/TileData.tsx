import type { ChartData } from "@headgate/core"
import { formatNumber } from "@headgate/core/adapter"
import { useMemo } from "preact/hooks"
import { shortNumber } from "../../format/numbers.ts"
import { Chart } from "../../parts/chart/Chart.tsx"
import type { Column } from "../../parts/table/column.ts"
import { byNumber, valueOfCell } from "../../parts/table/model.ts"
import { Table } from "../../parts/table/Table.tsx"
import {
  barsOf,
  type DrawnChart,
  drawnChart,
  figuresOf,
  isOverTime,
  notesOf,
  tableColumns,
  type Writing
} from "./answer.ts"
import { Heatmap } from "./Heatmap.tsx"

interface DataProps {
  readonly name: string
  readonly data: ChartData
  /** When the answer came: what begins before it and ends later still runs. */
  readonly at: number
  readonly config: unknown
  readonly writing: Writing
}

/** How the values of the axis are written: short, or as their format says. */
const tickOf = (data: ChartData, { languages }: Writing): ((value: number) => string) => {
  const format = data.columns.find(({ role }) => role === "value")?.numberFormat
  return format === undefined || format.output === "number"
    ? shortNumber
    : (value) => formatNumber(value, { ...format, average: true }, languages)
}

const Lines = ({ data, drawn, name, writing }: Omit<DataProps, "at" | "config"> & { readonly drawn: DrawnChart }) => (
  <Chart name={name} data={drawn.data} zone={writing.zone} text={shortNumber} tick={tickOf(data, writing)} />
)

const Figures = ({ config, data, writing }: DataProps) => (
  <div class="figures">
    {figuresOf(data, config, writing).map(({ colour, isPrevious, rule, text }, index) => (
      <p key={index} class={isPrevious ? "figure is-previous" : `figure ${colour ?? ""}`}>
        {isPrevious ? <small>before: </small> : null}
        {text}
        {rule === undefined ? null : <small class="figure-rule">{rule}</small>}
      </p>
    ))}
  </div>
)

const percent = new Intl.NumberFormat(navigator.languages, { style: "percent", maximumFractionDigits: 1 })

const Bars = ({ data, name, writing }: DataProps) => {
  const bars = useMemo(() => barsOf(data, writing), [data])
  return (
    <ol class="bars" aria-label={name}>
      {bars.map(({ label, part, share, text }, index) => (
        <li key={index}>
          <span class="bar-label">
            <bdi>{label}</bdi>
          </span>
          <span class="bar-figure">
            {text}
            {data.displayType === "pie" && share !== undefined ? `, ${percent.format(share)}` : ""}
          </span>
          <span class="bar" aria-hidden="true" style={{ width: `${part * 100}%` }} />
        </li>
      ))}
    </ol>
  )
}

interface Row {
  readonly position: number
  readonly cells: ReadonlyArray<unknown>
}

const keyOf = ({ position }: Row) => String(position)

const Rows = ({ data, name, writing }: DataProps) => {
  const types = JSON.stringify(data.columns)
  const columns = useMemo(
    () =>
      tableColumns(data, writing).map(({ isNumber, isTime, text, title }, index): Column<Row> => ({
        name: `c${index}`,
        title,
        value: ({ cells }) => valueOfCell(cells[index]),
        render: ({ cells }) => <bdi>{text(cells[index])}</bdi>,
        isNumber,
        ...(isTime ? { width: "minmax(12.5rem, 1fr)" } : {}),
        ...(isNumber || isTime ? { compare: byNumber } : {})
      })),
    [types, writing.zone]
  )
  const rows = useMemo(() => data.rows.map((cells, position): Row => ({ position, cells })), [data])
  return <Table label={name} columns={columns} rows={rows} keyOf={keyOf} sort="" />
}

const Drawing = (props: DataProps & { readonly drawn: DrawnChart | undefined }) => {
  const { data, drawn } = props
  if (data.displayType === "heatmap") return <Heatmap {...props} />
  if (data.displayType === "number") return <Figures {...props} />
  if (data.displayType === "pie" || data.displayType === "bar") return <Bars {...props} />
  if (drawn !== undefined) return <Lines {...props} drawn={drawn} />
  return <Rows {...props} />
}

/** The data of a tile as its display type draws it, with what a reader must know of it. */
export const TileData = (props: DataProps) => {
  const { at, data, writing } = props
  const isLines = isOverTime(data) && data.displayType !== "heatmap"
  const drawn = useMemo(() => (isLines ? drawnChart(data, at, writing) : undefined), [data, writing.zone])
  const notes = notesOf(data, drawn?.hidden ?? data.hiddenSeries)
  return (
    <>
      <Drawing {...props} drawn={drawn} />
      {notes.map((note) => (
        <p key={note} class="quiet tile-note">
          {note}
        </p>
      ))}
    </>
  )
}
