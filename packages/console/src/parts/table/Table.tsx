import { useSignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { place, setQuery } from "../../data/route.ts"
import { number } from "../../format/numbers.ts"
import { Copy } from "../Copy.tsx"
import type { Column } from "./column.ts"
import { csvOf } from "./csv.ts"
import { Head } from "./Head.tsx"
import { type Sort, sortAfter, sorted, sortOf, sortText } from "./model.ts"
import { Row } from "./Row.tsx"
import { useRows } from "./useRows.ts"

export interface TableProps<Row> {
  /** What the rows are, such as `Pipes`. */
  readonly label: string
  /** Must be the same list each time, or every row is drawn again. The first one names the row. */
  readonly columns: ReadonlyArray<Column<Row>>
  /** A row that did not change should be the same object: see `keepEqual`. */
  readonly rows: ReadonlyArray<Row>
  readonly keyOf: (row: Row) => string
  /** The order at first: the name of a column, after `-` for the largest first. */
  readonly sort: string
  /** The field of the URL's query that keeps the order; absent for a table that forgets it. */
  readonly sortIn?: string
  /** The page of a row, below `/console`. Enter on the row opens it, and its first cell links to it. */
  readonly pathOf?: (row: Row) => string
}

const useSort = (initial: string, sortIn: string | undefined): readonly [Sort, (column: string) => void] => {
  const own = useSignal(initial)
  const text = sortIn === undefined ? own.value : (place.value.query.get(sortIn) ?? initial)
  const sort = sortOf(text)
  const choose = (column: string) => {
    const next = sortText(sortAfter(sort, column))
    if (sortIn === undefined) own.value = next
    else setQuery({ [sortIn]: next === initial ? "" : next })
  }
  return [sort, choose]
}

const defaultWidth = "minmax(7rem, 1fr)"

/**
 * A table that draws only the rows that are seen, however many there are. Headers order it; arrows, Home, End, Page up and Page down
 * move along the rows, Enter opens one.
 */
export const Table = <Row,>({ columns, keyOf, label, pathOf, rows, sort: initial, sortIn }: TableProps<Row>) => {
  const [sort, choose] = useSort(initial, sortIn)
  const shown = useMemo(() => sorted(rows, columns, sort), [rows, columns, sort.column, sort.isDescending])
  const { active, drawn, onFocus, onKeyDown, onScroll, scroller, rowHeight } = useRows(shown, keyOf, pathOf)
  const template = columns.map(({ width = defaultWidth }) => width).join(" ")
  return (
    <div class="table-frame">
      <div ref={scroller} class="table-scroll" onScroll={onScroll}>
        <div
          class="table"
          role="table"
          aria-label={label}
          aria-rowcount={shown.length + 1}
          style={{ "--columns": template, "--row-height": `${rowHeight}px` }}
          onKeyDown={onKeyDown}
          onFocusIn={onFocus}
        >
          <Head columns={columns} sort={sort} onSort={choose} />
          <div role="rowgroup" class="table-body" style={{ height: `${shown.length * rowHeight}px` }}>
            {drawn.map((index) => {
              const row = shown[index]
              return row === undefined ? null : (
                <Row
                  key={keyOf(row)}
                  row={row}
                  index={index}
                  columns={columns}
                  path={pathOf?.(row)}
                  isActive={index === active}
                  top={index * rowHeight}
                />
              )
            })}
          </div>
        </div>
      </div>
      <div class="table-foot row">
        <span class="quiet">{shown.length === 1 ? "1 row" : `${number(shown.length)} rows`}</span>
        <Copy of="table as CSV" title="Copy as CSV" text={() => csvOf(columns, shown)} />
      </div>
    </div>
  )
}
