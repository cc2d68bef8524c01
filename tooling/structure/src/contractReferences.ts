import { parseSync } from "oxc-parser"
import { anchorsOf } from "./links.ts"
import type { Source } from "./Source.ts"

/** The text of a page's path and its heading in a comment: `docs/wire-contract.md#errors`. */
const reference = /\bdocs\/[\w./-]+\.md(?:#[\w-]+)?/gu

const sectionOfContract = /\bcontract\b[^.;\n]*?\bsections? \d/iu

/** The comments of a file, each in one line, and where it begins. Line comments below each other are one. */
const commentsOf = ({ path, text }: Source) => {
  // To parse every file would take seconds.
  if (!/docs\/[\w./-]+\.md|\bsections?\b/iu.test(text)) return []
  const found: Array<{ start: number; end: number; comment: string }> = []
  for (const { end, start, type, value } of parseSync(path, text).comments) {
    const above = found.at(-1)
    if (type === "Line" && above !== undefined && text.slice(above.end, start).trim() === "") {
      above.comment += ` ${value.trim()}`
      above.end = end
    } else {
      found.push({ start, end, comment: value.replaceAll(/\s*\n\s*\*?[ \t]*/gu, " ") })
    }
  }
  return found.map(({ comment, start }) => ({ comment, line: text.slice(0, start).split("\n").length }))
}

/**
 * Every comment that refers to a page or a heading that is not there, and every one that names a section of the contract by its
 * number, which no page has.
 */
export const brokenReferences = (
  sources: ReadonlyArray<Source>,
  pages: ReadonlyArray<Source>
): ReadonlyArray<string> => {
  const anchors = new Map(pages.map((page) => [page.path, anchorsOf(page)]))
  const faultOf = (target: string) => {
    const [path = "", anchor] = target.split("#")
    const known = anchors.get(path)
    if (known === undefined) return "no such page"
    return anchor === undefined || known.has(anchor) ? undefined : "no such heading"
  }
  return sources.flatMap((source) =>
    commentsOf(source).flatMap(({ comment, line }) => [
      ...Array.from(comment.matchAll(reference), ([target]) => ({ target, fault: faultOf(target) })).flatMap(
        ({ fault, target }) => (fault === undefined ? [] : [`${source.path}:${line} "${target}": ${fault}`])
      ),
      ...Array.from(
        comment.match(sectionOfContract) ?? [],
        (text) => `${source.path}:${line} "${text}": name a heading of docs/wire-contract.md`
      )
    ])
  )
}
