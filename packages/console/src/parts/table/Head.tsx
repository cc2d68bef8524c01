import type { Column } from "./column.ts"
import type { Sort } from "./model.ts"

interface HeadProps<Row> {
  readonly columns: ReadonlyArray<Column<Row>>
  readonly sort: Sort
  readonly onSort: (column: string) => void
}

const shapes = { ascending: "▲", descending: "▼", none: "" } as const

/** The headers of a table, each a button that orders it. */
export const Head = <Row,>({ columns, onSort, sort }: HeadProps<Row>) => (
  <div role="rowgroup" class="table-head">
    <div role="row" class="table-row" aria-rowindex={1}>
      {columns.map(({ isNumber = false, name, title }) => {
        const order = sort.column !== name ? "none" : sort.isDescending ? "descending" : "ascending"
        return (
          <div key={name} role="columnheader" aria-sort={order} class={isNumber ? "cell-number" : undefined}>
            <button type="button" onClick={() => onSort(name)}>
              {title} <span aria-hidden="true">{shapes[order]}</span>
            </button>
          </div>
        )
      })}
    </div>
  </div>
)
