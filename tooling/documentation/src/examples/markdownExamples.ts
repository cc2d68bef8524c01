import type { Block, Example } from "./Example.ts"
import { fencedBlocks } from "./fencedBlocks.ts"

/** The examples of a page: each ```ts block, together with those after it that are fenced as ```ts continues. */
export const markdownExamples = (file: string, text: string): ReadonlyArray<Example> => {
  const examples: Array<{ readonly file: string; readonly blocks: Array<Block> }> = []
  for (const { continues, ...block } of fencedBlocks(text)) {
    const last = examples.at(-1)
    if (!continues) examples.push({ file, blocks: [block] })
    else if (last === undefined) throw new Error(`${file}:${block.line}: a block that continues, and none before it`)
    else last.blocks.push(block)
  }
  return examples
}
