import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import { formatPath, type IssueCollector } from "../error/FieldIssue.ts"
import type { AuthenticationNeeds, Condition, FieldRule, FieldRules, SourceRules } from "./source/FieldRule.ts"

type Path = ReadonlyArray<string | number>

/** The field of a decoded request: what a secret contains, too. */
const fieldOf = (value: unknown, name: string): unknown => {
  const field: unknown = Predicate.isObject(value) && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
  return Redacted.isRedacted(field) ? Redacted.value(field) : field
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== ""

/** Whether a field has any content: an object or a list whose parts are not given has none. */
const hasContent = (value: unknown): boolean =>
  Predicate.isObjectOrArray(value) ? Object.values(value).some(hasContent) : isGiven(value)

const holds = ({ field, is, isNot }: Condition, parent: unknown): boolean => {
  const value = fieldOf(parent, field)
  return (is === undefined ? hasContent(value) : is.some((one) => one === value)) !== (isNot === true)
}

const conditionText = ({ field, is, isNot }: Condition): string => {
  if (is === undefined) return isNot ? `no ${field}` : field
  return `${field} ${isNot ? "other than " : ""}${is.join(" or ")}`
}

const valuesText = (values: ReadonlyArray<string>): string => values.map((value) => `"${value}"`).join(" | ")

const wrongText = ({ maxLength, pattern }: FieldRule, text: string): string | undefined => {
  if (maxLength !== undefined && Array.from(text).length > maxLength) return `Expected at most ${maxLength} characters`
  return pattern !== undefined && !pattern[0].test(text) ? pattern[1] : undefined
}

/** What a value that is given must be, and is not. */
const wrongValue = (rule: FieldRule, value: unknown): string | undefined => {
  const { isUnique, range, values } = rule
  if (values !== undefined && !values.some((one) => one === value)) return `Expected ${valuesText(values)}`
  if (range !== undefined && Predicate.isNumber(value) && !(value >= range[0] && value <= range[1])) {
    return range[1] === Number.MAX_SAFE_INTEGER
      ? `Expected a number of at least ${range[0]}`
      : `Expected a number from ${range[0]} to ${range[1]}`
  }
  if (Predicate.isString(value)) return wrongText(rule, value)
  return isUnique && Array.isArray(value) && new Set(value).size < value.length ? "Expected each value once" : undefined
}

/** Why a field may not be given beside the others. */
const misplaced = (
  { notWith, onlyWith = [], refusal }: FieldRule,
  value: unknown,
  parent: unknown
): string | undefined => {
  if (refusal !== undefined) return refusal
  if (value === false) return undefined
  const unmet = onlyWith.find((condition) => !holds(condition, parent))
  if (unmet !== undefined) return `Expected only with ${conditionText(unmet)}`
  return notWith !== undefined && holds(notWith, parent) ? `Expected only without ${conditionText(notWith)}` : undefined
}

const checkField = (found: IssueCollector, rule: FieldRule, parent: unknown, name: string, path: Path): void => {
  const value = fieldOf(parent, name)
  const report = (message: string) => found.report({ path: formatPath(path), message })
  const { isRequired } = rule
  // An empty list is a list: it is missing only where a condition requires elements.
  const isEmpty = Array.isArray(value) ? value.length === 0 && isRequired !== true : !hasContent(value)
  if (isEmpty) {
    if (isRequired === true) report("Missing: it is required")
    else if (isRequired !== undefined) {
      const conditions = [isRequired].flat()
      if (conditions.every((condition) => holds(condition, parent))) {
        report(`Missing: it is required with ${conditions.map(conditionText).join(" and ")}`)
      }
    }
    return
  }
  const wrong = misplaced(rule, value, parent) ?? wrongValue(rule, value)
  if (wrong !== undefined) return report(wrong)
  if (rule.fields === undefined) return
  if (!Array.isArray(value)) return checkFields(found, rule.fields, value, path)
  for (const [index, element] of value.entries()) {
    if (found.isFull) return
    checkFields(found, rule.fields, element, [...path, index])
  }
}

/** Finds the fields of a decoded request that break a rule. */
export const checkFields = (found: IssueCollector, rules: FieldRules, value: unknown, path: Path): void => {
  for (const [name, rule] of Object.entries(rules)) checkField(found, rule, value, name, [...path, name])
}

/** The value at a path such as `credentials.username`. */
const valueAt = (value: unknown, path: string): unknown =>
  path.split(".").reduce((part: unknown, name) => fieldOf(part, name), value)

const rootOf = (path: string): string => path.slice(0, path.includes(".") ? path.indexOf(".") : path.length)

/** The fields that the method needs and that are absent: none if one of the lists is complete. */
const missingNeeds = (source: unknown, needs: AuthenticationNeeds): ReadonlyArray<string> => {
  const missing = needs.map((fields) => fields.filter((field) => !hasContent(valueAt(source, field))))
  return missing.find((fields) => fields.length === 0) ?? missing[0] ?? []
}

/** Checks that the credentials of a source are those that its authentication needs, all of them and no others. */
const checkAuthentication = (found: IssueCollector, rules: SourceRules, source: unknown, path: Path): void => {
  const { authentications, authenticationsByType = {}, credentials, defaultAuthentication, needsByType = {} } = rules
  if (authentications === undefined) return
  const report = (field: string, message: string) => found.report({ path: formatPath([...path, field]), message })
  const given = fieldOf(source, "authentication")
  const method = isGiven(given) ? given : defaultAuthentication
  const type = String(fieldOf(source, "type"))
  const name = String(method)
  const allowed = authenticationsByType[type] ?? Object.keys(authentications)
  if (method !== undefined && !allowed.some((one) => one === method)) {
    // Clients look for these words.
    const unsupported = Object.hasOwn(authentications, name) ? `: ${type} does not support ${name}` : ""
    return report("authentication", `Expected ${valuesText(allowed)}${unsupported}`)
  }
  const needs = method === undefined ? [] : (needsByType[type] ?? authentications[name] ?? [])
  for (const field of missingNeeds(source, needs)) report(field, `Missing: it is required with authentication ${name}`)
  const taken = new Set(needs.flat().map(rootOf))
  const superfluous = credentials.filter(
    (field) => rootOf(field) === field && !taken.has(field) && hasContent(fieldOf(source, field))
  )
  for (const field of superfluous) {
    report(
      field,
      method === undefined ? "Expected only with authentication" : `Expected none with authentication ${name}`
    )
  }
}

/** Finds what is wrong with a source of one kind. */
export const checkSource = (found: IssueCollector, rules: SourceRules, source: unknown, path: Path): void => {
  const { fields, fieldsByType = {}, typeField = "type" } = rules
  checkFields(found, { ...fields, ...fieldsByType[String(valueAt(source, typeField))] }, source, path)
  checkAuthentication(found, rules, source, path)
}
