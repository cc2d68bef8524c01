import type { ComponentChildren } from "preact"
import type { PlainColumn } from "./model.ts"

/** A column: what its cells stand for, how they are ordered, and how they are drawn. */
export interface Column<Row> extends PlainColumn<Row> {
  /** Draws a cell; by default its value as a text. */
  readonly render?: (row: Row) => ComponentChildren
  /** Whether its cells stand at the right, as numbers do. */
  readonly isNumber?: boolean
  /** Its width as a track of a grid; `minmax(7rem, 1fr)` by default. Its least width must be fixed, so that all rows have the same. */
  readonly width?: string
}
