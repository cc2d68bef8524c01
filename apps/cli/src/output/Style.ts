import { styleText } from "node:util"

/** How a word is set off. */
export interface Style {
  readonly strong: (text: string) => string
  readonly failure: (text: string) => string
}

/** The style of a stream: plain unless it is a terminal that has colours, or FORCE_COLOR says so; NO_COLOR is obeyed. */
export const of = (stream: NodeJS.WriteStream): Style => ({
  strong: (text) => styleText("bold", text, { stream }),
  failure: (text) => styleText(["bold", "red"], text, { stream })
})
