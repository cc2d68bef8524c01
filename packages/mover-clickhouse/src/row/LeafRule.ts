import type { LeafType } from "./ColumnType.ts"

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
}

/** The same rule as SQL, for values that the engine reads by itself. */
export interface LeafSql {
  /** The type in which values are read, which takes more than the column does, and loses nothing that the rule looks at. */
  readonly readAs: string
  /** An expression that is the text of what is wrong with `value`, an expression of the type `readAs`; '' for nothing. */
  readonly problem: (value: string) => string
}

/**
 * The rule of one kind of types, twice: over the bytes of messages and lines, which pass through the mover, and as SQL for whole
 * objects, which do not. Both must say the same of each value: a test runs both over the same values.
 */
export interface LeafRules {
  readonly bytes: (type: LeafType) => LeafRule
  readonly sql?: (type: LeafType) => LeafSql
}

export const outOfRange = (type: string): string => `it is out of the range of ${type}`
export const isNot = (type: string): string => `it is no ${type}`
