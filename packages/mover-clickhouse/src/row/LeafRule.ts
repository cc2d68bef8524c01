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

export const outOfRange = (type: string): string => `it is out of the range of ${type}`
export const isNot = (type: string): string => `it is no ${type}`
