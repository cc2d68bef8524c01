import { assert, describe, it } from "@effect/vitest"
import { IS_CONTROL, IS_TRANSACTIONAL, type RecordsBatch } from "@platformatic/kafka"
import { readMessages } from "../src/message/readMessages.ts"

const record = (offsetDelta: number, key: Buffer | null, value: Buffer | null) =>
  ({
    length: 0,
    attributes: 0,
    timestampDelta: 0n,
    offsetDelta,
    key,
    value,
    headers: []
  }) as unknown as RecordsBatch["records"][number]

/** A batch whose messages have their offset as value. `deltas`: which of its offsets it still has. */
const batch = (
  firstOffset: number,
  options: { readonly deltas?: ReadonlyArray<number>; readonly last?: number; readonly producer?: number } = {}
): RecordsBatch => {
  const deltas = options.deltas ?? [0]
  return {
    firstOffset: BigInt(firstOffset),
    length: 0,
    partitionLeaderEpoch: 0,
    magic: 2,
    crc: 0,
    attributes: options.producer === undefined ? 0 : IS_TRANSACTIONAL,
    lastOffsetDelta: options.last ?? deltas.at(-1) ?? 0,
    firstTimestamp: 0n,
    maxTimestamp: 0n,
    producerId: BigInt(options.producer ?? -1),
    producerEpoch: 0,
    firstSequence: 0,
    records: deltas.map((delta) => record(delta, null, Buffer.from(String(firstOffset + delta))))
  }
}

const marker = (offset: number, producer: number, type: "abort" | "commit"): RecordsBatch => ({
  ...batch(offset, { producer }),
  attributes: IS_TRANSACTIONAL | IS_CONTROL,
  records: [record(0, Buffer.from([0, 0, 0, type === "abort" ? 0 : 1]), Buffer.alloc(6))]
})

const offsetsOf = (batches: ReadonlyArray<RecordsBatch>, from = 0, aborted: ReadonlyArray<[number, number]> = []) => {
  const { messages, next } = readMessages(
    batches,
    BigInt(from),
    aborted.map(([producerId, firstOffset]) => ({ producerId: BigInt(producerId), firstOffset: BigInt(firstOffset) }))
  )
  return { offsets: messages.map(({ offset }) => Number(offset)), next: Number(next) }
}

describe("readMessages", () => {
  it("leaves out the messages of a batch before the offset, and goes on after its last one", () => {
    assert.deepStrictEqual(offsetsOf([batch(0, { deltas: [0, 1, 2, 3] }), batch(4)], 2), {
      offsets: [2, 3, 4],
      next: 5
    })
  })

  it("goes on after offsets that compaction removed, at the end of a batch as well", () => {
    assert.deepStrictEqual(offsetsOf([batch(0, { deltas: [1, 5], last: 9 })]), { offsets: [1, 5], next: 10 })
    assert.deepStrictEqual(offsetsOf([batch(0, { deltas: [], last: 9 })]), { offsets: [], next: 10 })
    assert.deepStrictEqual(offsetsOf([], 7), { offsets: [], next: 7 })
  })

  it("leaves out markers", () => {
    assert.deepStrictEqual(offsetsOf([batch(0, { producer: 7 }), marker(1, 7, "commit"), batch(2)]), {
      offsets: [0, 2],
      next: 3
    })
  })

  it("leaves out each of several aborted transactions of a producer, and reads the committed ones between them", () => {
    const batches = [
      batch(0, { producer: 7 }),
      marker(1, 7, "abort"),
      batch(2, { producer: 7 }),
      marker(3, 7, "commit"),
      batch(4, { producer: 7 }),
      batch(5, { producer: 7 }),
      marker(6, 7, "abort"),
      batch(7, { producer: 7 }),
      marker(8, 7, "commit")
    ]
    // The broker lists them in no order that it promises.
    const aborted: ReadonlyArray<[number, number]> = [
      [7, 4],
      [7, 0]
    ]
    assert.deepStrictEqual(offsetsOf(batches, 0, aborted), { offsets: [2, 7], next: 9 })
  })

  it("leaves out a transaction that began in an earlier fetch, or ends in a later one", () => {
    assert.deepStrictEqual(
      offsetsOf([batch(5, { producer: 7 }), marker(6, 7, "abort"), batch(7, { producer: 7 })], 5, [[7, 2]]),
      {
        offsets: [7],
        next: 8
      }
    )
    assert.deepStrictEqual(offsetsOf([batch(1), batch(2, { producer: 7 }), batch(3)], 1, [[7, 2]]), {
      offsets: [1, 3],
      next: 4
    })
  })

  it("reads other producers' transactions, and messages outside of transactions, in an aborted one", () => {
    const batches = [
      batch(0, { producer: 7 }),
      batch(1, { producer: 8 }),
      batch(2),
      marker(3, 8, "commit"),
      marker(4, 7, "abort")
    ]
    assert.deepStrictEqual(offsetsOf(batches, 0, [[7, 0]]), { offsets: [1, 2], next: 5 })
  })
})
