import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { MetricType } from "./chartParts.ts"
import { anyOf, ObjectId, optional, type Report, required, text } from "./fields.ts"
import type { JsonObject } from "./Issues.ts"

/** The modes of the filters that have no choice: they are filled in, and no other is taken. */
const fixedModes = {
  STATIC_LIST: { isBroadcastEnabled: false, isVariableEnabled: true },
  PROMETHEUS_LABEL: { isBroadcastEnabled: false, isVariableEnabled: true },
  SOURCE_FILTER: { isBroadcastEnabled: true, isVariableEnabled: true }
} as const

const modesOf = (filter: JsonObject): JsonObject => {
  const fixed = Object.entries(fixedModes).find(([type]) => type === filter.type)
  return { ...fixed?.[1], ...filter }
}

const VariableName = text({ max: 64 }).check(Schema.isPattern(/^[a-zA-Z][a-zA-Z0-9_]*$/u, { message: "Invalid" }))
const variableNameRule = "a letter, then letters, digits and underscores, at most 64."

const filterType = <const Type extends string>(type: Type, description: string) => ({
  type: required(Schema.Literal(type), description),
  name: required(text({ min: 1 }), "The name of the filter: at least one character.")
})

const fixedFields = <const Broadcasts extends boolean, const IsVariable extends boolean>(modes: {
  readonly isBroadcastEnabled: Broadcasts
  readonly isVariableEnabled: IsVariable
}) => ({
  isBroadcastEnabled: optional(
    Schema.Literal(modes.isBroadcastEnabled).annotate({ default: modes.isBroadcastEnabled }),
    `Whether tiles are filtered by the chosen value: always ${modes.isBroadcastEnabled}.`
  ),
  isVariableEnabled: optional(
    Schema.Literal(modes.isVariableEnabled).annotate({ default: modes.isVariableEnabled }),
    `Whether queries can read the chosen value as a variable: always ${modes.isVariableEnabled}.`
  )
})

const variableName = {
  variableName: optional(
    VariableName,
    `The name of that variable: ${variableNameRule} Made from \`name\` if it is absent.`
  )
}
const appliesToSourceIds = {
  appliesToSourceIds: optional(
    Schema.Array(Schema.String),
    "The ids of the data sources whose tiles are filtered. Empty or absent: all."
  )
}
const selections = {
  minSelections: optional(
    anyOf([0, 1]),
    "The least number of chosen values: with 1, tiles wait until one is chosen. 0 if it is absent."
  ),
  isGlobalRequirement: optional(
    Schema.Boolean,
    "With `minSelections` 1, whether all tiles wait. Otherwise only those do that use the filter."
  ),
  maxSelections: optional(
    Schema.Literal(1),
    "The greatest number of chosen values: 1. Any number can be chosen if it is absent."
  )
}

const queryFields = {
  ...filterType("QUERY_EXPRESSION", "The values are those of an expression over the rows of a source."),
  expression: required(text({ min: 1 }), "The expression whose values can be chosen: at least one character."),
  sourceId: required(ObjectId, "The id of the data source of the values: 24 hex digits."),
  sourceMetricType: optional(MetricType, "The type of the metric, for a source of metrics."),
  where: optional(Schema.String, "The condition of the rows whose values can be chosen, in `whereLanguage`."),
  whereLanguage: optional(Schema.Literals(["sql", "lucene"]), "The language of `where`."),
  ...appliesToSourceIds,
  isBroadcastEnabled: optional(Schema.Boolean, "Whether tiles are filtered by the chosen value. True if it is absent."),
  isVariableEnabled: optional(
    Schema.Boolean,
    "Whether queries can read the chosen value as a variable. False if it is absent."
  ),
  ...variableName,
  ...selections
}

const listFields = {
  ...filterType("STATIC_LIST", "The values are a list."),
  options: required(
    Schema.Array(Schema.String).check(Schema.isMinLength(1, { message: "Array must contain at least 1 element(s)" })),
    "The values that can be chosen: at least one, and none twice."
  ),
  ...fixedFields(fixedModes.STATIC_LIST),
  ...variableName,
  ...selections
}

const labelFields = {
  ...filterType("PROMETHEUS_LABEL", "The values are those of a label of Prometheus."),
  sourceId: required(ObjectId, "The id of the PromQL source of the values: 24 hex digits."),
  label: required(text({ min: 1 }), "The label whose values can be chosen. `__name__` lists the names of metrics."),
  match: optional(Schema.String, 'The selector of the series whose labels are read, such as `up{job="api"}`.'),
  ...fixedFields(fixedModes.PROMETHEUS_LABEL),
  ...variableName,
  ...selections
}

const sourceFields = {
  ...filterType("SOURCE_FILTER", "The values are those that the source offers for a column."),
  sourceId: required(ObjectId, "The id of the data source that offers the column: 24 hex digits."),
  expression: required(text({ min: 1 }), "The column: one of those that the `filterSettings` of the source name."),
  ...appliesToSourceIds,
  ...fixedFields(fixedModes.SOURCE_FILTER),
  variableName: required(VariableName, `The name of that variable: ${variableNameRule}`),
  ...selections
}

const filterDescription =
  "A value that is chosen above a dashboard: it filters tiles, is a variable of queries, or both."

// Unknown fields of filters are refused.
const filtersWith = <const Fields extends Schema.Struct.Fields>(fields: Fields, suffix = "") =>
  Schema.Union([
    Schema.Struct({ ...fields, ...queryFields }).annotate({
      identifier: `QueryExpressionFilter${suffix}`,
      description: "A filter whose values are those of an expression."
    }),
    Schema.Struct({ ...fields, ...listFields }).annotate({
      identifier: `StaticListFilter${suffix}`,
      description: "A filter whose values are a list."
    }),
    Schema.Struct({ ...fields, ...labelFields }).annotate({
      identifier: `PrometheusLabelFilter${suffix}`,
      description: "A filter whose values are those of a label of Prometheus."
    }),
    Schema.Struct({ ...fields, ...sourceFields }).annotate({
      identifier: `SourceFilter${suffix}`,
      description: "A filter whose values a data source offers."
    })
  ])

export const FilterCreate = filtersWith({}, "Create").annotate({
  identifier: "DashboardFilterCreate",
  description: filterDescription
})

/** A filter of a stored dashboard, and of the request that replaces one. */
export const StoredFilter = filtersWith({
  id: required(Schema.String, "The id of the filter, assigned by the service.")
}).annotate({ identifier: "DashboardFilter", description: filterDescription })

/** A filter as programs have it, in requests and answers. */
export const DashboardFilter = filtersWith({
  id: optional(
    Schema.String,
    "The id of the filter, assigned by the service. A new dashboard has none, and a filter of an update must have one."
  )
}).annotate({ description: filterDescription })
export type DashboardFilter = typeof DashboardFilter.Type

/** A filter as it is stored and answered: with the modes that it has, without the fields that they do not use. */
export const storedFilter = (filter: JsonObject): JsonObject => {
  const { appliesToSourceIds, isGlobalRequirement, minSelections, variableName, ...rest } = modesOf(filter)
  return {
    ...rest,
    ...(appliesToSourceIds !== undefined && rest.isBroadcastEnabled !== false ? { appliesToSourceIds } : {}),
    ...(variableName !== undefined && rest.isVariableEnabled === true ? { variableName } : {}),
    ...(minSelections === 1 ? { minSelections } : {}),
    ...(minSelections === 1 && isGlobalRequirement !== undefined ? { isGlobalRequirement } : {})
  }
}

/** The name of a filter's variable if it has no `variableName`: its name without what a variable's name cannot have. */
const derivedName = (name: string): string =>
  name
    .replaceAll(/\s+/g, "_")
    .replaceAll(/[^a-zA-Z0-9_]/g, "")
    .replace(/^[^a-zA-Z]+/, "")

/** The name of the variable that queries read the chosen value of a filter by; `undefined` if they cannot. */
export const variableOf = (filter: JsonObject): string | undefined => {
  const { isVariableEnabled, name, variableName } = modesOf(filter)
  if (isVariableEnabled !== true) return undefined
  return Predicate.isString(variableName) ? variableName : derivedName(Predicate.isString(name) ? name : "")
}

const firstRepeated = (options: ReadonlyArray<string>): string | undefined => {
  const seen = new Set<string>()
  return options.find((option) => seen.size === seen.add(option).size)
}

/** Checks that the variables of filters have names, each its own. */
const checkVariableNames = (filters: ReadonlyArray<DashboardFilter>, report: Report): void => {
  const names = new Set<string>()
  for (const [index, filter] of filters.entries()) {
    if (modesOf(filter).isVariableEnabled !== true) continue
    const name = filter.variableName ?? derivedName(filter.name)
    const taken = names.has(name) ? `Variable names must be unique: "${name}"` : undefined
    const issue = name === "" ? `Variable name is required for filter "${filter.name}"` : taken
    if (issue !== undefined) report(issue, ["filters", index, "variableName"])
    names.add(name)
  }
}

/** Checks that the modes and fields of a filter go together. */
const checkModes = (
  {
    appliesToSourceIds = [],
    isBroadcastEnabled,
    isVariableEnabled = false,
    variableName
  }: Extract<DashboardFilter, { readonly type: "QUERY_EXPRESSION" }>,
  reportField: (field: string, issue: string) => void
): void => {
  if (isBroadcastEnabled === false && !isVariableEnabled)
    reportField("isBroadcastEnabled", "must broadcast its value, be available as a variable, or both")
  if (variableName !== undefined && !isVariableEnabled) {
    const remedy = "set isVariableEnabled to true or drop variableName"
    reportField("variableName", `sets variableName but is not available as a variable; ${remedy}`)
  }
  if (isBroadcastEnabled === false && appliesToSourceIds.length > 0) {
    const remedy = "set isBroadcastEnabled to true or drop appliesToSourceIds"
    reportField("appliesToSourceIds", `sets appliesToSourceIds but does not broadcast its value; ${remedy}`)
  }
}

/** The checks of filters whose fields are valid. */
export const checkFilters = (filters: ReadonlyArray<DashboardFilter>, report: Report): void => {
  checkVariableNames(filters, report)
  for (const [index, filter] of filters.entries()) {
    const reportField = (field: string, issue: string) =>
      report(`Filter "${filter.name}" ${issue}`, ["filters", index, field])
    if (filter.type === "STATIC_LIST") {
      const twice = firstRepeated(filter.options)
      if (twice !== undefined) reportField("options", `repeats the option "${twice}"; options must be unique`)
    }
    if (filter.type === "QUERY_EXPRESSION") checkModes(filter, reportField)
  }
}
