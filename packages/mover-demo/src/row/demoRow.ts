/** What the rows of a topic depend on: the same values make the same rows. */
export interface RowStream {
  readonly seed: number
  /** When the row 0 was made: milliseconds since 1970. */
  readonly start: number
  /** Rows a second. */
  readonly rate: number
}

/** The columns of a table that takes these rows. */
export const demoColumns = [
  { name: "time", type: "DateTime64(3)" },
  { name: "service", type: "String" },
  { name: "page", type: "String" },
  { name: "status", type: "UInt16" },
  { name: "duration_ms", type: "UInt32" },
  { name: "message", type: "String" }
] as const

/** One row in so many has a duration that is no number, which a table rejects: the last one of each so many. */
export const rejectedEvery = 500

const errorShare = 1 / 50

/** `share`: how many requests it gets, beside the others. `milliseconds`: how long one takes at least. */
const services = [
  {
    name: "web",
    share: 8,
    milliseconds: 12,
    pages: ["/", "/offers", "/help"],
    error: "the template could not be read"
  },
  { name: "search", share: 5, milliseconds: 35, pages: ["/search"], error: "the index did not answer in time" },
  {
    name: "catalog",
    share: 4,
    milliseconds: 20,
    pages: ["/product", "/reviews"],
    error: "no connection to the database"
  },
  { name: "cart", share: 3, milliseconds: 15, pages: ["/cart"], error: "the cart was changed by another request" },
  {
    name: "checkout",
    share: 2,
    milliseconds: 80,
    pages: ["/checkout", "/orders"],
    error: "the payment was not confirmed"
  },
  { name: "login", share: 1, milliseconds: 50, pages: ["/login"], error: "the session could not be stored" }
] as const

const twoTo32 = 2 ** 32

/** Mixes the bits of a number, so that neighbours have nothing in common (the last step of MurmurHash3). */
const mixed = (number: number): number => {
  const first = Math.imul(number ^ (number >>> 16), 0x85ebca6b)
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35)
  return (second ^ (second >>> 16)) >>> 0
}

/** A number from 0 up to 1 for a row, another one for each `purpose`. */
const chance = (seed: number, row: number, purpose: number): number =>
  mixed(mixed(mixed(seed + purpose) ^ Math.floor(row / twoTo32)) ^ (row >>> 0)) / twoTo32

/** From 0 to 2, in a wave of so many minutes. */
const wave = (time: number, minutes: number): number => 1 + Math.sin((time / 60_000 / minutes) * 2 * Math.PI)

/** For how long the load stays the same, in milliseconds. */
const loadLength = 10_000

/** What the shop is like for some seconds: the shares of the services rise and fall, each in a time of its own. */
const loadAt = (begin: number) => {
  let sum = 0
  const limits = services.map(({ share }, index) => (sum += share * (0.4 + wave(begin, 5 + 3 * index))))
  return { begin, limits: limits.map((limit) => limit / sum), slowness: 0.5 + wave(begin, 10) }
}

// Rows are made in their order, so the last one is kept: the same for each time.
let last = loadAt(0)
const loadOf = (time: number) => {
  const begin = time - (time % loadLength)
  if (last.begin !== begin) last = loadAt(begin)
  return last
}

const statusOf = (point: number): number => {
  if (point < errorShare) return 500
  if (point < 0.05) return 404
  return point < 0.15 ? 304 : 200
}

/** When a row was made: milliseconds since 1970. */
export const timeOfRow = ({ rate, start }: RowStream, row: number): number => start + Math.floor((row * 1000) / rate)

/** How many rows there are at a time. */
export const rowsUntil = ({ rate, start }: RowStream, time: number): number =>
  Math.max(0, Math.floor(((time - start) * rate) / 1000))

// The date, hour and minute of the last row: the same for each time.
let minute = { begin: Number.NaN, text: "" }
const minuteOf = (time: number): string => {
  const begin = time - (time % 60_000)
  if (minute.begin !== begin) minute = { begin, text: new Date(begin).toISOString().slice(0, 17).replace("T", " ") }
  return minute.text
}

/** A time in UTC as `DateTime64(3)` reads it. */
const timeText = (time: number): string => {
  const milliseconds = time % 60_000
  const seconds = String(Math.floor(milliseconds / 1000)).padStart(2, "0")
  return `${minuteOf(time)}${seconds}.${String(milliseconds % 1000).padStart(3, "0")}`
}

/**
 * The row of a number, as JSON: a request to one of the services of a shop. It depends on the stream and the number alone, so that it can
 * be made again at any time.
 */
export const demoRow = (stream: RowStream, row: number): string => {
  const { seed } = stream
  const time = timeOfRow(stream, row)
  const { limits, slowness } = loadOf(time)
  const point = chance(seed, row, 1)
  const { error, milliseconds, name, pages } = services[limits.findIndex((limit) => point < limit)] ?? services[0]
  const page = pages[Math.floor(chance(seed, row, 2) * pages.length)] ?? pages[0]
  const status = statusOf(chance(seed, row, 3))
  const isError = status === 500
  // Most are short and some are long, and what fails has waited.
  const waited = -Math.log(1 - chance(seed, row, 4)) * milliseconds * (isError ? 8 : 1) * slowness
  const isRejected = row % rejectedEvery === rejectedEvery - 1
  const duration = isRejected ? '"timeout"' : String(Math.round(milliseconds + waited))
  const message = isError ? `${name}: ${error}` : `GET ${page} ${status}`
  // None of the texts has a character that JSON escapes.
  return `{"time":"${timeText(time)}","service":"${name}","page":"${page}","status":${status},"duration_ms":${duration},"message":"${message}"}`
}
