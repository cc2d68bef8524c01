import { randomInt } from "node:crypto"

/** Numbers that look random and come again with the same seed. */
export interface Random {
  /** From 0 up to, not including, 1. */
  readonly next: () => number
  /** A whole number from `low` to `high`, both included. */
  readonly between: (low: number, high: number) => number
  readonly pick: <A>(items: ReadonlyArray<A>) => A
  /** As many bytes as asked for. */
  readonly bytes: (length: number) => Buffer
  readonly uuid: () => string
}

/** A seed nobody chose, small enough to type. */
export const freshSeed = (): number => randomInt(1_000_000)

// mulberry32: 32 bits of state are plenty for picking operations and moments; nothing here is a secret.
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
  const bytes = (length: number) => {
    const words = Uint32Array.from({ length: Math.ceil(length / 4) }, () => next() * 2 ** 32)
    return Buffer.from(words.buffer, 0, length)
  }
  return {
    next,
    between,
    bytes,
    pick: (items) => {
      const item = items[between(0, items.length - 1)]
      if (item === undefined) throw new Error("there is nothing to pick from")
      return item
    },
    uuid: () => {
      const hex = bytes(16).toString("hex")
      const variant = "89ab"[between(0, 3)]
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
    }
  }
}
