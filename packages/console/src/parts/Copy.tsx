import { useState } from "preact/hooks"
import { announce } from "../data/announce.ts"

interface CopyProps {
  /** What is copied, or what makes it when it is. */
  readonly text: string | (() => string)
  /** What it is, such as `command`. */
  readonly of: string
  /** The text of the button; `Copy` by default. */
  readonly title?: string
}

/** A button that copies a text, and says that it did. */
export const Copy = ({ of, text, title = "Copy" }: CopyProps) => {
  const [said, setSaid] = useState("")
  const say = (message: string) => {
    setSaid(message)
    announce(message)
    setTimeout(() => setSaid(""), 4000)
  }
  const copy = async () => {
    try {
      // Absent over plain http.
      await navigator.clipboard.writeText(typeof text === "string" ? text : text())
      say("Copied")
    } catch {
      say("The browser does not allow it: select it and copy it")
    }
  }
  return (
    <button
      type="button"
      class="copy"
      aria-label={title === "Copy" && said === "" ? `Copy the ${of}` : undefined}
      onClick={() => void copy()}
    >
      {said === "" ? title : said}
    </button>
  )
}

/** A text to copy, such as a command line. */
export const Copied = ({ of, text }: { readonly of: string; readonly text: string }) => (
  <div class="copied">
    <code tabIndex={0}>{text}</code>
    <Copy of={of} text={text} />
  </div>
)
