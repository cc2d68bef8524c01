import { zoneOffsets } from "@headgate/core/adapter"
import { floorDivide } from "./Value.ts"

const zones = new Map<string, (millis: number) => number>()
const offsets = new Map<string, bigint>()

const zoneOf = (zone: string): ((millis: number) => number) => {
  const known = zones.get(zone) ?? zoneOffsets(zone)
  zones.set(zone, known)
  return known
}

/** How many seconds the clocks of a zone are ahead of UTC at a time, which is in seconds since 1970. */
export const offsetAt = (zone: string | undefined, seconds: bigint): bigint => {
  if (zone === undefined || zone === "UTC") return 0n
  // Zones change their clocks at whole quarters of an hour.
  const quarter = floorDivide(seconds, 900n) * 900n
  const key = `${zone} ${quarter}`
  const known = offsets.get(key)
  if (known !== undefined) return known
  const offset = BigInt(zoneOf(zone)(Number(quarter) * 1000)) / 1000n
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
