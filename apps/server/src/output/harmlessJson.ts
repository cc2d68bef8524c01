// What JSON leaves as it is and a terminal obeys, or turns text around for.
const control = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/** JSON for a terminal: whoever made a thing chose its name, so control characters are written out, as JSON may. */
export const harmlessJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, undefined, indent).replace(
    control,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  )
