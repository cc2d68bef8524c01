import * as Predicate from "effect/Predicate"
import { metricType } from "./chartConfig.ts"
import {
  type Fields,
  flag,
  type Issues,
  type JsonObject,
  list,
  literal,
  nullable,
  object,
  objectId,
  objectsOf,
  oneOf,
  optional,
  text,
  withDefault
} from "./Rule.ts"
import { tiles } from "./tile.ts"

const containerText = text({ min: 1, max: 256 })

const container = object({
  id: containerText,
  title: containerText,
  collapsed: flag,
  collapsible: optional(flag),
  bordered: optional(flag),
  tabs: optional(list(object({ id: containerText, title: containerText }), { max: 20 }))
})

const savedFilterValue = object({ type: withDefault(literal("sql"), "sql"), condition: text({ max: 10_000 }) })

const filter: Fields = {
  type: literal("QUERY_EXPRESSION"),
  name: text({ min: 1 }),
  expression: text({ min: 1 }),
  sourceId: objectId,
  sourceMetricType: metricType,
  where: optional(text()),
  whereLanguage: optional(oneOf(["sql", "lucene"])),
  appliesToSourceIds: optional(list(text())),
  isBroadcastEnabled: optional(flag),
  isVariableEnabled: optional(flag),
  variableName: optional(text({ max: 64, pattern: /^[a-zA-Z][a-zA-Z0-9_]*$/ }))
}

/** The name of a filter's variable if it has no `variableName`: its name without what a variable's name cannot have. */
const derivedName = (name: unknown): string =>
  String(name)
    .replaceAll(/\s+/g, "_")
    .replaceAll(/[^a-zA-Z0-9_]/g, "")
    .replace(/^[^a-zA-Z]+/, "")

const checkFilters = (read: ReadonlyArray<JsonObject>, issues: Issues): void => {
  const names = new Set<unknown>()
  for (const [index, filter] of read.entries()) {
    if (filter.isVariableEnabled !== true) continue
    const name = filter.variableName ?? derivedName(filter.name)
    const taken = names.has(name) ? `Variable names must be unique: "${String(name)}"` : undefined
    const issue = name === "" ? `Variable name is required for filter "${String(filter.name)}"` : taken
    if (issue !== undefined) issues.report(issue, "filters", index, "variableName")
    names.add(name)
  }
  for (const [index, filter] of read.entries()) {
    const { appliesToSourceIds, isBroadcastEnabled, isVariableEnabled = false, name, variableName } = filter
    const report = (field: string, issue: string) =>
      issues.report(`Filter "${String(name)}" ${issue}`, "filters", index, field)
    if (isBroadcastEnabled === false && !isVariableEnabled)
      report("isBroadcastEnabled", "must broadcast its value, be available as a variable, or both")
    if (variableName !== undefined && !isVariableEnabled) {
      const remedy = "set isVariableEnabled to true or drop variableName"
      report("variableName", `sets variableName but is not available as a variable; ${remedy}`)
    }
    if (isBroadcastEnabled === false && Array.isArray(appliesToSourceIds) && appliesToSourceIds.length > 0) {
      const remedy = "set isBroadcastEnabled to true or drop appliesToSourceIds"
      report("appliesToSourceIds", `sets appliesToSourceIds but does not broadcast its value; ${remedy}`)
    }
  }
}

const checkContainers = (read: ReadonlyArray<JsonObject>, issues: Issues): void => {
  const containerIds = new Set<unknown>()
  for (const [index, { id, tabs }] of read.entries()) {
    if (containerIds.has(id)) issues.report(`Container IDs must be unique: "${String(id)}"`, "containers", index, "id")
    containerIds.add(id)
    const tabIds = new Set<unknown>()
    for (const [tabIndex, tab] of objectsOf(tabs).entries()) {
      if (tabIds.has(tab.id)) {
        const message = `Duplicate tab id "${String(tab.id)}" in container "${String(id)}"`
        issues.report(message, "containers", index, "tabs", tabIndex, "id")
      }
      tabIds.add(tab.id)
    }
  }
}

const isText = (value: unknown): boolean => Predicate.isString(value) && value !== ""

const check = (read: JsonObject, issues: Issues): void => {
  if (isText(read.savedQuery) && read.savedQueryLanguage === null)
    issues.report("savedQueryLanguage cannot be null when savedQuery is provided", "savedQueryLanguage")
  checkContainers(objectsOf(read.containers), issues)
  checkFilters(objectsOf(read.filters), issues)
}

const bodyWith = (filterFields: Fields) =>
  object(
    {
      name: text({ max: 1024 }),
      tiles,
      tags: optional(list(text({ max: 32 }), { max: 50 })),
      savedQuery: optional(nullable(text())),
      savedQueryLanguage: optional(nullable(oneOf(["sql", "lucene", "promql"]))),
      savedFilterValues: optional(list(savedFilterValue)),
      containers: optional(list(container, { max: 50 })),
      filters: optional(list(object(filterFields, { isStrict: true })))
    },
    { check }
  )

/** The body of a request for a new dashboard. */
export const createBody = bodyWith(filter)

/** The body of a request that replaces a dashboard. Its filters have ids. */
export const replaceBody = bodyWith({ id: text(), ...filter })

/** A filter as it is stored and answered: without the fields that its modes do not use. */
export const storedFilter = ({ appliesToSourceIds, variableName, ...rest }: JsonObject): JsonObject => ({
  ...rest,
  ...(appliesToSourceIds !== undefined && rest.isBroadcastEnabled !== false ? { appliesToSourceIds } : {}),
  ...(variableName !== undefined && rest.isVariableEnabled === true ? { variableName } : {})
})

/**
 * The saved query of a dashboard and its language, after a request with `sent` and before it with `stored`. A query without a
 * language is one of Lucene; an empty query, like none, has no language.
 */
export const savedQueryOf = (sent: JsonObject, stored: JsonObject): JsonObject => {
  const { savedQuery = stored.savedQuery ?? null } = sent
  if (savedQuery === "") return { savedQuery, savedQueryLanguage: null }
  if (sent.savedQueryLanguage !== undefined && (sent.savedQueryLanguage !== null || !isText(savedQuery)))
    return { savedQuery, savedQueryLanguage: sent.savedQueryLanguage }
  const kept = sent.savedQuery === undefined ? stored.savedQueryLanguage : undefined
  return { savedQuery, savedQueryLanguage: kept ?? (isText(savedQuery) ? "lucene" : null) }
}
