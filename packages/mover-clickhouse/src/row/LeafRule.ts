import { quoteString } from "@headgate/clickhouse"

/** How a value stands in a row of JSON: in quotes, or as a number, `true` or `false`. */
export type Spelling = "text" | "number" | "boolean"

/** What the values of a type must be. Nulls, arrays and objects do not come here. */
export interface LeafRule {
  /**
   * Whether the bytes from `from` to `to`, without quotes, surely are a value of the type: nearly all values, so that they are not decoded.
   */
  readonly isHarmless: (row: Uint8Array, from: number, to: number, spelling: Spelling) => boolean
  /** Says what is wrong with a value, whose escapes are resolved, one character a byte; `undefined` for nothing. */
  readonly check: (text: string, spelling: Spelling) => string | undefined
  /**
   * Whether the engine certainly reads a text as exactly the value that it says, as SQL. It holds for the usual spelling of a value, and may
   * not for another one that the engine reads as well: `check` looks at that. `value` is SQL for a text without null.
   */
  readonly exactText: (value: string) => string
  /** The engine reads the values of the type from JSON as `check` does: no text is needed. */
  readonly isReadExactly?: true
}

/** Whether a text is one of a pattern, as a whole, as SQL. */
export const matches = (value: string, pattern: string): string => `match(${value}, ${quoteString(`^${pattern}$`)})`

/** Whether what the engine reads of a text is written as that text, as SQL. */
export const roundTrips = (value: string, read: string, like = value): string =>
  `ifNull(toString(${read}) = ${like}, false)`

export const outOfRange = (type: string): string => `it is out of the range of ${type}`
export const isNot = (type: string): string => `it is no ${type}`
