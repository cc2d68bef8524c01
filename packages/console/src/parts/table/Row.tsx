import { useMemo } from "preact/hooks"
import { Link } from "../Link.tsx"
import type { Column } from "./column.ts"
import { textOf } from "./model.ts"

interface RowProps<Row> {
  readonly row: Row
  readonly index: number
  readonly columns: ReadonlyArray<Column<Row>>
  readonly path: string | undefined
  /** Whether the key Tab leads to it. */
  readonly isActive: boolean
  /** Where it is drawn, in pixels. */
  readonly top: number
}

const contentOf = <Row,>({ render, value }: Column<Row>, row: Row) =>
  render === undefined ? textOf(value(row)) : render(row)

/** A row of a table. One that did not change is not drawn again. */
export const Row = <Row,>({ columns, index, isActive, path, row, top }: RowProps<Row>) => {
  const cells = useMemo(
    () =>
      columns.map((column, position) => (
        <div
          key={column.name}
          role={position === 0 ? "rowheader" : "cell"}
          class={column.isNumber === true ? "cell cell-number" : "cell"}
        >
          {position === 0 && path !== undefined ? (
            <Link to={path} isSkipped>
              {contentOf(column, row)}
            </Link>
          ) : (
            contentOf(column, row)
          )}
        </div>
      )),
    [columns, row, path]
  )
  return (
    <div
      role="row"
      class="table-row"
      aria-rowindex={index + 2}
      data-index={index}
      tabIndex={isActive ? 0 : -1}
      style={{ top: `${top}px` }}
    >
      {cells}
    </div>
  )
}
