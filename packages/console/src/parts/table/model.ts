import { none } from "../../format/numbers.ts"

/** What a cell stands for, by which rows are ordered, found and copied. */
export type Value = string | number | bigint | boolean | null | undefined

/** What the order, the search and the copy of a table need of a column. */
export interface PlainColumn<Row> {
  /** Its name in the URL, such as `lag`. */
  readonly name: string
  readonly title: string
  readonly value: (row: Row) => Value
  /** How two values are ordered that are both there: {@link byText} by default. */
  readonly compare?: Compare
}

/** An order of values that are both there, as `Array.sort` takes it. */
export type Compare = (one: Value, other: Value) => number

/** The value of a cell of JSON: a list or an object as its text. */
export const valueOfCell = (cell: unknown): Value => {
  if (cell === null || cell === undefined) return null
  if (typeof cell === "string" || typeof cell === "number" || typeof cell === "boolean") return cell
  return JSON.stringify(cell)
}

/** Whether there is no value: NULL, and what is no number. The text `NULL` is one. */
export const isNone = (value: Value): boolean => value === null || value === undefined || Number.isNaN(value)

/** The text of a value as it is shown by default. */
export const textOf = (value: Value): string => (isNone(value) ? none : String(value))

const collator = new Intl.Collator(undefined, { numeric: true })

/** Texts in the order of the browser's language; numbers inside them as numbers. */
export const byText: Compare = (one, other) => (one === other ? 0 : collator.compare(String(one), String(other)))

const numeric = (value: Value): number | bigint => {
  if (typeof value === "number" || typeof value === "bigint") return value
  const text = String(value)
  return /^[+-]?\d+$/.test(text) ? BigInt(text.replace("+", "")) : Number(text)
}

/** Numbers, also those that are texts because they have 64 bits. What is no number comes after those that are. */
export const byNumber: Compare = (one, other) => {
  const [left, right] = [numeric(one), numeric(other)]
  if (left < right) return -1
  if (left > right) return 1
  // Nothing is smaller or larger than what is no number.
  return Number(Number.isNaN(left)) - Number(Number.isNaN(right))
}

const instant = (value: Value): number => (typeof value === "string" ? Date.parse(value) : Number(value))

/** Times, as texts or milliseconds since 1970. Texts of one millisecond are ordered by their further digits. */
export const byTime: Compare = (one, other) => byNumber(instant(one), instant(other)) || byText(one, other)

/** An order of rows: a column, and whether the largest comes first. */
export interface Sort {
  readonly column: string
  readonly isDescending: boolean
}

/** The order that a text of the URL names: `lag`, or `-lag` for the largest first. */
export const sortOf = (text: string): Sort =>
  text.startsWith("-") ? { column: text.slice(1), isDescending: true } : { column: text, isDescending: false }

/** The text of an order in the URL. */
export const sortText = ({ column, isDescending }: Sort): string => `${isDescending ? "-" : ""}${column}`

/** The order after a click on a column: the smallest first, at the second click the largest. */
export const sortAfter = (sort: Sort, column: string): Sort => ({
  column,
  isDescending: sort.column === column && !sort.isDescending
})

/** Rows in an order: those without a value come last both ways, and equal ones stay as they are. */
export const sorted = <Row>(
  rows: ReadonlyArray<Row>,
  columns: ReadonlyArray<PlainColumn<Row>>,
  sort: Sort
): ReadonlyArray<Row> => {
  const column = columns.find(({ name }) => name === sort.column)
  if (column === undefined) return rows
  const { compare = byText, value } = column
  const sign = sort.isDescending ? -1 : 1
  return rows
    .map((row) => ({ row, of: value(row) }))
    .toSorted((one, other) => {
      if (isNone(one.of) || isNone(other.of)) return Number(isNone(one.of)) - Number(isNone(other.of))
      return sign * compare(one.of, other.of)
    })
    .map(({ row }) => row)
}

/** The rows that have each word of a text in one of their texts, in large or small letters. Figures are not searched. */
export const found = <Row>(
  rows: ReadonlyArray<Row>,
  columns: ReadonlyArray<PlainColumn<Row>>,
  text: string
): ReadonlyArray<Row> => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return rows
  return rows.filter((row) => {
    const values = columns.map(({ value }) => value(row))
    const texts = values.filter((value) => typeof value === "string").map((value) => value.toLowerCase())
    return words.every((word) => texts.some((each) => each.includes(word)))
  })
}

/** How much of a table is seen, in pixels. */
export interface View {
  readonly top: number
  readonly height: number
  readonly rowHeight: number
}

const beyond = 4

/** The first row to draw, and the one after the last: those that are seen, and a few beyond. */
export const windowOf = ({ height, rowHeight, top }: View, count: number): readonly [number, number] => {
  const first = Math.max(Math.floor(top / rowHeight) - beyond, 0)
  const last = Math.min(Math.ceil((top + height) / rowHeight) + beyond, count)
  return [Math.min(first, count), Math.max(last, 0)]
}

/** The rows to draw of a window; the row that has the focus stays, however far away it is scrolled. */
export const drawnOf = (
  [first, last]: readonly [number, number],
  active: number,
  count: number
): ReadonlyArray<number> => {
  const drawn = Array.from({ length: Math.max(last - first, 0) }, (_, position) => first + position)
  if (active >= count || (active >= first && active < last)) return drawn
  return active < first ? [active, ...drawn] : [...drawn, active]
}

/** How far to scroll so that a row is seen: as little as possible. */
export const topFor = ({ height, rowHeight, top }: View, index: number): number => {
  const start = index * rowHeight
  return Math.max(Math.min(top, start), start + rowHeight - height)
}

/** The rows of `next`, each in the place of an equal one of `previous`, so that what did not change is not drawn again. */
export const keepEqual = <Row extends object>(
  previous: ReadonlyArray<Row>,
  next: ReadonlyArray<Row>,
  keyOf: (row: Row) => string
): ReadonlyArray<Row> => {
  const before = new Map(previous.map((row) => [keyOf(row), row]))
  return next.map((row) => {
    const old = before.get(keyOf(row))
    return old !== undefined && Object.entries(row).every(([name, value]) => Object.is(Reflect.get(old, name), value))
      ? old
      : row
  })
}
