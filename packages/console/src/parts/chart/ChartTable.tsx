import { useSignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { timeIn } from "../../format/times.ts"
import type { Column } from "../table/column.ts"
import { byNumber } from "../table/model.ts"
import { Table } from "../table/Table.tsx"
import { type ChartData, type ChartSeries, valueText } from "./chartModel.ts"

interface ChartTableProps {
  readonly name: string
  readonly data: ChartData
  readonly zone: string
  readonly text: (value: number) => string
}

interface Row {
  readonly at: number
  readonly values: ReadonlyArray<number | null | undefined>
}

const columnsOf = (
  series: ReadonlyArray<Pick<ChartSeries, "name" | "text">>,
  zone: string,
  text: (value: number) => string
): ReadonlyArray<Column<Row>> => [
  {
    name: "at",
    title: `Time (${zone})`,
    // What is copied is plain.
    value: ({ at }) => new Date(at).toISOString(),
    render: ({ at }) => timeIn(at, zone),
    width: "minmax(13rem, 1fr)"
  },
  ...series.map(({ name, text: own = text }, index) => ({
    name: `s${index}`,
    title: name,
    value: ({ values }: Row) => values[index],
    render: ({ values }: Row) => valueText(values[index], own),
    compare: byNumber,
    isNumber: true
  }))
]

const Rows = ({ data, name, text, zone }: ChartTableProps) => {
  const names = data.series.map((series) => series.name)
  const columns = useMemo(() => columnsOf(data.series, zone, text), [names.join("\n"), zone, text])
  const rows = useMemo(
    () => data.times.map((at, index) => ({ at, values: data.series.map(({ values }) => values[index]) })),
    [data]
  )
  return <Table label={name} columns={columns} rows={rows} keyOf={({ at }) => String(at)} sort="-at" />
}

/** The data of a chart as a table, the newest first: made when it is opened. */
export const ChartTable = (props: ChartTableProps) => {
  const isOpen = useSignal(false)
  return (
    <details onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}>
      <summary>Show as table</summary>
      {isOpen.value ? <Rows {...props} /> : null}
    </details>
  )
}
