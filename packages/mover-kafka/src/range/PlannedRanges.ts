import type { Position } from "@headgate/mover"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { crc32 } from "node:zlib"

/** Rows in one buffer, and where each ends. An object for each row takes more memory than its bytes, for longer than a fetch. */
export interface PackedRows {
  readonly bytes: Uint8Array
  readonly ends: Uint32Array
}

/** Copies rows into one buffer. */
export const packRows = (rows: ReadonlyArray<Uint8Array>): PackedRows => {
  let end = 0
  return { bytes: Buffer.concat(rows), ends: Uint32Array.from(rows, (row) => (end += row.length)) }
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

/**
 * What the rows of a range were when it was planned. A range that is read again must have the same: compaction, or a leader
 * that lost messages, may have changed the log.
 */
const RangeDetail = Schema.fromJsonString(Schema.Struct({ rows: Schema.Int, checksum: Schema.Int }))

/** Counts rows, and adds up a checksum over their bytes. */
export const makeRangeCheck = () => {
  let rows = 0
  let checksum = 0
  return {
    /** Adds the bytes of one row, or of several that follow one another. */
    add: (bytes: Uint8Array, count = 1): void => {
      rows += count
      checksum = crc32(bytes, checksum)
    },
    detail: (): string => JSON.stringify({ rows, checksum }),
    /** How the rows differ from those of a detail; `undefined` if they do not. */
    difference: (detail: string): string | undefined => {
      const planned = Schema.decodeOption(RangeDetail)(detail)
      if (Option.isNone(planned)) return `its detail cannot be read: ${detail}`
      if (planned.value.rows !== rows) return `it had ${planned.value.rows} rows and has ${rows}`
      return planned.value.checksum === checksum ? undefined : "its rows are other ones"
    }
  }
}
