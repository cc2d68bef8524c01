import { marker, type Scrub } from "./Scrub.ts"

const maxExcerpt = 200

const cut = (text: string): string => {
  const line = text.replace(/\s+/g, " ").trim()
  return line.length <= maxExcerpt ? line : `${line.slice(0, maxExcerpt - 1)}…`
}

/** A text from elsewhere as one line of at most 200 characters, without credentials. */
export const oneLine = (text: string, scrub: Scrub): string => cut(scrub(text))

// Enough to find some words in; what follows is not looked at, however much it is.
const maxScanned = 4096

// The marker of a credential looks like a tag and is none, nor does it end the tag that it stands in.
const tag = new RegExp(`<(?!${marker.slice(1)})[^<>]*(?:${marker}[^<>]*)*>`, "g")

/** What a page says: HTML without its markup, any other text as it is. One line, at most 200 characters. */
export const excerpt = (body: string, scrub: Scrub): string => {
  const page = scrub(body).slice(0, maxScanned)
  const words = page.replace(/<(script|style)\b[^]*?<\/\1>/gi, " ").replace(tag, " ")
  return cut(scrub(words))
}
