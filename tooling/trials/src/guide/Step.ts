import { fromMarkdown } from "mdast-util-from-markdown"

/** Something that the guide has its reader do. */
export type Step =
  | {
      readonly _tag: "Run"
      /** Of the guide, in which it stands. */
      readonly line: number
      readonly commands: string
      /** What the guide says that they print; absent where it does not say. */
      readonly printed?: string
    }
  | { readonly _tag: "Write"; readonly line: number; readonly path: string; readonly text: string }

/** What is prepared for the blocks that follow, and not shown to a reader. */
const hidden = /^<!-- run\n([^]*)\n-->$/

/** The first line of a block that is a file names it. */
const named = /^# (\/\S+)\n/

/**
 * The steps of a Markdown page, in order: blocks fenced as `sh run`, with the `text` block after them as what they print;
 * comments that begin with `run`; and blocks whose first line is a comment with an absolute path, as files.
 */
export const stepsOf = (markdown: string): ReadonlyArray<Step> => {
  const { children } = fromMarkdown(markdown)
  return children.flatMap((node, index): ReadonlyArray<Step> => {
    const line = node.position?.start.line ?? 0
    if (node.type === "html") {
      const commands = hidden.exec(node.value)?.[1]
      return commands === undefined ? [] : [{ _tag: "Run", line, commands }]
    }
    if (node.type !== "code") return []
    if (node.lang === "sh") {
      if (node.meta !== "run") return []
      const next = children[index + 1]
      const printed = next?.type === "code" && next.lang === "text" ? next.value : undefined
      return [{ _tag: "Run", line, commands: node.value, ...(printed === undefined ? {} : { printed }) }]
    }
    const path = named.exec(node.value)?.[1]
    return path === undefined ? [] : [{ _tag: "Write", line, path, text: `${node.value}\n` }]
  })
}
