import * as Result from "effect/Result"
import { type Planned, refuse } from "./texts.ts"

/** What the macros of an SQL query stand for. */
export interface MacroValues {
  /** The chosen values of variables; without any, all values are meant. */
  readonly variables: ReadonlyMap<string, ReadonlyArray<string>>
  /** The conditions of the filters of the dashboard, as SQL. */
  readonly filters: ReadonlyArray<string>
  /** The table of the source of the query, as SQL, by the type of the metric. */
  readonly sourceTables: ReadonlyMap<string, string>
}

/** A text as SQL. */
export const quotedText = (text: string): string => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`

/** A name as SQL. */
export const quotedName = (name: string): string => `\`${name.replaceAll(/[\\`]/g, String.raw`\$&`)}\``

const instant = (name: string): string => `fromUnixTimestamp64Milli({${name}:Int64})`
const from = instant("startDateMilliseconds")
const to = instant("endDateMilliseconds")
const between = (column: string, bound: (instant: string) => string): string =>
  `(${column} >= ${bound(from)} AND ${column} <= ${bound(to)})`
const seconds = (instant: string): string => `toDateTime(${instant})`
const dateFilter = (column: string): string => between(column, (instant) => `toDate(${instant})`)
const timeFilter = (column: string): string => between(column, seconds)
const dateTimeFilter = (date: string, time: string): string => `(${dateFilter(date)} AND ${timeFilter(time)})`
const everything = "(1 = 1)"

/** The macros that only their arguments decide, by their names: `$__` stands before each. */
const fixedMacros = new Map<string, (...args: ReadonlyArray<string>) => string>([
  ["fromTime", () => seconds(from)],
  ["toTime", () => seconds(to)],
  ["fromTime_ms", () => from],
  ["toTime_ms", () => to],
  ["timeFilter", (column = "") => timeFilter(column)],
  ["timeFilter_ms", (column = "") => between(column, (instant) => instant)],
  ["dateFilter", (column = "") => dateFilter(column)],
  ["dateTimeFilter", (date = "", time = "") => dateTimeFilter(date, time)],
  ["dt", (date = "", time = "") => dateTimeFilter(date, time)],
  [
    "timeInterval",
    (column = "") => `toStartOfInterval(toDateTime(${column}), INTERVAL {intervalSeconds:Int64} second)`
  ],
  [
    "timeInterval_ms",
    (column = "") => `toStartOfInterval(toDateTime64(${column}, 3), INTERVAL {intervalMilliseconds:Int64} millisecond)`
  ],
  ["interval_s", () => "{intervalSeconds:Int64}"]
])

/** How many arguments a macro has. */
const argumentCounts = new Map([
  ["timeFilter", 1],
  ["timeFilter_ms", 1],
  ["dateFilter", 1],
  ["dateTimeFilter", 2],
  ["dt", 2],
  ["timeInterval", 1],
  ["timeInterval_ms", 1],
  ["filter", 2],
  ["conditionalAll", 2]
])

// Texts, names in quotes and comments have no macros.
const pieces =
  /'(?:[^'\\]|\\[\s\S])*'?|`(?:[^`\\]|\\[\s\S])*`?|"(?:[^"\\]|\\[\s\S])*"?|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\$__(?<macro>\w+)|\$\{(?<braced>\w+)(?::(?<format>\w+))?\}|\$(?<variable>[a-zA-Z]\w*)|[\s\S]/gy

/** The arguments of a macro that stand in brackets at a place, and where they end. */
const argumentsAt = (
  text: string,
  start: number
): { readonly args: ReadonlyArray<string>; readonly end: number } | undefined => {
  if (text[start] !== "(") return undefined
  const args: Array<string> = []
  let depth = 0
  let begin = start + 1
  for (const { 0: piece, index } of text.slice(start).matchAll(pieces)) {
    const at = start + index
    if (piece === "(" || piece === "[") depth += 1
    if (piece === ")" || piece === "]") depth -= 1
    const isEnd = depth === 0
    if (isEnd || (depth === 1 && piece === ",")) {
      args.push(text.slice(begin, at).trim())
      begin = at + 1
    }
    if (isEnd) return { args, end: at + 1 }
  }
  return undefined
}

const path = "tile.config.sqlTemplate"

/** How deep macros may stand in the arguments of others: each may write its arguments twice. */
const deepest = 3
/** The most characters of a query with its macros expanded. */
const longest = 1_000_000

/** Expands the macros of one query. */
class Expander {
  readonly #values: MacroValues

  constructor(values: MacroValues) {
    this.#values = values
  }

  /** A text of the query with its macros expanded. What a macro expands to is not read again. */
  expand(text: string, depth = 0): Planned<string> {
    if (depth > deepest) return refuse(path, `Macros stand more than ${deepest} deep in others: write simpler ones`)
    let written = ""
    let readTo = 0
    for (const found of text.matchAll(pieces)) {
      if (found.index < readTo) continue
      readTo = found.index + found[0].length
      const { braced, format, macro, variable = braced } = found.groups ?? {}
      if (macro !== undefined) {
        const called = this.#called(macro, text, readTo, depth)
        if (Result.isFailure(called)) return Result.fail(called.failure)
        written += called.success.sql
        readTo = called.success.end
      } else written += (variable === undefined ? undefined : this.#variable(variable, format)) ?? found[0]
      if (written.length > longest) {
        const what = `With its macros expanded, the query has more than ${longest} characters`
        return refuse(path, `${what}: choose fewer values, or use fewer macros`)
      }
    }
    return Result.succeed(written)
  }

  /** A macro whose name ends at a place, and where it ends with its arguments. */
  #called(
    macro: string,
    text: string,
    at: number,
    depth: number
  ): Planned<{ readonly sql: string; readonly end: number }> {
    const isBare = macro !== "sourceTable" && !argumentCounts.has(macro)
    const listed = isBare ? undefined : argumentsAt(text, at)
    return Result.map(this.#macro(macro, listed?.args ?? [], depth), (sql) => ({ sql, end: listed?.end ?? at }))
  }

  /** The values of a variable: `csv` is one text. */
  #variable(name: string, format: string | undefined): string | undefined {
    const values = this.#values.variables.get(name)
    if (values === undefined) return undefined
    if (format === "csv") return quotedText(values.join(","))
    return values.length === 0 ? "NULL" : values.map(quotedText).join(", ")
  }

  #macro(name: string, args: ReadonlyArray<string>, depth: number): Planned<string> {
    const count = argumentCounts.get(name) ?? (name === "sourceTable" ? args.length : 0)
    if (args.length !== count)
      return refuse(path, `The macro $__${name} needs ${count} argument${count === 1 ? "" : "s"}`)
    const { filters, sourceTables } = this.#values
    switch (name) {
      case "filters":
        return Result.succeed(filters.length === 0 ? everything : `(${filters.join(" AND ")})`)
      case "sourceTable": {
        const table = sourceTables.get(args[0] ?? "")
        return table === undefined ? refuse(path, "The source of the query has no such table") : Result.succeed(table)
      }
      case "filter":
      case "conditionalAll":
        return this.#chosen(name, args, depth)
    }
    const macro = fixedMacros.get(name)
    if (macro === undefined) return refuse(path, `There is no macro $__${name}`)
    return Result.map(Result.all(args.map((one) => this.expand(one, depth + 1))), (expanded) => macro(...expanded))
  }

  /** A condition on the values of a variable: it holds for all rows if none is chosen. */
  #chosen(
    name: "filter" | "conditionalAll",
    [left = "", variable = ""]: ReadonlyArray<string>,
    depth: number
  ): Planned<string> {
    const values = this.#values.variables.get(variable.replace(/^\$\{?(\w+)\}?$/, "$1"))
    if (values === undefined) return refuse(path, `The dashboard has no variable ${variable}`)
    if (values.length === 0) return Result.succeed(everything)
    return Result.map(this.expand(left, depth + 1), (condition) =>
      name === "filter" ? `(${condition} IN (${values.map(quotedText).join(", ")}))` : `(${condition})`
    )
  }
}

/** An SQL query with its macros expanded: the times are parameters, texts of callers are quoted. */
export const expandMacros = (template: string, values: MacroValues): Planned<string> =>
  new Expander(values).expand(template)
