import type { Block, Example } from "./Example.ts"
import type { FencedBlock } from "./fencedBlocks.ts"

const named = /^file=((?:\w[\w.-]*\/)*\w[\w.-]*\.ts)$/

/**
 * The examples of a document. Each block is an example, but one fenced as ```ts continues belongs to the one before it,
 * and one fenced as ```ts file=src/report.ts is that file for the other blocks of the document.
 */
export const examplesOf = (file: string, blocks: ReadonlyArray<FencedBlock>): ReadonlyArray<Example> => {
  const examples: Array<Example & { readonly blocks: Array<Block> }> = []
  for (const { mark, ...block } of blocks) {
    const last = examples.at(-1)
    const name = mark === "" ? `line-${block.line}.ts` : named.exec(mark)?.[1]
    if (name !== undefined) examples.push({ file, name, blocks: [block] })
    else if (mark !== "continues") {
      throw new Error(
        `${file}:${block.line - 1}: a block is ts, ts continues or ts file=src/name.ts, and not ts ${mark}`
      )
    } else if (last === undefined)
      throw new Error(`${file}:${block.line - 1}: a block that continues, and none before it`)
    else last.blocks.push(block)
  }
  return examples
}
