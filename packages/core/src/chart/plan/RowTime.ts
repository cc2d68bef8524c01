import * as Result from "effect/Result"
import { call, column, type Expression, literal, number } from "../expression/Expression.ts"
import { kindOf } from "../expression/kindOf.ts"
import type { ChartTable } from "../query/TableQuery.ts"
import type { Periods, TimeRange } from "./Periods.ts"
import { allOf, type Planned, readExpression, readList, refuse } from "./texts.ts"
import { dayMillis, utc, type Zone } from "./Zone.ts"

/** One of the expressions of the time of a row. `number`: seconds since 1970. `rounded`: the beginning of a period. */
interface TimeExpression {
  readonly expression: Expression
  readonly kind: "time" | "number" | "date" | "rounded"
  /** The zone in which it is rounded: that of the column. */
  readonly zone?: string | undefined
}

/** The times of the rows of a table. */
export interface RowTime {
  /** The most precise one. */
  readonly precise: TimeExpression
  /** The others: conditions on them let the engine skip parts of the table. */
  readonly others: ReadonlyArray<TimeExpression>
}

const rounding = /^toStartOf|^toMonday$|^toDate(?:32)?$/

const isRounding = (expression: Expression): boolean => expression._tag === "Call" && rounding.test(expression.name)

const precisions = ["rounded", "date", "number", "time"] as const

/** How precise a time is: fractions of seconds go before seconds. */
const precisionOf = ({ expression, kind }: TimeExpression, { columns }: ChartTable): number => {
  const type = expression._tag === "Column" ? columns.get(expression.name)?.text : undefined
  const digits = /DateTime64\((\d)/.exec(type ?? "")?.[1]
  return precisions.indexOf(kind) * 10 + Number(digits ?? 0)
}

const zoned = /DateTime(?:64)?\((?:\d, )?'([^']+)'\)/

const roundedTime = (expression: Expression, { columns }: ChartTable): TimeExpression => {
  const [argument] = expression._tag === "Call" ? expression.arguments : []
  const type = argument?._tag === "Column" ? columns.get(argument.name)?.text : undefined
  return { expression, kind: "rounded", zone: zoned.exec(type ?? "")?.[1] }
}

const timeExpression = (expression: Expression, table: ChartTable): TimeExpression | undefined => {
  const { columns } = table
  if (isRounding(expression)) return roundedTime(expression, table)
  const kind = kindOf(expression, columns)
  return kind === "time" || kind === "number" || kind === "date" ? { expression, kind } : undefined
}

const isSame = (one: Expression, other: Expression): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The beginning of the sorting key, if it rounds the time: rows that are near in time are near in the table by it. */
const sortedBy = (time: TimeExpression, table: ChartTable): Expression | undefined => {
  const [first] = table.sortingKey
  if (first === undefined || time.kind !== "time") return undefined
  const key = Result.getOrUndefined(readExpression(first, "", table))
  if (key?._tag !== "Call" || !isRounding(key)) return undefined
  const [argument] = key.arguments
  return argument !== undefined && isSame(argument, time.expression) ? key : undefined
}

/** A column of a table that tells the time of a row: one of its sorting key, or the first that is one. */
export const timeColumnOf = ({ columns, sortingKey }: ChartTable): string | undefined => {
  const names = [...sortingKey.filter((key) => columns.has(key)), ...columns.keys()]
  const first = (kind: string) => names.find((name) => columns.get(name)?.kind === kind)
  return first("time") ?? first("date")
}

/** Reads the expressions of the time of a row: one, or several with commas between them. */
export const readRowTime = (text: string, path: string, table: ChartTable): Planned<RowTime> =>
  Result.gen(function* () {
    const found: Array<TimeExpression> = []
    const written = text.trim() === "" ? undefined : text
    const items = written === undefined ? yield* ownTime(path, table) : yield* readList(written, path, table)
    for (const { expression } of items) {
      const one = timeExpression(expression, table)
      if (one === undefined)
        return yield* refuse(path, "Expected the time of a row: a column of times, dates or seconds")
      found.push(one)
    }
    const [first, ...rest] = found.toSorted((one, other) => precisionOf(other, table) - precisionOf(one, table))
    if (first === undefined) return yield* refuse(path, "Expected the time of a row")
    const key = sortedBy(first, table)
    const isKnown = key === undefined || rest.some(({ expression }) => isSame(expression, key))
    return { precise: first, others: isKnown ? rest : [...rest, roundedTime(key, table)] }
  })

const ownTime = (path: string, table: ChartTable) => {
  const name = timeColumnOf(table)
  return name === undefined
    ? refuse(path, "The source does not say which column is the time of a row, and its table has none of times")
    : Result.succeed([{ expression: column(name) }])
}

const instant = (millis: number): Expression => call("fromUnixTimestamp64Milli", number(millis))

/** A bound, rounded as a time is. */
const rounded = ({ expression, zone }: TimeExpression, bound: Expression): Expression =>
  expression._tag === "Call"
    ? {
        ...expression,
        arguments: [
          zone === undefined ? bound : call("toTimeZone", bound, literal(zone)),
          ...expression.arguments.slice(1)
        ]
      }
    : call("toDate", bound)

// What is rounded is a time of 32 bits or a date, whose first weeks and years begin before 1970. A bound outside of these would begin
// anew at their other end, and all rows are on one side of it.
const firstRounded = 366 * dayMillis
const lastRounded = 4_294_967_295_000 - 366 * dayMillis

/** Conditions on what is rounded, or on a date: both bounds are in the range. */
const roundedConditions = (time: TimeExpression, { from, to }: TimeRange): ReadonlyArray<Expression> => [
  ...(from < firstRounded ? [] : [call("greaterOrEquals", time.expression, rounded(time, instant(from)))]),
  ...(to > lastRounded ? [] : [call("lessOrEquals", time.expression, rounded(time, instant(to)))])
]

interface RangeOptions {
  /** Whether the end is in the range. */
  readonly isEndIncluded?: boolean
  /** Where the days of a table are that has only dates. */
  readonly zone?: Zone
}

const dateText = (day: number): Expression =>
  call("toDate", literal(new Date(day * dayMillis).toISOString().slice(0, "2026-11-23".length)))

const preciseConditions = (
  time: TimeExpression,
  { from, to }: TimeRange,
  { isEndIncluded = false, zone = utc }: RangeOptions
): ReadonlyArray<Expression> => {
  const { expression, kind } = time
  const below = isEndIncluded ? "lessOrEquals" : "less"
  const last = isEndIncluded ? to : to - 1
  switch (kind) {
    case "time":
      return [call("greaterOrEquals", expression, instant(from)), call(below, expression, instant(to))]
    case "number":
      return [
        call("greaterOrEquals", expression, number(Math.ceil(from / 1000))),
        call("lessOrEquals", expression, number(Math.floor(last / 1000)))
      ]
    case "date":
      return [
        call("greaterOrEquals", expression, dateText(zone.dayOf(from))),
        call("lessOrEquals", expression, dateText(zone.dayOf(last)))
      ]
    case "rounded":
      return roundedConditions(time, { from, to: last })
  }
}

/** The condition that a row is in a range. */
export const rangeCondition = (time: RowTime, range: TimeRange, options: RangeOptions = {}): Expression => {
  const others = time.others.flatMap((other) =>
    other.kind === "time" || other.kind === "number"
      ? preciseConditions(other, range, options)
      : roundedConditions(other, range)
  )
  return allOf([...preciseConditions(time.precise, range, options), ...others]) ?? literal(true)
}

const intervals = [
  ["toIntervalDay", 86_400],
  ["toIntervalHour", 3600],
  ["toIntervalMinute", 60],
  ["toIntervalSecond", 1]
] as const

/** The beginning of the period of a row. */
export const periodExpression = (
  { precise }: RowTime,
  { seconds, zone }: Pick<Periods, "seconds" | "zone">
): Expression => {
  const [name, length] = intervals.find(([, one]) => seconds % one === 0) ?? (["toIntervalSecond", 1] as const)
  const days = seconds * 1000 >= dayMillis ? zone.name : utc.name
  // A date is a day of the zone.
  const isDay = precise.kind === "date" && days !== zone.name
  const row = isDay ? call("toDateTime", precise.expression, literal(zone.name)) : precise.expression
  const time = call("toDateTime", row, literal(days))
  return call("toStartOfInterval", time, call(name, number(seconds / length)))
}
