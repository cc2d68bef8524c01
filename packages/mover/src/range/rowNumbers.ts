// A set of row numbers as bytes. The first byte says how the rest is to be read: the distance of each number from the one before it, or
// one bit for each number up to the largest.

const [distances, bits] = [0, 1]

/** Seven bits in a byte, the lowest first; the eighth says that more follow. */
const encodeDistances = (rows: ReadonlyArray<number>): ReadonlyArray<number> => {
  const bytes: Array<number> = [distances]
  let previous = -1
  for (const row of rows) {
    let left = row - previous - 1
    for (; left >= 128; left = Math.floor(left / 128)) bytes.push(128 + (left % 128))
    bytes.push(left)
    previous = row
  }
  return bytes
}

const encodeBits = (rows: ReadonlyArray<number>, largest: number): Uint8Array => {
  const bytes = new Uint8Array(2 + Math.floor(largest / 8))
  bytes[0] = bits
  for (const row of rows) {
    const at = 1 + Math.floor(row / 8)
    bytes[at] = (bytes[at] ?? 0) | (1 << (row % 8))
  }
  return bytes
}

/** Row numbers of a range as bytes, for a ledger. */
export const rowNumbers = {
  /**
   * Row numbers in ascending order as bytes, for a ledger. They take about one byte each, and never more than one bit for each row of the
   * range: 25 kB of 200,000 rows.
   *
   * @example
   * ```ts
   * import { rowNumbers } from "@headgate/mover"
   *
   * console.log(rowNumbers.encode([3, 700])) // Uint8Array(4) [ 0, 3, 184, 5 ]
   * console.log(rowNumbers.decode(rowNumbers.encode([3, 700]))) // [ 3, 700 ]
   * ```
   */
  encode: (rows: ReadonlyArray<number>): Uint8Array => {
    const largest = rows.at(-1) ?? 0
    const inBits = 2 + Math.floor(largest / 8)
    const short = rows.length < inBits ? encodeDistances(rows) : undefined
    return short !== undefined && short.length < inBits ? Uint8Array.from(short) : encodeBits(rows, largest)
  },

  /**
   * What `encode` has encoded.
   *
   * @example
   * ```ts
   * import { rowNumbers } from "@headgate/mover"
   *
   * console.log(rowNumbers.decode(Uint8Array.from([0, 3, 184, 5]))) // [ 3, 700 ]
   * ```
   */
  decode: ([kind, ...bytes]: Uint8Array): ReadonlyArray<number> => {
    if (kind === bits) {
      return bytes.flatMap((byte, at) =>
        [0, 1, 2, 3, 4, 5, 6, 7].flatMap((bit) => ((byte >> bit) & 1 ? [at * 8 + bit] : []))
      )
    }
    const rows: Array<number> = []
    let [row, distance, unit] = [-1, 0, 1]
    for (const byte of bytes) {
      distance += (byte % 128) * unit
      unit *= 128
      if (byte >= 128) continue
      row += distance + 1
      rows.push(row)
      distance = 0
      unit = 1
    }
    return rows
  }
}
