import { cut, wrapLines } from "@headgate/command-line"
import type * as DateTime from "effect/DateTime"

/** How the tiles of a dashboard are drawn in a terminal. */
export interface Drawing {
  /** The columns of the terminal. */
  readonly width: number
  /** The columns of the names of tiles and series. */
  readonly labelWidth: number
  readonly zone: DateTime.TimeZone
  /** Milliseconds: a period that has not ended by then still runs. */
  readonly now: number
  /** The most series, groups or rows of one tile. */
  readonly most: number
}

/** The columns of the names in a terminal of this width. */
export const labelWidthOf = (width: number): number => Math.min(Math.max(Math.floor(width / 4), 15), 30)

/** What tells that not all are drawn; nothing if they are. `isAll`: whether there are no more than `total`. */
export const shownOf = (shown: number, total: number, what: string, isAll = true): ReadonlyArray<string> =>
  shown < total || !isAll ? [`  ${shown} of ${total}${isAll ? "" : " or more"} ${what} shown`] : []

/** The lines of a text, broken between words; a word that is wider is cut. */
export const linesOf = (text: string, limit: number): ReadonlyArray<string> =>
  wrapLines(text, limit)
    .split("\n")
    .map((line) => cut(line, limit))
