/**
 * Fields of rows for which the destination has no column, with the number of rows that had each; `undefined` where rows are not
 * counted. Sources choose these names, so there are at most 101 of them: see `UnknownFields.nameOf`.
 */
export type UnknownFields = ReadonlyMap<string, number | undefined>

const mostNames = 100
const longestName = 200
const others = "others"

/** Names and adds {@link UnknownFields}, within their limit. */
export const UnknownFields = {
  /**
   * The name under which an unknown field is counted: its first 200 characters, or `others` beyond 100 fields.
   *
   * @example
   * ```ts
   * import { UnknownFields } from "@headgate/mover"
   *
   * console.log(UnknownFields.nameOf(new Map(), "note")) // note
   * ```
   */
  nameOf: (known: UnknownFields, field: string): string => {
    const name = field.slice(0, longestName)
    return known.has(name) || known.size < mostNames ? name : others
  },

  /**
   * The sum of two counts.
   *
   * @example
   * ```ts
   * import { UnknownFields } from "@headgate/mover"
   *
   * console.log(UnknownFields.add(new Map([["note", 1]]), new Map([["note", 2]])).get("note")) // 3
   * ```
   */
  add: (known: UnknownFields, more: UnknownFields): UnknownFields => {
    if (more.size === 0) return known
    const sum = new Map(known)
    for (const [field, rows] of more) {
      const name = UnknownFields.nameOf(sum, field)
      sum.set(name, rows === undefined ? sum.get(name) : (sum.get(name) ?? 0) + rows)
    }
    return sum
  }
}
