import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Predicate from "effect/Predicate"
import { alertsOfSearch } from "./alertsOf.ts"
import { type JsonObject, objectsOf } from "./config/Issues.ts"
import { badReference, type DocumentRule, nameIssues, noRule, timesOf, trimmedName } from "./DocumentRule.ts"

const maxCondition = 8192

// Values and names in quotes, with escaped quotes in them.
// One that does not end is read to the end of the text, or each quote in it would be the begin of another search.
const quoted = /'(?:[^'\\]|\\[\s\S]|'')*(?:'|\\?$)|`(?:[^`\\]|\\[\s\S])*(?:`|\\?$)|"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)/gu
const predicate = /^(.+?) (NOT IN|IN|BETWEEN) ?(.*)$/isu
const list = /^\((?:\?|-?[\d.]+|true|false|null)(?: ?, ?(?:\?|-?[\d.]+|true|false|null))* ?\)$/iu
const range = /^-?\d+(?:\.\d+)? AND -?\d+(?:\.\d+)?$/iu

/**
 * Whether the page of a search shows a condition as a pinned filter: one `IN`, `NOT IN` or `BETWEEN` on one column. Any other one
 * would be applied and not shown.
 */
const isPinnedCondition = (condition: string): boolean => {
  // What is in quotes says nothing about the form.
  const form = condition.replaceAll("?", "!").replaceAll(quoted, "?").replaceAll(/\s+/gu, " ").trim()
  const [, column = "", operator = "", operand = ""] = predicate.exec(form) ?? []
  if (column === "" || /\b(?:NOT|AND|OR)\b/iu.test(column)) return false
  return (operator.toUpperCase() === "BETWEEN" ? range : list).test(operand)
}

const filterOf = ({ type = "sql", ...others }: JsonObject): JsonObject => ({ type, ...others })

const filtersOf = ({ filters }: JsonObject): ReadonlyArray<JsonObject> => objectsOf(filters).map(filterOf)

const wrongFilter = ({ condition, type }: JsonObject): readonly [field: string, message: string] | undefined => {
  if (type !== "sql") return ["type", 'Expected "sql"']
  if (!Predicate.isString(condition) || condition.length > maxCondition) {
    return ["condition", `Expected a text of at most ${maxCondition} characters`]
  }
  if (isPinnedCondition(condition)) return undefined
  return [
    "condition",
    "Expected <column> IN (<values>), <column> NOT IN (<values>) or <column> BETWEEN <number> AND <number>"
  ]
}

/** The rules of saved searches. */
export const savedSearchRule: DocumentRule = {
  ...noRule,
  issues: nameIssues,
  changeIssues: (request, stored = {}) => {
    const kept = filtersOf(stored)
    return filtersOf(request).flatMap((filter, index) => {
      const wrong = kept.some((one) => Equal.equals(one, filter)) ? undefined : wrongFilter(filter)
      return wrong === undefined ? [] : [{ path: `filters[${index}].${wrong[0]}`, message: wrong[1] }]
    })
  },
  references: Effect.fnUntraced(function* ({ sourceId }, _, find) {
    const sources = yield* find("sources", [String(sourceId)])
    if (sources.length === 0) return yield* badReference("sourceId", "sourceId must be an existing source id")
    return {}
  }),
  document: (request, context) => ({
    name: trimmedName(request),
    sourceId: request.sourceId,
    select: request.select ?? "",
    where: request.where ?? "",
    whereLanguage: request.whereLanguage ?? "lucene",
    orderBy: request.orderBy ?? "",
    tags: request.tags ?? [],
    filters: filtersOf(request),
    teamId: context.organizationId,
    ...timesOf(context)
  }),
  deletion: (id, find) => Effect.map(find("alerts"), (alerts) => alertsOfSearch(alerts, id))
}
