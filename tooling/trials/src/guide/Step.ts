import { fromMarkdown } from "mdast-util-from-markdown"

/** A command or a file of the guide. */
export type Step =
  | {
      readonly _tag: "Run"
      /** The line of the guide. */
      readonly line: number
      readonly commands: string
      /** The output that the guide shows, if any. */
      readonly printed?: string
    }
  | { readonly _tag: "Write"; readonly line: number; readonly path: string; readonly text: string }

/** Commands that a reader does not see. */
const hidden = /^<!-- run\n([^]*)\n-->$/

/** The path in the first line of a block that is a file: an absolute one, or one in the directory of the reader. */
const named = /^(?:#|\/\/) (\/\S+|[\w./-]+\.(?:yaml|yml|mjs|mts|py|go|sh))\n/

/**
 * The steps of a Markdown page in order: blocks fenced as `sh run`, with the `text` block behind them as their output;
 * comments that begin with `run`; and, as files, blocks whose first line is a comment with a path.
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
