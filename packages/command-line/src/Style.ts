import * as Context from "effect/Context"
import { styleText } from "node:util"

/** How text is written to a stream. */
export interface Style {
  /** Columns of the terminal, or of COLUMNS; infinite for a file or a pipe. */
  readonly width: number
  readonly strong: (text: string) => string
  readonly failure: (text: string) => string
}

/** The style of a stream: colours on a terminal that has them, or with FORCE_COLOR; none with NO_COLOR. */
export const styleOf = (stream: NodeJS.WriteStream): Style => ({
  width: stream.columns || Number(process.env["COLUMNS"]) || Infinity,
  strong: (text) => styleText("bold", text, { stream }),
  failure: (text) => styleText(["bold", "red"], text, { stream })
})

/** The columns of stdout. */
export const Width = Context.Reference<number>("headgate/command-line/Width", { defaultValue: () => Infinity })
