import { below, draftMembers, type NodeDraft, readNode } from "../../parts/schemaForm/nodeDraft.ts"
import { type ColumnRow, columnErrors, columnsOf, keptRows, keyErrors } from "./columnRows.ts"
import { destinationOf, type PipeForm } from "./pipeForm.ts"
import { sourceKinds } from "./sourceKinds.ts"

/** What was typed for a new pipe, in the memory of the page alone. */
export interface PipeDraft {
  readonly name: string
  /** The chosen kind of source; empty before the choice. */
  readonly kind: string
  /** The fields of each kind that was chosen once. */
  readonly sources: Readonly<Record<string, NodeDraft>>
  readonly destination: NodeDraft
  readonly columns: ReadonlyArray<ColumnRow>
  readonly options: NodeDraft
}

/** The draft of a new page. */
export const emptyDraft: PipeDraft = {
  name: "",
  kind: "",
  sources: {},
  destination: { managedTable: "true", database: "default" },
  columns: [],
  options: undefined
}

/** The steps of the page, in their order. */
export const steps = ["source", "fields", "discover", "destination", "review"] as const
export type Step = (typeof steps)[number]

/** What each step is called. */
export const stepTitles: Readonly<Record<Step, string>> = {
  source: "Source",
  fields: "Its fields",
  discover: "Check and discover",
  destination: "Destination",
  review: "Review"
}

/** Whether the fields of a kind of source become columns. A kind that the page does not know has none. */
export const hasFields = (kind: string): boolean => sourceKinds[kind]?.hasFields === true

/** The steps for a kind of source. A database is checked as a whole, at the end: its tables have columns. */
export const stepsOf = (kind: string): ReadonlyArray<Step> =>
  steps.filter((step) => step !== "discover" || kind === "" || hasFields(kind))

/** The step that has a field. */
export const stepOfPath = (path: string, kind: string): Step | undefined => {
  const [first = "", second] = path.split(/[.[]/)
  if (first === "name") return "fields"
  if (path === "source" && kind === "") return "source"
  if (first === "source") return second === undefined || second === kind ? "fields" : "destination"
  return ["destination", "fieldMappings", "scaling", "settings", "startPaused"].includes(first)
    ? "destination"
    : undefined
}

type Values = Readonly<Record<string, unknown>>

const isValues = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value)
const valuesOf = (value: unknown): Values => (isValues(value) ? value : {})

/** The request that was typed, and what is wrong with it, by path. */
export interface ReadPipe {
  readonly request: { readonly name: string; readonly source: Values } & Values
  readonly errors: Readonly<Record<string, string>>
}

const readDestination = (form: PipeForm, draft: PipeDraft, language: string) => {
  const isColumns = hasFields(draft.kind)
  const names = keptRows(draft.columns).map(({ name }) => name)
  // A draft of another kind may have more than this one takes.
  const node = destinationOf(form, isColumns, names)
  const { errors, value } = readNode(node, draft.destination, "destination", true, language)
  if (!isColumns) return { errors, destination: valuesOf(value), fieldMappings: [] }
  const key = valuesOf(valuesOf(value)["tableDefinition"])["sortingKey"]
  const { columns, fieldMappings } = columnsOf(draft.columns)
  return {
    errors: { ...columnErrors(draft.columns), ...keyErrors(draft.columns, Array.isArray(key) ? key : []), ...errors },
    destination: { ...valuesOf(value), columns },
    fieldMappings
  }
}

/** Reads the whole draft. */
export const readPipe = (form: PipeForm, draft: PipeDraft, language: string): ReadPipe => {
  const kind = form.kinds.find((one) => one.kind === draft.kind)
  const name = draft.name.trim()
  const source =
    kind === undefined
      ? { value: {}, errors: { source: "Choose a source." } }
      : readNode(kind.node, draft.sources[draft.kind], below("source", draft.kind), true, language)
  const { destination, errors, fieldMappings } = readDestination(form, draft, language)
  const options = readNode(form.options, draft.options, "", false, language)
  const { source: common, ...others } = valuesOf(options.value)
  return {
    request: {
      name,
      source: { ...valuesOf(common), ...(kind === undefined ? {} : { [draft.kind]: source.value }) },
      destination,
      ...(fieldMappings.length === 0 ? {} : { fieldMappings }),
      ...others
    },
    errors: { ...(name === "" ? { name: "Enter a name." } : {}), ...source.errors, ...errors, ...options.errors }
  }
}

/** The errors of one step. */
export const errorsOfStep = (
  errors: Readonly<Record<string, string>>,
  step: Step,
  kind: string
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(errors).filter(([path]) => stepOfPath(path, kind) === step))

/** The first step that has an error. */
export const firstWrong = (errors: Readonly<Record<string, string>>, kind: string): Step | undefined =>
  steps.find((step) => Object.keys(errors).some((path) => stepOfPath(path, kind) === step))

/** A draft with a column changed: the sorting key follows a new name. */
export const withColumn = (draft: PipeDraft, index: number, change: Partial<ColumnRow>): PipeDraft => {
  const before = draft.columns[index]
  if (before === undefined) return draft
  const after = { ...before, ...change }
  const columns = draft.columns.with(index, after)
  const destination = draftMembers(draft.destination)
  const table = draftMembers(destination["tableDefinition"])
  const { sortingKey } = table
  if (!Array.isArray(sortingKey) || before.name === "" || after.name === before.name) return { ...draft, columns }
  const renamed = sortingKey.map((name) => (name === before.name ? after.name : name))
  return { ...draft, columns, destination: { ...destination, tableDefinition: { ...table, sortingKey: renamed } } }
}
