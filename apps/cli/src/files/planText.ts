import { escapeTerminalLine, type Style } from "@headgate/command-line"
import type { Difference } from "./differences.ts"
import { maskedValue, looksSensitive } from "../output/detailText.ts"
import { changeWarnings, creationWarnings } from "../key/keyWarnings.ts"
import type { Change, Plan } from "./plan.ts"

// Longer values are cut; --json has the whole.
const maxValue = 160
// More are counted.
const maxDifferences = 100

/** What a change is about. */
export const subjectOf = (change: Change) => {
  if (change.action === "create") {
    const { file, kind, name } = change.match.file
    return { kind, name, file, id: undefined }
  }
  const { id, kind, name } = change.remote
  return { kind, name, file: change.action === "delete" ? change.entry.file : change.match.file.file, id }
}

/** The name of what a change is about, for a sentence. */
export const nameOf = (change: Change): string => {
  const { kind, name } = subjectOf(change)
  return escapeTerminalLine(`${kind} "${name}"`)
}

const shown = ({ path }: Difference, value: unknown): unknown =>
  looksSensitive.test(path) && value !== undefined ? "<redacted>" : maskedValue(value)

const valueText = (value: unknown): string => {
  const text = escapeTerminalLine(JSON.stringify(value) ?? "")
  return text.length > maxValue ? `${text.slice(0, maxValue)}…` : text
}

const differenceLines = (difference: Difference, { color }: Style): ReadonlyArray<string> => {
  const line = (sign: string, value: unknown) =>
    `    ${sign} ${escapeTerminalLine(difference.path)}: ${valueText(shown(difference, value))}`
  return [
    ...(difference.before === undefined ? [] : [color("red", line("-", difference.before))]),
    ...(difference.after === undefined ? [] : [color("green", line("+", difference.after))])
  ]
}

const signs = {
  create: ["green", "+"],
  update: ["yellow", "~"],
  replace: ["red", "-/+"],
  delete: ["red", "-"]
} as const

/** What to know of a change before it is made. */
const warningsOf = (change: Change): ReadonlyArray<string> => {
  if (subjectOf(change).kind !== "key") return []
  return change.steps.flatMap((step) => {
    if (step.type === "create") return creationWarnings(step.request)
    return step.type === "update" ? changeWarnings(step.request) : []
  })
}

const changeLines = (change: Change, style: Style): ReadonlyArray<string> => {
  const { file, id } = subjectOf(change)
  const [color, sign] = signs[change.action]
  const place = change.action === "delete" ? `${id}, whose file ${file} is gone` : file
  const steps = change.steps.map(({ type }) => type)
  const found = change.differences.slice(0, maxDifferences)
  const more = change.differences.length - found.length
  return [
    `${style.color(color, sign)} ${change.action} ${style.strong(nameOf(change))} (${escapeTerminalLine(place)})`,
    ...found.flatMap((difference) => differenceLines(difference, style)),
    ...(more > 0 ? [`    and ${more} more differences`] : []),
    ...(steps.length > 1 ? [`    steps: ${steps.join(", ")}`] : []),
    ...warningsOf(change).map((warning) => `    WARNING: ${warning}`)
  ]
}

const stayText = ({ remote: { id, kind, name }, why }: Plan["stays"][number]): string => {
  const reason =
    why === "isCallersKey"
      ? "this command uses it"
      : `this directory did not create it. 'headgate ${kind} delete ${id}' deletes it`
  return `${kind} "${name}" has no file any more and stays: ${reason}`
}

const countText = (plan: Plan): string => {
  const counts = Object.keys(signs).flatMap((action) => {
    const count = plan.changes.filter((change) => change.action === action).length
    return count === 0 ? [] : [`${count} to ${action}`]
  })
  return [...counts, `${plan.unchanged.length} unchanged`].join(", ")
}

/** The plan as text, with colours where the style has them. */
export const planText = (plan: Plan, style: Style): string =>
  [
    ...plan.changes.flatMap((change) => changeLines(change, style)),
    ...plan.kept.map(({ kind, name }) =>
      escapeTerminalLine(`note: ${kind} "${name}" has no file any more: --prune deletes it`)
    ),
    ...plan.stays.map((one) => escapeTerminalLine(`note: ${stayText(one)}`)),
    countText(plan)
  ].join("\n")

/** The plan as JSON, without secrets. */
export const planJson = (plan: Plan) => ({
  changes: plan.changes.map((change) => ({
    action: change.action,
    ...subjectOf(change),
    differences: change.differences.map((difference) => ({
      path: difference.path,
      before: shown(difference, difference.before),
      after: shown(difference, difference.after)
    })),
    steps: change.steps.map(({ type }) => type),
    warnings: warningsOf(change)
  })),
  kept: plan.kept.map(({ id, kind, name }) => ({ kind, name, id })),
  stays: plan.stays.map(({ remote: { id, kind, name }, why }) => ({ kind, name, id, why })),
  unchanged: plan.unchanged.length
})
