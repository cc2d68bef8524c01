// What is another each time: the guide shows one of each.
const examples: ReadonlyArray<readonly [pattern: RegExp, name: string]> = [
  [/\bhg[st]_(?:\w+|\.\.\.)/g, "<secret>"],
  [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<uuid>"],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>"],
  [/\[\d\d:\d\d:\d\d\.\d+\]/g, "[<time>]"],
  [/\(#\d+\)/g, "(#<fiber>)"],
  [/(?<="keyId":"|key ID +)\w+/g, "<key id>"],
  [/ \.\.\.\w{4}\b/g, " <suffix>"]
]

const generalised = (text: string): ReadonlyArray<string> =>
  examples
    .reduce((told, [pattern, name]) => told.replaceAll(pattern, name), text)
    .split("\n")
    .map((line) => line.trimEnd())
    // The journal keeps none.
    .filter((line) => line !== "")

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** Whether a line is as told: `...` in it stands for anything. */
const isAs = (told: string, line: string | undefined): boolean =>
  line !== undefined && new RegExp(`^${told.split("...").map(escaped).join(".*")}$`).test(line)

/**
 * Where what was printed differs from what the guide says, in words; `undefined` where it does not. IDs, times and secrets
 * are examples, and `...` stands for anything: a line of its own for any lines.
 */
export const difference = (told: string, printed: string): string | undefined => {
  const expected = generalised(told)
  const lines = generalised(printed)
  let at = 0
  for (const [index, line] of expected.entries()) {
    if (line === "...") {
      const next = expected[index + 1]
      if (next === undefined) return undefined
      while (at < lines.length && !isAs(next, lines[at])) at++
      continue
    }
    if (!isAs(line, lines[at]))
      return `expected "${line}", got ${at < lines.length ? `"${lines[at]}"` : "no more lines"}`
    at++
  }
  return at < lines.length ? `"${lines[at]}" is not in the guide` : undefined
}
