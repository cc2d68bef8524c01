import { parseSync } from "oxc-parser"

/** An output that a comment of an example states; `line` is that of the statement that prints it. */
export interface SaidOutput {
  readonly line: number
  readonly text: string
}

const printed = /^\s*console\.(?:log|dir)\(/

/**
 * The outputs that the comments of a module state: the comment behind each `console.log(...)`, or the lines right below it.
 * `undefined` if nothing is printed, or if a statement has no such comment.
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
