import type { Position } from "@headgate/mover"

type Part = ReadonlyArray<Uint8Array>

/** Which rows: those of a partition of a source between two positions. */
export interface RangeKey {
  readonly identity: string
  readonly partition: string
  readonly from: Position
  readonly to: Position
}

interface Kept {
  key?: RangeKey
  parts: ReadonlyArray<Part>
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
        add: (part: Part, size: number): void => {
          if (!kept.isWhole) return
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
    get: ({ from, identity, partition, to }: RangeKey): ReadonlyArray<Part> | undefined => {
      const { isWhole, key, parts } = ranges.get(partition) ?? {}
      const isSame = isWhole === true && key?.identity === identity && key.from === from && key.to === to
      return isSame ? parts : undefined
    }
  }
}
