const quote = 0x22
const backslash = 0x5c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** Whether a text has so few opening brackets that it cannot be nested deeper: most have, and finding them is quick. */
const hasAtMost = (most: number, text: string): boolean => {
  let left = most
  for (const bracket of ["{", "["]) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) if (--left < 0) return false
  }
  return true
}

/**
 * Whether a JSON text is nested deeper than allowed. It reads the text once and stops at the first bracket that is too
 * deep, so that nothing else, neither a parser nor a schema, has to descend that far.
 *
 * @example
 * ```ts
 * import { isTooDeep } from "@headgate/core/adapter"
 *
 * console.log(isTooDeep("[[[]]]", 2)) // true
 * ```
 */
export const isTooDeep = (text: string, maxDepth: number): boolean => {
  if (hasAtMost(maxDepth, text)) return false
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === backslash) index++
      else if (code === quote) inString = false
    } else if (code === quote) inString = true
    else if (code === openBrace || code === openBracket) {
      depth++
      if (depth > maxDepth) return true
    } else if (code === closeBrace || code === closeBracket) depth--
  }
  return false
}
