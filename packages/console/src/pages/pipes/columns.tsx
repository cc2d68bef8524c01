import { number } from "../../format/numbers.ts"
import { State } from "../../parts/State.tsx"
import type { Column } from "../../parts/table/column.ts"
import { byNumber } from "../../parts/table/model.ts"
import type { PipeRow } from "./pipeRows.ts"

const figure = (name: "rowsPerSecond" | "lag" | "errors", title: string): Column<PipeRow> => ({
  name,
  title,
  value: (row) => row[name],
  compare: byNumber,
  render: (row) => number(row[name]),
  isNumber: true,
  width: "minmax(6rem, 0.6fr)"
})

/** The columns of the table of pipes. */
export const columns: ReadonlyArray<Column<PipeRow>> = [
  { name: "name", title: "Name", value: ({ name }) => name, width: "minmax(11rem, 2fr)" },
  {
    name: "state",
    title: "State",
    value: ({ state }) => state,
    render: ({ state }) => <State state={state} />,
    width: "minmax(8.5rem, 0.8fr)"
  },
  figure("rowsPerSecond", "Rows /s"),
  figure("lag", "Lag"),
  figure("errors", "Errors"),
  { name: "source", title: "Source", value: ({ source }) => source, width: "minmax(8.5rem, 0.7fr)" },
  { name: "table", title: "Table", value: ({ table }) => table, width: "minmax(10rem, 1.5fr)" },
  {
    name: "message",
    title: "Message",
    value: ({ message }) => message,
    render: ({ message }) => <span title={message ?? undefined}>{message ?? ""}</span>,
    width: "minmax(12rem, 2fr)"
  }
]
