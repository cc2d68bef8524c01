import type { ComponentChildren } from "preact"

interface TableProps {
  readonly label: string
  readonly columns: ReadonlyArray<string>
  readonly children: ComponentChildren
}

/** A table of few rows, all of which are drawn. It scrolls by itself where it is too wide. */
export const PlainTable = ({ children, columns, label }: TableProps) => (
  <div class="scrolled" role="region" aria-label={label} tabIndex={0}>
    <table class="plain">
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
)
