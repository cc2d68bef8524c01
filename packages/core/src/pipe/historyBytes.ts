import { type HistorySpan, historyStateNumber, historyStates } from "./historySpans.ts"

/** The lowest bits of a span's first byte are its state; the others say which numbers follow. */
const stateBits = 0x1f
const hasGap = 0x20
const isData = 0x40
const hasLag = 0x80

/** Writes a whole number in as few bytes as it needs, seven bits each. */
const writeNumber = (bytes: Array<number>, value: number): void => {
  let rest = Math.max(Math.round(value), 0)
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80)
    rest = Math.floor(rest / 0x80)
  }
  bytes.push(rest)
}

/** Most have no errors: whether one has is the lowest bit of its rows. */
const writeDelivered = (bytes: Array<number>, span: HistorySpan): void => {
  writeNumber(bytes, span.rows * 2 + (span.errors > 0 ? 1 : 0))
  if (span.errors > 0) writeNumber(bytes, span.errors)
  writeNumber(bytes, span.bytes)
}

/**
 * Packs spans of which none begins before the end of the one before, each a whole number of `step` minutes long, into bytes. `begins`:
 * a multiple of `step` at or before the first.
 */
export const packSpans = (spans: ReadonlyArray<HistorySpan>, begins: number, step: number): Uint8Array => {
  const bytes: Array<number> = []
  let end = begins
  let lag: number | undefined
  for (const span of spans) {
    const gap = (span.at - end) / step
    const isSame = span.lag === lag
    const data = span.rows !== 0 || span.errors !== 0 || span.bytes !== 0
    bytes.push(historyStateNumber(span.state) | (gap > 0 ? hasGap : 0) | (data ? isData : 0) | (isSame ? 0 : hasLag))
    if (gap > 0) writeNumber(bytes, gap)
    if (data) writeDelivered(bytes, span)
    else writeNumber(bytes, span.minutes / step)
    if (!isSame) writeNumber(bytes, span.lag === undefined ? 0 : span.lag + 1)
    lag = span.lag
    end = span.at + span.minutes
  }
  return Uint8Array.from(bytes)
}

/** The spans of {@link packSpans}. */
export const unpackSpans = (bytes: Uint8Array, begins: number, step: number): ReadonlyArray<HistorySpan> => {
  let offset = 0
  const readNumber = (): number => {
    let [value, factor] = [0, 1]
    while (offset < bytes.length) {
      const byte = bytes[offset++] ?? 0
      value += (byte & 0x7f) * factor
      if (byte < 0x80) break
      factor *= 0x80
    }
    return value
  }
  const spans: Array<HistorySpan> = []
  let end = begins
  let lag: number | undefined
  while (offset < bytes.length) {
    const head = bytes[offset++] ?? 0
    const at = end + ((head & hasGap) === 0 ? 0 : readNumber() * step)
    const data = (head & isData) !== 0
    const counted = data ? readNumber() : 0
    const errors = counted % 2 === 1 ? readNumber() : 0
    const delivered = data ? readNumber() : 0
    const minutes = data ? step : readNumber() * step
    if ((head & hasLag) !== 0) {
      const said = readNumber()
      lag = said === 0 ? undefined : said - 1
    }
    spans.push({
      at,
      minutes,
      rows: Math.floor(counted / 2),
      errors,
      bytes: delivered,
      lag,
      state: historyStates[head & stateBits] ?? "Unknown"
    })
    end = at + minutes
  }
  return spans
}
