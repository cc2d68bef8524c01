import { styleText } from "node:util"

/** How text is written to a stream. */
export interface Style {
  /** Columns of the terminal, or of COLUMNS; infinite for a file or a pipe. */
  readonly width: number
  readonly strong: (text: string) => string
  readonly failure: (text: string) => string
  readonly color: (color: "green" | "red" | "yellow", text: string) => string
}

/** Plain text of any width. */
export const plainStyle: Style = { width: Infinity, strong: String, failure: String, color: (_, text) => text }

/** The style of a stream: colours on a terminal that has them, or with FORCE_COLOR; none with NO_COLOR. */
export const styleOf = (stream: NodeJS.WriteStream): Style => ({
  width: stream.columns || Number(process.env["COLUMNS"]) || Infinity,
  strong: (text) => styleText("bold", text, { stream }),
  failure: (text) => styleText(["bold", "red"], text, { stream }),
  color: (color, text) => styleText(color, text, { stream })
})
