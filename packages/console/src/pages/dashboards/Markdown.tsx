import type { ComponentChildren } from "preact"
import { useMemo } from "preact/hooks"
import { type Block, blocksOf, type Inline } from "./markdown.ts"

const Inlines = ({ of }: { readonly of: ReadonlyArray<Inline> }): ComponentChildren =>
  of.map((inline, index) => {
    switch (inline.kind) {
      case "text":
        return inline.text
      case "code":
        return <code key={index}>{inline.text}</code>
      case "strong":
        return (
          <strong key={index}>
            <Inlines of={inline.children} />
          </strong>
        )
      case "em":
        return (
          <em key={index}>
            <Inlines of={inline.children} />
          </em>
        )
      default:
        return (
          <a key={index} href={inline.href} rel="noreferrer" target="_blank">
            <Inlines of={inline.children} />
          </a>
        )
    }
  })

// The page has a heading, and so has the tile.
const headings = ["h3", "h4", "h5"] as const

const BlockOf = ({ block }: { readonly block: Block }) => {
  switch (block.kind) {
    case "heading": {
      const Heading = headings[Math.min(block.level, headings.length) - 1] ?? "h5"
      return (
        <Heading>
          <Inlines of={block.children} />
        </Heading>
      )
    }
    case "paragraph":
      return (
        <p>
          <Inlines of={block.children} />
        </p>
      )
    case "code":
      return <pre>{block.text}</pre>
    case "rule":
      return <hr />
    case "quote":
      return (
        <blockquote>
          <Blocks of={block.blocks} />
        </blockquote>
      )
    default: {
      const List = block.isOrdered ? "ol" : "ul"
      return (
        <List>
          {block.items.map((item, index) => (
            <li key={index}>
              <Inlines of={item} />
            </li>
          ))}
        </List>
      )
    }
  }
}

const Blocks = ({ of }: { readonly of: ReadonlyArray<Block> }) => (
  <>
    {of.map((block, index) => (
      <BlockOf key={index} block={block} />
    ))}
  </>
)

/** A text in Markdown as elements: HTML in it is text, images are not shown, and links lead to http and https alone. */
export const Markdown = ({ text }: { readonly text: string }) => {
  const blocks = useMemo(() => blocksOf(text), [text])
  return (
    <div class="markdown">
      <Blocks of={blocks} />
    </div>
  )
}
