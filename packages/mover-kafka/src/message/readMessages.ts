import { IS_CONTROL, IS_TRANSACTIONAL, type RecordsBatch } from "@platformatic/kafka"

/** The attribute of a batch whose messages have the time at which the broker stored them, all the same one. */
const appendTime = 0b1000

/** A message of a partition. `value` is `null` for a tombstone. */
export interface KafkaMessage {
  readonly offset: bigint
  /** When it was produced, or stored if the topic says so: milliseconds since 1970. */
  readonly timestamp: bigint
  readonly key: Uint8Array | null
  readonly headers: ReadonlyArray<readonly [name: Uint8Array | null, value: Uint8Array | null]>
  readonly value: Uint8Array | null
}

/** A transaction that was aborted: its messages follow `firstOffset`, up to its marker. */
export interface AbortedTransaction {
  readonly producerId: bigint
  readonly firstOffset: bigint
}

/** The type of a control record is the second number of its key: 0 ends an aborted transaction, 1 a committed one. */
const isAbort = ({ records }: RecordsBatch): boolean => records[0]?.key?.readInt16BE(2) === 0

/**
 * The messages of fetched batches from an offset on, and the offset to fetch next. A batch that begins before the offset is
 * fetched whole. Batches of the transactions in `aborted` are left out, up to the marker of each: a producer may have
 * aborted several, and one may have begun in an earlier fetch.
 */
export const readMessages = (
  batches: ReadonlyArray<RecordsBatch>,
  from: bigint,
  aborted: ReadonlyArray<AbortedTransaction>
): { readonly messages: ReadonlyArray<KafkaMessage>; readonly next: bigint } => {
  const messages: Array<KafkaMessage> = []
  const waiting = aborted.toSorted((one, other) => (one.firstOffset < other.firstOffset ? -1 : 1))
  const aborting = new Set<bigint>()
  let next = from

  for (const batch of batches) {
    const last = batch.firstOffset + BigInt(batch.lastOffsetDelta)
    while (waiting[0] !== undefined && waiting[0].firstOffset <= last) {
      aborting.add(waiting[0].producerId)
      waiting.shift()
    }
    const isControl = (batch.attributes & IS_CONTROL) !== 0
    const isAborted = (batch.attributes & IS_TRANSACTIONAL) !== 0 && aborting.has(batch.producerId)
    if (isControl && isAbort(batch)) aborting.delete(batch.producerId)
    const isAppendTime = (batch.attributes & appendTime) !== 0
    if (!isControl && !isAborted) {
      for (const { headers, key, offsetDelta, timestampDelta, value } of batch.records) {
        const offset = batch.firstOffset + BigInt(offsetDelta)
        const timestamp = isAppendTime ? batch.maxTimestamp : batch.firstTimestamp + timestampDelta
        if (offset >= from) messages.push({ offset, timestamp, key, headers, value })
      }
    }
    if (last >= next) next = last + 1n
  }
  return { messages, next }
}
