/** The part of a pattern before its first wildcard: all keys that match begin with it. */
export const prefixOf = (pattern: string): string => pattern.slice(0, pattern.search(/[?*]|$/u))

interface Sign {
  /** `text`: this character. `one`: any but a slash. `some`: any number of those. `all`: any number of any. */
  readonly kind: "text" | "one" | "some" | "all"
  readonly character: string
}

const signsOf = (pattern: string): ReadonlyArray<Sign> =>
  Array.from(pattern.matchAll(/\*{2,}|[^]/gu), ([character]): Sign => {
    if (character === "?") return { kind: "one", character }
    if (character === "*") return { kind: "some", character }
    return { kind: character.length > 1 && character.startsWith("**") ? "all" : "text", character }
  })

/**
 * Makes a function that says whether a key matches a pattern: `?` is one character and `*` any number of them, except `/`;
 * `**` is any number of any characters. Its time is at most the length of the key times that of the pattern, which a regular
 * expression would not promise for a caller's pattern.
 */
export const keyMatcher = (pattern: string): ((key: string) => boolean) => {
  const signs = signsOf(pattern)
  const isStar = (at: number): boolean => signs[at]?.kind === "some" || signs[at]?.kind === "all"
  return (key) => {
    // Where in the pattern a match of the characters so far may stand.
    let places = new Set<number>()
    const add = (found: Set<number>, at: number): void => {
      found.add(at)
      // A star may also stand for nothing.
      for (let next = at; isStar(next); next += 1) found.add(next + 1)
    }
    add(places, 0)
    for (const character of key) {
      const found = new Set<number>()
      for (const at of places) {
        const sign = signs[at]
        if (sign?.kind === "text" && sign.character === character) add(found, at + 1)
        if (sign?.kind === "one" && character !== "/") add(found, at + 1)
        if (sign?.kind === "all" || (sign?.kind === "some" && character !== "/")) add(found, at)
      }
      if (found.size === 0) return false
      places = found
    }
    return places.has(signs.length)
  }
}
