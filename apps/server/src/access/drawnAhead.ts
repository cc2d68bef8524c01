import { randomFillSync } from "node:crypto"

/** As many as some eighty credentials take; in bytes. */
const drawnAtOnce = 4096

/**
 * Bytes from Node's secure source, drawn many at once, since a draw costs the same for 25 as for thousands. No byte is
 * handed out twice, and none stays here once it was.
 */
export const drawnAhead = () => {
  const drawn = new Uint8Array(drawnAtOnce)
  let next = drawnAtOnce
  return (size: number): Uint8Array<ArrayBuffer> => {
    if (size > drawnAtOnce) return randomFillSync(new Uint8Array(size))
    if (next + size > drawnAtOnce) {
      randomFillSync(drawn)
      next = 0
    }
    const bytes = drawn.slice(next, next + size)
    drawn.fill(0, next, (next += size))
    return bytes
  }
}
