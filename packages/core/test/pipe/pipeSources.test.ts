import { expect, it } from "@effect/vitest"
import { fileURLToPath } from "node:url"
import { pipeSourceKinds } from "../../src/pipe/PipeSource.ts"
import { sourceRules } from "../../src/pipe/credentialFields.ts"
import type { Condition, FieldRule, FieldRules, SourceRules } from "../../src/pipe/source/FieldRule.ts"

const code = (text: string) => `\`${text}\``

const condition = ({ field, is, isNot }: Condition) => {
  if (is === undefined) return isNot ? `no ${code(field)}` : code(field)
  return `${code(field)} ${isNot ? "other than " : ""}${is.map((value) => code(String(value))).join(" or ")}`
}

/** What a rule says, in words. */
const ruleText = ({
  isRequired,
  isUnique,
  maxLength,
  notWith,
  onlyWith,
  pattern,
  range,
  values
}: FieldRule): string => {
  const [least, greatest] = range ?? []
  return [
    isRequired === true
      ? "required"
      : isRequired === undefined
        ? ""
        : `required with ${[isRequired].flat().map(condition).join(" and ")}`,
    onlyWith === undefined ? "" : `only with ${onlyWith.map(condition).join(" and ")}`,
    notWith === undefined ? "" : `not with ${condition(notWith)}`,
    values === undefined ? "" : values.map(code).join(" "),
    least === undefined ? "" : greatest === Number.MAX_SAFE_INTEGER ? `at least ${least}` : `${least} to ${greatest}`,
    maxLength === undefined ? "" : `at most ${maxLength} characters`,
    pattern === undefined ? "" : pattern[1].replace("Expected ", ""),
    isUnique === true ? "each value once" : ""
  ]
    .filter((part) => part !== "")
    .join("; ")
}

const rows = (rules: FieldRules, at = ""): ReadonlyArray<string> =>
  Object.entries(rules).flatMap(([name, rule]) => {
    const text = ruleText(rule)
    const own = text === "" ? [] : [`| ${code(at + name)} | ${text} |`]
    return [...own, ...(rule.fields === undefined ? [] : rows(rule.fields, `${at}${name}.`))]
  })

/** The rules that a type replaces, and no others. */
const typeRows = ({ fields, fieldsByType = {}, typeField = "type" }: SourceRules): ReadonlyArray<string> => {
  const general = new Set(rows(fields))
  return Object.entries(fieldsByType).flatMap(([type, replaced]) =>
    rows(replaced)
      .filter((row) => !general.has(row))
      .map((row) => row.replace("| ", `| ${code(`${typeField}: ${type}`)}: `))
  )
}

const needsText = (needs: ReadonlyArray<ReadonlyArray<string>>) =>
  needs.map((fields) => (fields.length === 0 ? "nothing" : fields.map(code).join(" and "))).join(", or ")

const authenticationRows = ({
  authentications = {},
  authenticationsByType = {},
  defaultAuthentication,
  needsByType = {}
}: SourceRules): ReadonlyArray<string> => [
  ...Object.entries(authentications).map(
    ([method, needs]) =>
      `| ${code(`authentication: ${method}`)}${method === defaultAuthentication ? ", or absent" : ""} | needs ${needsText(needs)} |`
  ),
  ...Object.entries(authenticationsByType).map(
    ([type, methods]) => `| ${code(`type: ${type}`)} | ${code("authentication")} ${methods.map(code).join(" ")} |`
  ),
  ...Object.entries(needsByType).map(
    ([type, needs]) => `| ${code(`type: ${type}`)} | every method needs ${needsText(needs)} |`
  )
]

const defaultRows = ({ defaultSettings = {} }: SourceRules): ReadonlyArray<string> =>
  Object.entries(defaultSettings).map(([name, value]) => `| ${code(`settings.${name}`)} | ${value} if absent |`)

const section = (kind: (typeof pipeSourceKinds)[number]): string => {
  const rules = sourceRules[kind]
  return [
    `## ${kind}`,
    "",
    `Write-only: ${[...rules.credentials, ...(rules.writeOnly ?? [])].map(code).join(", ")}.`,
    "",
    "| Field | Rule |",
    "|---|---|",
    ...rows(rules.fields),
    ...typeRows(rules),
    ...authenticationRows(rules),
    ...defaultRows(rules)
  ].join("\n")
}

const document = `# The sources of pipes

This page is made from the rules beside [FieldRule.ts](../packages/core/src/pipe/source/FieldRule.ts). After a change, write it
with \`npx vitest run --project core pipeSources -u\`.

A new pipe has exactly one kind of source. A server refuses a request that breaks a rule with a 400 that names the field. A
field that is absent, \`null\` or an empty text is not given. An update keeps the same rules; what an imported pipe lacked
already is not judged. Fields without a rule are optional. Unknown fields are a 400, or sealed with \`--unknown-fields keep\`.
\`GET /openapi.json\` describes each field.
No answer holds a write-only field. \`objectStorage.connectionString\` is answered.

${pipeSourceKinds.map(section).join("\n\n")}
`

it("docs/pipe-sources.md is what the rules of the sources say", () =>
  expect(document).toMatchFileSnapshot(fileURLToPath(new URL("../../../../docs/pipe-sources.md", import.meta.url))))
