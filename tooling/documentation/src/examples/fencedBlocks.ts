import type { Block } from "./Example.ts"

/** A ```ts block. `continues`: it is fenced as ```ts continues, and belongs to the block before it. */
export interface FencedBlock extends Block {
  readonly continues: boolean
}

/** The ```ts blocks of a Markdown text whose first line has the number `firstLine`. */
export const fencedBlocks = (text: string, firstLine = 1): ReadonlyArray<FencedBlock> => {
  const blocks: Array<FencedBlock> = []
  let open: { readonly fence: string; readonly info: string; readonly line: number } | undefined
  let lines: Array<string> = []
  for (const [index, line] of text.split("\n").entries()) {
    const [, fence = "", info = ""] = /^\s*(`{3,}|~{3,})\s*(.*?)\s*$/.exec(line) ?? []
    if (open === undefined) {
      if (fence !== "") open = { fence, info, line: firstLine + index + 1 }
      lines = []
    } else if (fence.startsWith(open.fence) && info === "") {
      const [language, mark] = open.info.split(/\s+/)
      if (language === "ts" || language === "typescript") {
        blocks.push({ line: open.line, text: lines.join("\n"), continues: mark === "continues" })
      }
      open = undefined
    } else lines.push(line)
  }
  return blocks
}
