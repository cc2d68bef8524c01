import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/**
 * What the rows of a range were when it was planned. A range that is read again must have the same: compaction, or a leader
 * that lost messages, may have changed the log.
 */
const RangeDetail = Schema.fromJsonString(Schema.Struct({ rows: Schema.Int, checksum: Schema.Int }))

/** A checksum over bytes that goes on from that of the bytes before: CRC-32. */
export type Checksum = (bytes: Uint8Array, before: number) => number

/** Counts rows, and adds up a checksum over their bytes. */
export const makeRangeCheck = (add: Checksum) => {
  let rows = 0
  let checksum = 0
  return {
    /** Adds the bytes of one row, or of several that follow one another. */
    add: (bytes: Uint8Array, count = 1): void => {
      rows += count
      checksum = add(bytes, checksum)
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
