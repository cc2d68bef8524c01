import { escapeTerminalLine } from "@headgate/command-line"
import type { ChartData, Pipe } from "@headgate/core"
import { columnTypeOf } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Flag from "effect/cli/Flag"
import { UsageError } from "../error/CommandError.ts"

const decodeMappings = Schema.decodeUnknownOption(
  Schema.Struct({ tableMappings: Schema.Array(Schema.Struct({ targetTable: Schema.String })) })
)

/** The tables that a pipe writes to: those of its mappings, or that of its destination. */
export const tablesOf = ({ destination, source }: Pipe): ReadonlyArray<string> => {
  const mapped = Object.values(source ?? {}).flatMap((kind) =>
    Option.match(decodeMappings(kind), {
      onNone: () => [],
      onSome: ({ tableMappings }) => tableMappings.map(({ targetTable }) => targetTable)
    })
  )
  if (mapped.length > 0) return Array.from(new Set(mapped))
  return typeof destination?.table === "string" ? [destination.table] : []
}

/** `--table`, of commands on the rows of a pipe. */
export const tableFlag = Flag.String("table").pipe(
  Flag.withMetavar("name"),
  Flag.withDescription("The table, where the pipe has several"),
  Flag.optional
)

/** The table of `--table`, or the only one of a pipe; `undefined` if the pipe does not tell. Fails with the tables that there are. */
export const tableOf = Effect.fnUntraced(function* (pipe: Pipe, given: Option.Option<string>) {
  const tables = tablesOf(pipe)
  const list = tables.map((table) => `  ${escapeTerminalLine(table)}`).join("\n")
  if (Option.isSome(given)) {
    if (tables.length === 0 || tables.includes(given.value)) return given.value
    const table = escapeTerminalLine(given.value)
    return yield* new UsageError({ message: `--table: the pipe has no table "${table}". It has:\n${list}` })
  }
  if (tables.length <= 1) return tables[0]
  return yield* new UsageError({ message: `The pipe has ${tables.length} tables: give --table.\n${list}` })
})

// Words that an expression has beside names.
const words =
  /^(?:and|as|asc|between|case|cast|desc|distinct|div|else|end|false|from|ilike|in|inf|interval|is|like|mod|nan|not|null|nulls|or|select|then|true|when|where)$/i

/** A column in an expression. */
export const columnText = (name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) && !words.test(name)
    ? name
    : `\`${name.replaceAll("\\", "\\\\").replaceAll("`", "\\`")}\``

/** The column of the time of a row: the one that the service has chosen, or the first with a time or a date. */
export const timeOf = (columns: ChartData["columns"]): string | undefined => {
  const ofKind = (kind: string) => columns.find(({ type }) => columnTypeOf(type).kind === kind)
  return (columns.find(({ role }) => role === "time") ?? ofKind("time") ?? ofKind("date"))?.name
}
