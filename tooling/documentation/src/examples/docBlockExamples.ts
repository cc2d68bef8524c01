import { parseSync } from "oxc-parser"
import type { Example } from "./Example.ts"
import { examplesOf } from "./examplesOf.ts"
import { fencedBlocks } from "./fencedBlocks.ts"

/** The text of a doc block without the comment marks. */
export const withoutMarks = (comment: string): string =>
  comment
    .split("\n")
    .map((line) => line.replace(/^\s*\*? ?/, ""))
    .join("\n")

/** The examples in the doc blocks of a source file. */
export const docBlockExamples = (file: string, source: string): ReadonlyArray<Example> =>
  parseSync(file, source)
    .comments.filter(({ type, value }) => type === "Block" && value.startsWith("*"))
    .flatMap(({ start, value }) =>
      examplesOf(file, fencedBlocks(withoutMarks(value), source.slice(0, start).split("\n").length))
    )
