import { type FieldRule, type FieldRules, pipeCreateRules, pipeSourceKinds } from "@headgate/core/adapter"
import { type Fact, parentOf } from "./facts.ts"
import { unnamed } from "./OpenApi.ts"

/** What a rule says of the field at a path, and its fields of those below. */
const ruleFacts = (
  name: string,
  rule: FieldRule,
  above: string,
  isList: (path: string) => boolean
): ReadonlyArray<Omit<Fact, "field">> => {
  const path = above === "" ? name : `${above}.${name}`
  const [least, greatest] = rule.range ?? []
  const says = [
    rule.isRequired === true ? ["required"] : [],
    (rule.values ?? []).map((value) => `enum ${JSON.stringify(value)}`),
    least === undefined ? [] : [`minimum ${least}`],
    greatest === undefined || greatest === Number.MAX_SAFE_INTEGER ? [] : [`maximum ${greatest}`],
    rule.maxLength === undefined ? [] : [`maxLength ${rule.maxLength}`],
    rule.isUnique === true ? ["uniqueItems true"] : []
  ].flat()
  return [
    ...says.map((text) => ({ path, says: text })),
    ...rulesFacts(rule.fields ?? {}, isList(path) ? `${path}[]` : path, isList)
  ]
}

const rulesFacts = (rules: FieldRules, above: string, isList: (path: string) => boolean) =>
  Object.entries(rules).flatMap(([name, rule]) => ruleFacts(name, rule, above, isList))

const pipes = unnamed("/v1/organizations/{organizationId}/services/{serviceId}/clickpipes")
const creations = [`POST ${pipes}`, `POST ${pipes}/schemaDiscovery`]
// The rules hold for the pipe as it is after the change, which may leave out what stays.
const changes = [`PATCH ${pipes}/{}`]

/**
 * The facts of the body of a request with what the rules of a pipe demand, which no document has: documents have every
 * value of a field that may ever be answered.
 */
export const ruled = (operation: string, facts: ReadonlyArray<Fact>): ReadonlyArray<Fact> => {
  if (!creations.includes(operation) && !changes.includes(operation)) return facts
  const fields = new Map(facts.map(({ field, path }) => [path, field]))
  const kinds = pipeSourceKinds.map((kind) => rulesFacts(pipeCreateRules(kind), "", (path) => fields.has(`${path}[]`)))
  const added = kinds.flat().flatMap(({ path, says }): ReadonlyArray<Fact> => {
    const field = fields.get(path)
    if (field === undefined) return []
    if (says !== "required") return [{ path, says, field }]
    const isOfAll = kinds.every((kind) => kind.some((fact) => fact.path === path && fact.says === says))
    const isRequired = !changes.includes(operation) && (path.startsWith("source.") || isOfAll)
    return isRequired && fields.has(parentOf(path)) ? [{ path, says, field }] : []
  })
  const listed = new Set(added.flatMap(({ path, says }) => (says.startsWith("enum ") ? [path] : [])))
  return [...facts.filter(({ path, says }) => !says.startsWith("enum ") || !listed.has(path)), ...added]
}
