import { fromMarkdown } from "mdast-util-from-markdown"
import { visit } from "unist-util-visit"
import type { Block } from "./Example.ts"

/** A ```ts block; `mark` is the text behind `ts` in its fence. */
export interface FencedBlock extends Block {
  readonly mark: string
}

/** The ```ts blocks of a Markdown text whose first line has the number `firstLine`. */
export const fencedBlocks = (text: string, firstLine = 1): ReadonlyArray<FencedBlock> => {
  const blocks: Array<FencedBlock> = []
  visit(fromMarkdown(text), "code", ({ lang, meta, position, value }) => {
    if (lang !== "ts" && lang !== "typescript") return
    blocks.push({ line: firstLine + (position?.start.line ?? 0), text: value, mark: meta ?? "" })
  })
  return blocks
}
