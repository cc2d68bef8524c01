import { floorDivide } from "./Value.ts"

const formats = new Map<string, Intl.DateTimeFormat>()
const offsets = new Map<string, bigint>()

const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
    era: "short"
  })
  formats.set(zone, made)
  return made
}

/** How many seconds the clocks of a zone are ahead of UTC at a time, which is in seconds since 1970. */
export const offsetAt = (zone: string | undefined, seconds: bigint): bigint => {
  if (zone === undefined || zone === "UTC") return 0n
  // Zones change their clocks at whole quarters of an hour.
  const quarter = floorDivide(seconds, 900n) * 900n
  const key = `${zone} ${quarter}`
  const known = offsets.get(key)
  if (known !== undefined) return known
  const parts = new Map(
    formatOf(zone)
      .formatToParts(Number(quarter) * 1000)
      .map(({ type, value }) => [type, value])
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type))
  const local = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"))
  const offset = BigInt(local / 1000) - quarter
  offsets.set(key, offset)
  return offset
}

/** The time at which the clocks of a zone show this, in seconds since 1970; of two, the first. */
export const fromLocal = (zone: string | undefined, local: bigint): bigint => {
  const before = local - offsetAt(zone, local - 86_400n)
  const after = local - offsetAt(zone, local + 86_400n)
  const fits = [before, after].filter((seconds) => seconds + offsetAt(zone, seconds) === local)
  // A time that the clocks leave out is counted on from before.
  return fits.length === 0 ? before : fits.reduce((one, other) => (one < other ? one : other))
}
