import * as Context from "effect/Context"

/** The columns of stdout. */
export const Width = Context.Reference<number>("headgate/command-line/Width", { defaultValue: () => Infinity })

// DEL, C1, the characters that change the direction of text, and those that separate lines and paragraphs.
const aboveAscii = "\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069"
const control = new RegExp(`[\\u0000-\\u0009\\u000b-\\u001f${aboveAscii}]`, "g")
// JSON.stringify escapes the characters below U+0020, and line breaks are its own.
const controlInJson = new RegExp(`[${aboveAscii}]`, "g")

/** Escapes control and bidirectional characters, except line breaks, so that text of the service cannot control the terminal. */
export const escapeTerminal = (text: string): string =>
  text.replace(control, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`)

/** {@link escapeTerminal}, with line breaks escaped too: for a cell of a table. */
export const escapeTerminalLine = (text: string): string => escapeTerminal(text).replaceAll("\n", "\\n")

/** Escapes control and bidirectional characters in JSON, or in YAML whose texts are all quoted. */
export const escapeControls = (text: string): string =>
  text.replace(controlInJson, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** JSON in which control and bidirectional characters are escaped: the same value, which cannot control the terminal. */
export const jsonText = (value: unknown, indent?: number): string =>
  escapeControls(JSON.stringify(value, undefined, indent))
