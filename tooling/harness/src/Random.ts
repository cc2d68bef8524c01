/** Pseudo-random values that a seed determines. */
export interface Random {
  /** From 0 up to, not including, 1. */
  readonly next: () => number
  /** A whole number from `low` to `high`, both included. */
  readonly between: (low: number, high: number) => number
  readonly pick: <A>(items: ReadonlyArray<A>) => A
  readonly bytes: (length: number) => Buffer
  readonly uuid: () => string
}

// mulberry32. Nothing here is a secret.
const mulberry32 = (seed: number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const makeRandom = (seed: number): Random => {
  const next = mulberry32(seed)
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  const bytes = (length: number) => Buffer.from(Array.from({ length }, () => between(0, 255)))
  return {
    next,
    between,
    bytes,
    pick: (items) => {
      const item = items[between(0, items.length - 1)]
      if (item === undefined) throw new Error("the list to pick from is empty")
      return item
    },
    uuid: () => {
      const hex = bytes(16).toString("hex")
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
    }
  }
}
