import { IS_CONTROL, IS_TRANSACTIONAL, type RecordsBatch } from "@platformatic/kafka"

/** A message of a partition. `value` is `null` for a tombstone. */
export interface KafkaMessage {
  readonly offset: bigint
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
    if (!isControl && !isAborted) {
      for (const { offsetDelta, value } of batch.records) {
        const offset = batch.firstOffset + BigInt(offsetDelta)
        if (offset >= from) messages.push({ offset, value })
      }
    }
    if (last >= next) next = last + 1n
  }
  return { messages, next }
}
