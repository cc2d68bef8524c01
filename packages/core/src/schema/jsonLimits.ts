const quote = 0x22
const comma = 0x2c
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

/** Whether `stops` is true for a character outside the strings of a JSON text. Nothing behind the first such one is read. */
const someOutsideStrings = (text: string, stops: (code: number) => boolean): boolean => {
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === backslash) index++
      else if (code === quote) inString = false
    } else if (code === quote) inString = true
    else if (stops(code)) return true
  }
  return false
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
  return someOutsideStrings(text, (code) => {
    if (code === closeBrace || code === closeBracket) depth--
    return (code === openBrace || code === openBracket) && ++depth > maxDepth
  })
}

/**
 * Whether a JSON text has more values than allowed: elements of arrays and fields of objects, an empty one of these counted
 * as if it had one. A parser takes 50 bytes of memory and more for two bytes of such text.
 *
 * @example
 * ```ts
 * import { hasMoreValues } from "@headgate/core/adapter"
 *
 * // a, 1 and 2
 * console.log(hasMoreValues('{"a":[1,2]}', 2)) // true
 * ```
 */
export const hasMoreValues = (text: string, maxValues: number): boolean => {
  // Each value takes a comma or a bracket, and most a character of its own.
  if (text.length <= maxValues) return false
  let values = 0
  return someOutsideStrings(
    text,
    (code) => (code === comma || code === openBrace || code === openBracket) && ++values > maxValues
  )
}

/**
 * Whether an object of a JSON text has more fields than allowed, equal names counted each time.
 *
 * @example
 * ```ts
 * import { hasMoreFields } from "@headgate/core/adapter"
 *
 * console.log(hasMoreFields('{"a":[1,2,3],"b":{}}', 1)) // true
 * ```
 */
export const hasMoreFields = (text: string, maxFields: number): boolean => {
  // A field takes a quote, a quote, a colon, a value and a comma.
  if (text.length <= maxFields * 5) return false
  // The commas so far of each object that is open; NaN for an array, which is never above a limit.
  const open: Array<number> = []
  return someOutsideStrings(text, (code) => {
    if (code === openBrace) open.push(0)
    else if (code === openBracket) open.push(Number.NaN)
    else if (code === closeBrace || code === closeBracket) open.pop()
    else if (code === comma) {
      const commas = (open.pop() ?? 0) + 1
      open.push(commas)
      return commas >= maxFields
    }
    return false
  })
}
