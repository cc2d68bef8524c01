// What is not seen, or changes the order of what is seen: controls, marks of direction, spaces without width, ends of lines.
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** A text with what is not seen written out: `\u0000`. Tabs and line feeds stay. */
export const visible = (text: string): string =>
  text.replace(hidden, (character) =>
    character === "\t" || character === "\n"
      ? character
      : `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`
  )

const width = 16

/** Bytes as lines of sixteen: where a line begins, the bytes, and those that are characters of ASCII. */
export const hexDump = (bytes: Uint8Array): string => {
  const lines: Array<string> = []
  for (let start = 0; start < bytes.length; start += width) {
    const line = Array.from(bytes.slice(start, start + width))
    const hex = line.map((byte) => byte.toString(16).padStart(2, "0")).join(" ")
    const text = line.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ".")).join("")
    lines.push(`${start.toString(16).padStart(6, "0")}  ${hex.padEnd(width * 3 - 1)}  ${text}`)
  }
  return lines.join("\n")
}

/** The bytes of base64; none if it is none. */
export const bytesOf = (base64: string): Uint8Array => {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}
