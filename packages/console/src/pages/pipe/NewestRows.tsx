import { useSignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { calls } from "../../data/calls.ts"
import { now } from "../../data/clock.ts"
import { usePoll } from "../../data/poll.ts"
import { may } from "../../data/session.ts"
import { visible } from "../../format/rawBytes.ts"
import { Polled } from "../../parts/Conditions.tsx"
import type { Column } from "../../parts/table/column.ts"
import { byNumber, valueOfCell } from "../../parts/table/model.ts"
import { Table } from "../../parts/table/Table.tsx"
import { targetsOf } from "./details.ts"
import type { PipeDocument } from "./usePipe.ts"

interface Row {
  readonly position: number
  readonly cells: ReadonlyArray<unknown>
}

const isNumeric = (type: string): boolean => /^(?:Nullable\()?(?:U?Int|Float|Decimal)/.test(type)

const columnsOf = (
  columns: ReadonlyArray<{ readonly name: string; readonly type: string }>
): ReadonlyArray<Column<Row>> =>
  columns.map(({ name, type }, index) => ({
    name: `c${index}`,
    title: name,
    value: ({ cells }) => valueOfCell(cells[index]),
    render: ({ cells }) => {
      const value = valueOfCell(cells[index])
      return value === null ? <span class="quiet">NULL</span> : <bdi>{visible(String(value))}</bdi>
    },
    width: "minmax(9rem, 1fr)",
    ...(isNumeric(type) ? { compare: byNumber, isNumber: true } : {})
  }))

const Rows = ({ pipe, table }: { readonly pipe: PipeDocument; readonly table: string | undefined }) => {
  const poll = usePoll(
    (signal) =>
      calls.chart.query(
        { tile: { pipeId: pipe.id, ...(table === undefined ? {} : { table }) }, from: 0, to: now() },
        { signal }
      ),
    10_000,
    [pipe.id, table]
  )
  return (
    <Polled poll={poll} of="the newest rows">
      {(data) => <Answered columns={data.columns} rows={data.rows} warnings={data.warnings} />}
    </Polled>
  )
}

interface AnsweredProps {
  readonly columns: ReadonlyArray<{ readonly name: string; readonly type: string }>
  readonly rows: ReadonlyArray<ReadonlyArray<unknown>>
  readonly warnings: ReadonlyArray<string>
}

const Answered = ({ columns: answered, rows: cells, warnings }: AnsweredProps) => {
  const types = JSON.stringify(answered.map(({ name, type }) => [name, type]))
  const columns = useMemo(() => columnsOf(answered), [types])
  const rows = useMemo(() => cells.map((row, position) => ({ position, cells: row })), [cells])
  return (
    <>
      {warnings.map((warning) => (
        <p key={warning} class="stale">
          {warning}
        </p>
      ))}
      {rows.length === 0 ? (
        <p class="quiet">The table has no rows.</p>
      ) : (
        <Table label="Newest rows" columns={columns} rows={rows} keyOf={({ position }) => String(position)} sort="" />
      )}
    </>
  )
}

/** The newest rows of a table that the pipe created: read when somebody wants to see them. */
export const NewestRows = ({ pipe }: { readonly pipe: PipeDocument }) => {
  const isShown = useSignal(false)
  const chosen = useSignal<string | undefined>(undefined)
  if (!may("chart:query")) return null
  const tables = targetsOf(pipe)
  return (
    <section aria-labelledby="rows">
      <div class="row section-head">
        <h2 id="rows">Newest rows</h2>
        {tables.length > 1 ? (
          <label>
            <span class="hidden-label">Table</span>
            <select onChange={(event) => (chosen.value = event.currentTarget.value)}>
              {tables.map((table) => (
                <option key={table} value={table}>
                  {table}
                </option>
              ))}
            </select>
          </label>
        ) : null}
        <button type="button" aria-expanded={isShown.value} onClick={() => (isShown.value = !isShown.value)}>
          {isShown.value ? "Hide" : "Show"}
        </button>
      </div>
      {isShown.value ? <Rows pipe={pipe} table={chosen.value ?? tables[0]} /> : null}
    </section>
  )
}
