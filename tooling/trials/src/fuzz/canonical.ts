/** Deeper than anything that a server may take: what is below is not looked at, so that it cannot end the trial. */
const deepest = 500

/** Any JSON as a text that does not depend on the order of fields: two documents are equal when these are. */
export const canonical = (value: unknown, depth = 0): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined"
  if (depth === deepest) return "(deeper)"
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth + 1)).join()}]`
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field, depth + 1)}`).join()}}`
}
