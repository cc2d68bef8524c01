import { useState } from "preact/hooks"

interface CopyProps {
  /** What is copied. */
  readonly text: string
  /** What it is, such as `command`. */
  readonly of: string
}

/** A button that copies a text, and says that it did. */
export const Copy = ({ of, text }: CopyProps) => {
  const [said, say] = useState("")
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => say("Copied"),
      () => say("Not allowed: select it and copy it")
    )
  return (
    <button type="button" class="copy" aria-label={`Copy the ${of}`} onClick={() => void copy()}>
      <span role="status">{said === "" ? "Copy" : said}</span>
    </button>
  )
}

/** A text to copy, such as a command line. */
export const Copied = ({ of, text }: CopyProps) => (
  <div class="copied">
    <code tabIndex={0}>{text}</code>
    <Copy of={of} text={text} />
  </div>
)
