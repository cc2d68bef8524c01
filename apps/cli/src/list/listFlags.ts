import * as Effect from "effect/Effect"
import * as Flag from "effect/cli/Flag"
import { invalidValue } from "../usage/validate.ts"
import { type FieldPath, fieldPath } from "./fields.ts"

/** `--filter field=value` */
export interface Filter {
  readonly path: FieldPath
  readonly value: string
}

/** A field of `--sort`. */
export interface SortKey {
  readonly path: FieldPath
  readonly isDescending: boolean
}

const parsePath = (flag: string, text: string, field: string) => {
  const path = fieldPath(field.trim())
  return path.includes("")
    ? Effect.fail(invalidValue({ kind: "flag", name: flag }, text, "Expected a field such as name or source.kafka"))
    : Effect.succeed(path)
}

const filter = Effect.fnUntraced(function* (text: string) {
  const index = text.indexOf("=")
  if (index === -1) {
    return yield* invalidValue({ kind: "flag", name: "filter" }, text, "Expected field=value, such as state=Running")
  }
  const value: Filter = { path: yield* parsePath("filter", text, text.slice(0, index)), value: text.slice(index + 1) }
  return value
})

const sort = (text: string) =>
  Effect.forEach(text.split(","), (field) => {
    const isDescending = field.trim().startsWith("-")
    return Effect.map(parsePath("sort", text, field.replace(/^\s*-/, "")), (path): SortKey => ({ path, isDescending }))
  })

/** The flags of every list command. */
export const listFlags = {
  filter: Flag.String("filter").pipe(
    Flag.withMetavar("field=value"),
    Flag.withDescription("Only elements with this value, such as state=Running; repeat for more; field= for no value"),
    Flag.mapEffect(filter),
    Flag.atLeast(1),
    Flag.withDefault<ReadonlyArray<Filter>>([])
  ),
  sort: Flag.String("sort").pipe(
    Flag.withMetavar("fields"),
    Flag.withDescription("Sort by these fields, such as name or -createdAt for the newest first"),
    Flag.mapEffect(sort),
    Flag.withDefault<ReadonlyArray<SortKey>>([])
  ),
  fields: Flag.String("fields").pipe(
    Flag.withMetavar("fields"),
    Flag.withDescription("Only these fields, such as id,name,state, in the order of the columns"),
    Flag.mapEffect((text) => Effect.forEach(text.split(","), (field) => parsePath("fields", text, field))),
    Flag.withDefault<ReadonlyArray<FieldPath>>([])
  )
}
