import { parseSync } from "oxc-parser"

/** What an example says that it prints; `line` is that of the statement that does. */
export interface SaidOutput {
  readonly line: number
  readonly text: string
}

const printed = /^\s*console\.(?:log|dir)\(/

/**
 * What the comments of a module say that it prints: the one behind each `console.log(...)`, or the lines of comment right
 * below it. `undefined` if there is nothing printed, or something of which nothing is said.
 */
export const saidOutputs = (file: string, source: string): ReadonlyArray<SaidOutput> | undefined => {
  const { comments, program } = parseSync(file, source)
  const lineAt = (offset: number) => source.slice(0, offset).split("\n").length
  const commentAt = new Map(
    comments
      .filter(({ type }) => type === "Line")
      .map(({ start, value }) => [lineAt(start), { start, text: value.trim() }])
  )
  const isAlone = (line: number) => /^\s*\/\//.test(source.split("\n")[line - 1] ?? "")
  const said: Array<SaidOutput> = []
  for (const { end, start, type } of program.body) {
    if (type !== "ExpressionStatement" || !printed.test(source.slice(start, end))) continue
    const line = lineAt(end)
    const behind = commentAt.get(line)
    const texts = behind !== undefined && behind.start >= end ? [behind.text] : []
    for (let below = line + 1; isAlone(below); below++) texts.push(commentAt.get(below)?.text ?? "")
    if (texts.length === 0) return undefined
    said.push({ line: lineAt(start), text: texts.join(" ") })
  }
  return said.length === 0 ? undefined : said
}
