const escapes: Readonly<Record<string, string>> = {
  "\\": String.raw`\\`,
  "\b": String.raw`\b`,
  "\f": String.raw`\f`,
  "\n": String.raw`\n`,
  "\r": String.raw`\r`,
  "\t": String.raw`\t`,
  "\v": String.raw`\v`
}

// eslint-disable-next-line no-control-regex -- these are the characters that COPY escapes
const escaped = /[\\\b\f\n\r\t\v]/g

/** NULL as COPY writes it and the engine reads it. */
export const nullField = String.raw`\N`

/** A text as a field of a line, escaped as COPY does it. */
export const field = (text: string): string => text.replace(escaped, (each) => escapes[each] ?? each)
