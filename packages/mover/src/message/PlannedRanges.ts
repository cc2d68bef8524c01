import type { Position } from "../range/Range.ts"

/** Rows in one buffer, and where each ends. An object for each row takes more memory than its bytes, for longer than a fetch. */
export interface PackedRows {
  readonly bytes: Uint8Array
  readonly ends: Uint32Array
}

/** Copies rows into one buffer. */
export const packRows = (rows: ReadonlyArray<Uint8Array>): PackedRows => {
  let end = 0
  const ends = Uint32Array.from(rows, (row) => (end += row.length))
  const bytes = new Uint8Array(end)
  for (const [index, row] of rows.entries()) bytes.set(row, (ends[index] ?? 0) - row.length)
  return { bytes, ends }
}

const unpackRows = function* (parts: ReadonlyArray<PackedRows>): Generator<Uint8Array> {
  for (const { bytes, ends } of parts) {
    let start = 0
    for (const end of ends) {
      yield bytes.subarray(start, end)
      start = end
    }
  }
}

/** Which rows: those of a partition of a source between two positions. */
export interface RangeKey {
  readonly identity: string
  readonly partition: string
  readonly from: Position
  readonly to: Position
}

interface Kept {
  key?: RangeKey
  parts: ReadonlyArray<PackedRows>
  bytes: number
  isWhole: boolean
}

/**
 * The rows of the range that was planned last in each partition, so that reading it fetches nothing. All together are no
 * more than so many bytes: a range that does not fit is not kept, and is fetched again when it is read.
 */
export const makePlannedRanges = (limit: number) => {
  const ranges = new Map<string, Kept>()
  let bytes = 0

  const drop = (kept: Kept): void => {
    bytes -= kept.bytes
    kept.bytes = 0
    kept.parts = []
    kept.isWhole = false
  }

  return {
    /** Forgets all ranges. */
    clear: (): void => {
      for (const kept of ranges.values()) drop(kept)
      ranges.clear()
    },
    /** Forgets the last range of a partition, and begins the next one. */
    begin: (partition: string) => {
      const last = ranges.get(partition)
      if (last !== undefined) drop(last)
      const kept: Kept = { parts: [], bytes: 0, isWhole: true }
      ranges.set(partition, kept)
      return {
        add: (part: PackedRows): void => {
          if (!kept.isWhole) return
          const size = part.bytes.length
          if (bytes + size > limit) return drop(kept)
          kept.parts = [...kept.parts, part]
          kept.bytes += size
          bytes += size
        },
        end: (key: RangeKey): void => {
          kept.key = key
        }
      }
    },
    get: ({ from, identity, partition, to }: RangeKey): Iterable<Uint8Array> | undefined => {
      const { isWhole = false, key, parts = [] } = ranges.get(partition) ?? {}
      const isSame = isWhole && key?.identity === identity && key.from === from && key.to === to
      return isSame ? { [Symbol.iterator]: () => unpackRows(parts) } : undefined
    }
  }
}
