/** A piece of a line of a text. */
export type Inline =
  | { readonly kind: "text" | "code"; readonly text: string }
  | { readonly kind: "strong" | "em"; readonly children: ReadonlyArray<Inline> }
  | { readonly kind: "link"; readonly href: string; readonly children: ReadonlyArray<Inline> }

/** A block of a text. */
export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly children: ReadonlyArray<Inline> }
  | { readonly kind: "paragraph"; readonly children: ReadonlyArray<Inline> }
  | { readonly kind: "quote"; readonly blocks: ReadonlyArray<Block> }
  | { readonly kind: "list"; readonly isOrdered: boolean; readonly items: ReadonlyArray<ReadonlyArray<Inline>> }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "rule" }

/** A link that is followed: to a page of http or https. Anything else stays a text. */
const linkOf = (text: string): string | undefined => {
  // A browser reads `java\nscript:` without the line feed.
  if (!/^https?:\/\/[^\s\p{Cc}]+$/iu.test(text)) return undefined
  try {
    return new URL(text).href
  } catch {
    return undefined
  }
}

// Deeper text is plain: what is nested without an end must not take time without an end.
const deepest = 8

// A piece that is longer is plain, too: its end is searched for from each sign that may begin one.
const longest = 1000

interface Taken {
  readonly length: number
  readonly inline: Inline
}

const link = (source: string, label: string, target: string, depth: number): Inline => {
  const href = linkOf(target)
  return href === undefined
    ? { kind: "text", text: source }
    : { kind: "link", href, children: depth > 0 ? inlinesOf(label, depth) : [{ kind: "text", text: label }] }
}

/** What a piece is of, and the piece that a match of it is. */
const rules: ReadonlyArray<readonly [RegExp, (match: RegExpExecArray, depth: number) => Inline]> = [
  [/^\\([\\`*_[\]()#+\-.!<>{}|])/, ([, sign = ""]) => ({ kind: "text", text: sign })],
  [/^(`+)([^`](?:[^]*?[^`])?)\1(?!`)/, ([, , code = ""]) => ({ kind: "code", text: code.trim() })],
  [/^!?\[([^\]]*)\]\(([^()\s]+)\)/, ([all, label = "", to = ""], depth) => link(all, label || to, to, depth + 1)],
  [/^<(https?:\/\/[^\s<>]+)>/i, ([all, to = ""]) => link(all, to, to, -1)],
  [/^\*\*(?=\S)(.+?)\*\*/s, ([, inside = ""], depth) => ({ kind: "strong", children: inlinesOf(inside, depth + 1) })],
  [
    /^([*_])(?=\S)(.+?)\1(?!\w)/s,
    ([, , inside = ""], depth) => ({ kind: "em", children: inlinesOf(inside, depth + 1) })
  ]
]

const takeAt = (text: string, depth: number): Taken | undefined => {
  for (const [pattern, make] of rules) {
    const match = pattern.exec(text)
    if (match !== null) return { length: match[0].length, inline: make(match, depth) }
  }
  return undefined
}

/** The pieces of a line. */
export const inlinesOf = (text: string, depth = 0): ReadonlyArray<Inline> => {
  if (depth > deepest) return [{ kind: "text", text }]
  const found: Array<Inline> = []
  let plain = ""
  const flush = () => {
    if (plain !== "") found.push({ kind: "text", text: plain })
    plain = ""
  }
  for (let at = 0; at < text.length;) {
    const isInWord = /[_]/.test(text[at] ?? "") && /\w/.test(text[at - 1] ?? "")
    const taken =
      /[`![<*_\\]/.test(text[at] ?? "") && !isInWord ? takeAt(text.slice(at, at + longest), depth) : undefined
    if (taken === undefined) {
      plain += text[at] ?? ""
      at += 1
      continue
    }
    if (taken.inline.kind === "text") plain += taken.inline.text
    else {
      flush()
      found.push(taken.inline)
    }
    at += taken.length
  }
  flush()
  return found
}

// None may have two ways to read the same signs: everybody who opens a dashboard would wait for a text that somebody else has written.
const item = /^\s{0,3}(?:([-*+])|(\d{1,9})[.)])\s+(.*)$/s
const heading = /^\s{0,3}(#{1,6})\s+(.*)$/s
const rule = /^\s{0,3}([-*_])(?:\s*\1){2,}\s*$/
const fence = /^\s{0,3}(```+|~~~+)/
const quote = /^\s{0,3}>\s?(.*)$/s

/** The text of a heading without the signs that may stand at its end. */
const headingText = (text: string): string => {
  let end = text.trimEnd().length
  while (text[end - 1] === "#") end -= 1
  return text.slice(0, end).trimEnd()
}

const startsBlock = (line: string): boolean =>
  line.trim() === "" || [item, heading, rule, fence, quote].some((pattern) => pattern.test(line))

/** The lines from a place on, as long as each is one of them. */
const linesFrom = (lines: ReadonlyArray<string>, from: number, is: (line: string) => boolean) => {
  let end = from
  while (end < lines.length && is(lines[end] ?? "")) end += 1
  return lines.slice(from, end)
}

interface TakenBlock {
  readonly lines: number
  readonly block: Block
}

const codeAt = (lines: ReadonlyArray<string>, from: number, mark: string): TakenBlock => {
  const inside = linesFrom(lines, from + 1, (line) => !line.trim().startsWith(mark))
  return { lines: inside.length + 2, block: { kind: "code", text: inside.join("\n") } }
}

const listAt = (lines: ReadonlyArray<string>, from: number, isOrdered: boolean): TakenBlock => {
  const items: Array<string> = []
  const taken = linesFrom(lines, from, (line) => {
    const match = item.exec(line)
    if (match !== null && !rule.test(line) && (match[2] !== undefined) === isOrdered) items.push(match[3] ?? "")
    else if (/^\s{2,}\S/.test(line) && match === null) items.push(`${items.pop() ?? ""} ${line.trim()}`)
    else return false
    return true
  })
  return { lines: taken.length, block: { kind: "list", isOrdered, items: items.map((text) => inlinesOf(text)) } }
}

const blockAt = (lines: ReadonlyArray<string>, from: number, depth: number): TakenBlock => {
  const line = lines[from] ?? ""
  const mark = fence.exec(line)?.[1]
  if (mark !== undefined) return codeAt(lines, from, mark)
  if (rule.test(line)) return { lines: 1, block: { kind: "rule" } }
  const head = heading.exec(line)
  if (head !== null) {
    return {
      lines: 1,
      block: { kind: "heading", level: head[1]?.length ?? 1, children: inlinesOf(headingText(head[2] ?? "")) }
    }
  }
  const found = item.exec(line)
  if (found !== null) return listAt(lines, from, found[2] !== undefined)
  if (quote.test(line) && depth < deepest) {
    const inside = linesFrom(lines, from, (one) => quote.test(one))
    const text = inside.map((one) => quote.exec(one)?.[1] ?? "").join("\n")
    return { lines: inside.length, block: { kind: "quote", blocks: blocksOf(text, depth + 1) } }
  }
  const [first = "", ...rest] = [line, ...linesFrom(lines, from + 1, (one) => !startsBlock(one))]
  return { lines: 1 + rest.length, block: { kind: "paragraph", children: inlinesOf([first, ...rest].join("\n")) } }
}

/** The blocks of a text in Markdown: headings, lists, quotes, code, rules and paragraphs. HTML in it is text, and so are images. */
export const blocksOf = (text: string, depth = 0): ReadonlyArray<Block> => {
  const lines = text.replaceAll("\r\n", "\n").split("\n")
  const blocks: Array<Block> = []
  for (let at = 0; at < lines.length;) {
    if ((lines[at] ?? "").trim() === "") {
      at += 1
      continue
    }
    const taken = blockAt(lines, at, depth)
    blocks.push(taken.block)
    at += taken.lines
  }
  return blocks
}
