import { shownErrors } from "../../parts/schemaForm/nodeDraft.ts"
import { keptRows } from "./columnRows.ts"
import { destinationOf, type PipeForm } from "./pipeForm.ts"
import { hasFields, type PipeDraft } from "./pipeRequest.ts"

type Errors = Readonly<Record<string, string>>

const below = (errors: Errors, pattern: RegExp): Errors =>
  Object.fromEntries(Object.entries(errors).filter(([path]) => pattern.test(path)))

const isOfColumns = /^(?:destination\.columns|fieldMappings)\b/

/** Where a column's error is shown: `destination.columns.1.type` and `destination.columns[1].type` are the same. */
const columnPath = (path: string): string =>
  path.startsWith("fieldMappings") ? "fieldMappings" : path.replaceAll(/\.(\d+)(?=\.|$)/g, "[$1]")

/** What a server finds wrong, at the fields of the page that show it. What none shows is left out. */
export const serverErrors = (form: PipeForm, draft: PipeDraft, errors: Errors): Errors => {
  const { kind } = draft
  const source = form.kinds.find((one) => one.kind === kind)
  const names = keptRows(draft.columns).map(({ name }) => name)
  const columns = below(errors, isOfColumns)
  const rest = Object.fromEntries(Object.entries(errors).filter(([path]) => !isOfColumns.test(path)))
  const options = form.options.members.map(({ name }) => name).filter((name) => name !== "source")
  return {
    ...below(rest, /^(?:name|source)$/),
    ...(source === undefined ? {} : shownErrors(source.node, draft.sources[kind], `source.${kind}`, rest)),
    ...shownErrors(destinationOf(form, hasFields(kind), names), draft.destination, "destination", rest),
    ...shownErrors(
      form.options,
      draft.options,
      "",
      Object.fromEntries(
        Object.entries(rest).filter(
          ([path]) =>
            options.some((name) => path === name || path.startsWith(`${name}.`)) ||
            (path.startsWith("source.") && !path.startsWith(`source.${kind}`))
        )
      )
    ),
    ...Object.fromEntries(Object.entries(columns).map(([path, message]) => [columnPath(path), message]))
  }
}
