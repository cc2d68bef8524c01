import GithubSlugger from "github-slugger"
import { fromMarkdown } from "mdast-util-from-markdown"
import { toString } from "mdast-util-to-string"
import { posix } from "node:path"
import { visit } from "unist-util-visit"
import type { Source } from "./Source.ts"

/** A link of a Markdown file to something else in this repository. */
interface Link {
  readonly line: number
  readonly target: string
}

/** What a Markdown file links to, and what can be linked to in it. */
interface Page {
  readonly links: ReadonlyArray<Link>
  /** Of its headings, as GitHub makes them. */
  readonly anchors: ReadonlySet<string>
}

const hasScheme = /^[a-z][a-z+.-]*:/iu

const page = ({ text }: Source): Page => {
  const slugger = new GithubSlugger()
  const links: Array<Link> = []
  const anchors = new Set<string>()
  visit(fromMarkdown(text), (node) => {
    if (node.type === "heading") anchors.add(slugger.slug(toString(node)))
    if (node.type !== "link" && node.type !== "image" && node.type !== "definition") return
    if (!hasScheme.test(node.url)) links.push({ line: node.position?.start.line ?? 0, target: node.url })
  })
  return { links, anchors }
}

/** The anchors of a page's headings. */
export const anchorsOf = (source: Source): ReadonlySet<string> => page(source).anchors

/** Every relative link that goes nowhere: no such file or folder, or no such heading in it. */
export const brokenLinks = (
  sources: ReadonlyArray<Source>,
  isThere: (path: string) => boolean
): ReadonlyArray<string> => {
  const pages = new Map(sources.map((source) => [source.path, page(source)]))
  return sources.flatMap(({ path }) =>
    (pages.get(path)?.links ?? []).flatMap(({ line, target }) => {
      const [file = "", anchor] = target.split("#")
      const linked = file === "" ? path : posix.join(posix.dirname(path), decodeURI(file))
      const fault = !isThere(linked)
        ? "no such file"
        : anchor !== undefined && !pages.get(linked)?.anchors.has(anchor)
          ? "no such heading"
          : undefined
      return fault === undefined ? [] : [`${path}:${line} "${target}": ${fault}`]
    })
  )
}
