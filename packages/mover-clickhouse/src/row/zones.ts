import { zoneOffsets } from "@headgate/core/adapter"

// Times of day in time zones, as Node knows them. Few values need it: texts without a zone in columns that have one.

const zones = new Map<string, (millis: number) => number>()

/** How many seconds a zone is ahead of UTC at a second since 1970. */
const offsetAt = (zone: string, second: number): number => {
  const known = zones.get(zone) ?? zoneOffsets(zone)
  zones.set(zone, known)
  return known(second * 1000) / 1000
}

const day = 86_400
const mostDays = 10_000
/** The offset of a zone on a day, if it is the same all day; by the zone and the day. */
const offsets = new Map<string, number | undefined>()

/** The offsets that a time of day may have: one, but on days on which the clocks change. */
const offsetsNear = (zone: string, local: number): ReadonlyArray<number> => {
  const key = `${zone} ${Math.floor(local / day)}`
  const begins = Math.floor(local / day) * day
  if (!offsets.has(key)) {
    const [before, after] = [offsetAt(zone, begins - day), offsetAt(zone, begins + 2 * day)]
    if (offsets.size >= mostDays) offsets.clear()
    offsets.set(key, before === after ? before : undefined)
  }
  const all = offsets.get(key)
  return all === undefined ? [offsetAt(zone, begins - day), offsetAt(zone, begins + 2 * day)] : [all]
}

/** Whether the clocks of a zone show a time, given as the second since 1970 at which those of UTC show it. */
export const existsIn = (zone: string, local: number): boolean =>
  offsetsNear(zone, local).some((offset) => offsetAt(zone, local - offset) === offset)

/** The second since 1970 at which the clocks of a zone show a time for the first time. */
export const instantIn = (zone: string, local: number): number =>
  local - Math.max(...offsetsNear(zone, local).filter((offset) => offsetAt(zone, local - offset) === offset))
