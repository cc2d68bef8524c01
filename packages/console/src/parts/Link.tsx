import type { ComponentChildren } from "preact"
import { go, hrefOf } from "../data/route.ts"

interface LinkProps {
  /** The path below `/console`, with its query. */
  readonly to: string
  readonly current?: boolean
  /** Whether the key Tab skips it, because another way with the keyboard leads there. */
  readonly isSkipped?: boolean
  readonly children: ComponentChildren
}

/** A link to a page of the console. A click with a modifier key is the browser's. */
export const Link = ({ children, current = false, isSkipped = false, to }: LinkProps) => (
  <a
    href={hrefOf(to)}
    tabIndex={isSkipped ? -1 : undefined}
    aria-current={current ? "page" : undefined}
    onClick={(event) => {
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      event.preventDefault()
      go(to)
    }}
  >
    {children}
  </a>
)
