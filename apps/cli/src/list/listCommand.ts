import { escapeTerminalLine } from "@headgate/command-line"
import * as Array from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Order from "effect/Order"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { Timestamp } from "@headgate/core"
import * as Command from "effect/cli/Command"
import type * as Flag from "effect/cli/Flag"
import * as Output from "../output/Output.ts"
import { type Layout, tableText } from "../output/Layout.ts"
import { cellText, masked } from "../output/detailText.ts"
import { listReceived } from "../output/listReceived.ts"
import { type FieldPath, nearestValue, pickFields, requireField, valuesAt } from "./fields.ts"
import { type Filter, listFlags, type SortKey } from "./listFlags.ts"

const textOf = (value: unknown): string => (Predicate.isString(value) ? value : JSON.stringify(value))

const matches = (document: unknown, { path, value }: Filter): boolean => {
  const values = valuesAt(document, path)
  return value === "" && values.length === 0 ? true : values.some((found) => textOf(found) === value)
}

const asTime = Schema.decodeUnknownOption(Timestamp)

// Times may differ in their digits, and numbers in their length: neither is compared as text.
const compareValues: Order.Order<unknown> = (one, other) => {
  if (Predicate.isNumber(one) && Predicate.isNumber(other)) return Order.Number(one, other)
  const times = Option.all([asTime(one), asTime(other)])
  return Option.match(times, {
    onNone: () => Order.String(textOf(one), textOf(other)),
    onSome: ([one, other]) => Order.Number(one.epochMilliseconds, other.epochMilliseconds)
  })
}

/** Elements without the field are last, in both directions. */
const orderBy =
  ({ isDescending, path }: SortKey): Order.Order<unknown> =>
  (one, other) => {
    const [a] = valuesAt(one, path)
    const [b] = valuesAt(other, path)
    if (a === undefined || b === undefined) return Order.Boolean(a === undefined, b === undefined)
    return isDescending ? compareValues(b, a) : compareValues(a, b)
  }

const idOf = (document: unknown): unknown => (Predicate.hasProperty(document, "id") ? document.id : undefined)

const fieldTable = (documents: ReadonlyArray<unknown>, paths: ReadonlyArray<FieldPath>, layout: Layout): string => {
  const cell = (document: unknown, path: FieldPath): string => {
    const values = Predicate.isObject(document) ? valuesAt(masked(document), path) : []
    return cellText(values.length > 1 ? values : values[0])
  }
  return tableText(
    [
      paths.map((path) => escapeTerminalLine(path.join("."))),
      ...documents.map((document) => paths.map((path) => cell(document, path)))
    ],
    layout
  )
}

/** Warns of the values of `--filter` that no element has and that look misspelt. Others may be values of a newer service. */
const warnOfValues = (filters: ReadonlyArray<Filter>, schema: Schema.Constraint, documents: ReadonlyArray<unknown>) =>
  Effect.forEach(
    filters.filter((filter) => !documents.some((document) => matches(document, filter))),
    ({ path, value }) => {
      const near = nearestValue(path, value, schema)
      return near === undefined
        ? Effect.void
        : Output.note(`warning: --filter ${escapeTerminalLine(path.join("."))}: did you mean ${near}?`)
    },
    { discard: true }
  )

/** The columns of a table after the id. `now` tells what has expired. */
export type Columns<A> = Readonly<Record<string, (element: A, now: DateTime.Utc) => string>>

/** What a list command lists. */
export interface Listing<A extends { readonly id: string }, E, R, E2, R2, E3, R3> {
  readonly description: string
  readonly examples: ReadonlyArray<Command.Command.Example>
  /** Calls the list of a port, once. */
  readonly elements: Effect.Effect<ReadonlyArray<A>, E, R>
  /** The schema of an element as the service sends it, whose fields `--filter`, `--sort` and `--fields` know. */
  readonly schema: Effect.Effect<Schema.Constraint, E2, R2>
  readonly columns: Columns<A>
  /** More columns, which take a request of their own: it is made for a table that shows them. */
  readonly figures?: Effect.Effect<Columns<A>, E3, R3>
  /** Flags of its own that select elements. */
  readonly select?: Readonly<Record<string, Flag.Flag<Option.Option<(element: A) => boolean>>>>
  /** The note on stderr when there is nothing to list. */
  readonly empty: string
}

/**
 * `headgate <noun> list`, with `--filter`, `--sort` and `--fields`. These read the elements as the service sent them, so
 * that they mean the same in a table, in JSON and in YAML. A table leaves out the elements that cannot be read.
 */
export const listCommand = <A extends { readonly id: string }, E, R, E2, R2, E3 = never, R3 = never>({
  columns,
  description,
  elements,
  empty,
  examples,
  figures,
  schema,
  select = {}
}: Listing<A, E, R, E2, R2, E3, R3>) =>
  Command.make(
    "list",
    { ...listFlags, select },
    Effect.fnUntraced(function* ({ fields, filter, select, sort }) {
      const list = yield* listReceived(elements)
      const known = yield* schema
      const given = [
        ...filter.map(({ path }) => ["--filter", path] as const),
        ...sort.map(({ path }) => ["--sort", path] as const),
        ...fields.map((path) => ["--fields", path] as const)
      ]
      for (const [flag, path] of given) yield* requireField(flag, path, known, list.received)
      const readable = new Map<unknown, A>(list.elements.map((element) => [element.id, element]))
      const selections = Array.getSomes(Object.values(select))
      const isSelected = (document: unknown): boolean => {
        const element = readable.get(idOf(document))
        return selections.every((keeps) => element !== undefined && keeps(element))
      }
      const filtered = list.received.filter(
        (document) => isSelected(document) && filter.every((one) => matches(document, one))
      )
      const found = sort.length === 0 ? filtered : Array.sort(filtered, Order.combineAll(sort.map(orderBy)))
      const now = yield* DateTime.now
      const isTable = (yield* Output.format) === "table" && fields.length === 0
      const shown = { ...columns, ...(figures !== undefined && isTable && found.length > 0 ? yield* figures : {}) }
      const text = (layout: Layout): string => {
        const rows = found.filter((document) => readable.has(idOf(document)))
        if (rows.length === 0) return ""
        if (fields.length > 0) return fieldTable(rows, fields, layout)
        const cells = rows.flatMap((document) => {
          const element = readable.get(idOf(document))
          return element === undefined
            ? []
            : [[element.id, ...Object.values(shown).map((cell) => cell(element, now))].map(escapeTerminalLine)]
        })
        return tableText([["ID", ...Object.keys(shown)], ...cells], layout)
      }
      const json = fields.length === 0 ? found : found.map((document) => pickFields(document, fields))
      yield* Output.print({ text, json: Effect.succeed(json) })
      yield* warnOfValues(filter, known, list.received)
      if (list.received.length === 0) yield* Output.note(empty)
      else if (found.length === 0) yield* Output.note(`None of ${list.received.length} matches.`)
    })
  ).pipe(Command.withDescription(description), Command.withExamples(examples))
