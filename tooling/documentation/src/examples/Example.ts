/** Lines of code in a document; `line` is that of the first, counted from 1. */
export interface Block {
  readonly line: number
  readonly text: string
}

/** A module that must type-check: a block and those that continue it. */
export interface Example {
  /** Its document, relative to the root. */
  readonly file: string
  /** The module's name, relative to the document's folder: `src/report.ts`. */
  readonly name: string
  readonly blocks: ReadonlyArray<Block>
}

/** An example as one module. Its line numbers are those of the document, so that compiler errors name them. */
export const moduleOf = ({ blocks }: Example): string => {
  const lines: Array<string> = []
  for (const { line, text } of blocks) {
    while (lines.length < line - 1) lines.push("")
    lines.push(...text.split("\n"))
  }
  return `${lines.join("\n")}\n`
}
