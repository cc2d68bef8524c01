// Values that differ in every run: the guide shows examples.
const examples: ReadonlyArray<readonly [pattern: RegExp, name: string]> = [
  [/\bhg[cst]_(?:\w+|\.\.\.)/g, "<secret>"],
  [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<uuid>"],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>"],
  [/\[\d\d:\d\d:\d\d\.\d+\]/g, "[<time>]"],
  [/\(#\d+\)/g, "(#<fiber>)"],
  [/(?<="keyId":"|key ID +)\w+/g, "<key id>"],
  [/ \.\.\.\w{4}\b/g, " <suffix>"]
]

const generalised = (text: string): ReadonlyArray<string> =>
  examples
    .reduce((rest, [pattern, name]) => rest.replaceAll(pattern, name), text)
    .split("\n")
    .map((line) => line.trimEnd())
    // The journal has no empty lines.
    .filter((line) => line !== "")

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** Whether a line matches: `...` stands for anything. */
const matches = (shown: string, line: string | undefined): boolean =>
  line !== undefined && new RegExp(`^${shown.split("...").map(escaped).join(".*")}$`).test(line)

/**
 * The first difference between the guide's output and the real one; `undefined` if there is none. IDs, times and secrets
 * are examples, and `...` stands for anything: on a line of its own for any lines.
 */
export const difference = (shown: string, printed: string): string | undefined => {
  const expected = generalised(shown)
  const lines = generalised(printed)
  let at = 0
  for (const [index, line] of expected.entries()) {
    if (line === "...") {
      const next = expected[index + 1]
      if (next === undefined) return undefined
      while (at < lines.length && !matches(next, lines[at])) at++
      continue
    }
    if (!matches(line, lines[at]))
      return `expected "${line}", got ${at < lines.length ? `"${lines[at]}"` : "no more lines"}`
    at++
  }
  return at < lines.length ? `"${lines[at]}" is not in the guide` : undefined
}
