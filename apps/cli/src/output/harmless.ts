// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/** Text from elsewhere, made harmless for a terminal: control characters and those that turn text around are written out, line breaks stay. */
export const harmless = (text: string): string =>
  text.replace(control, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`)

/** The same on one line, for a cell of a table. */
export const harmlessLine = (text: string): string => harmless(text).replaceAll("\n", "\\n")
