// What a clock on a wall shows in a zone is kept as a "wall time": milliseconds since 1970 as if the zone were UTC.

const second = 1000

const formats = new Map<string, Intl.DateTimeFormat>()

const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    era: "short",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric"
  })
  formats.set(zone, format)
  return format
}

/** Whether the browser knows a zone, such as `Europe/Berlin`. */
export const isZone = (zone: string): boolean => {
  try {
    formatOf(zone)
    return zone !== ""
  } catch {
    return false
  }
}

/** The wall time of an instant. */
export const wallOf = (zone: string, instant: number): number => {
  const parts: Record<string, string> = {}
  for (const { type, value } of formatOf(zone).formatToParts(instant)) parts[type] = value
  const part = (name: string) => Number(parts[name])
  const year = parts["era"]?.startsWith("B") === true ? 1 - part("year") : part("year")
  const date = new Date(0)
  date.setUTCFullYear(year, part("month") - 1, part("day"))
  date.setUTCHours(part("hour"), part("minute"), part("second"))
  return date.getTime() + (((instant % second) + second) % second)
}

/** How far the clocks of a zone are ahead of UTC at an instant. */
export const offsetAt = (zone: string, instant: number): number => wallOf(zone, instant) - instant

/**
 * The instant of a wall time. One that comes twice, when clocks are set back, is the first; one that is left out, when they are set
 * forward, is as much later as they are set forward.
 */
export const instantOf = (zone: string, wall: number): number => {
  const day = 86_400_000
  const before = offsetAt(zone, wall - day)
  const after = offsetAt(zone, wall + day)
  const found = [wall - before, wall - after].find((instant) => wallOf(zone, instant) === wall)
  return found ?? wall - before
}

/** A wall time as the browser's field for a date and time has it: `2026-11-27T08:15:00`. */
export const wallText = (wall: number): string => new Date(wall).toISOString().slice(0, 19)

/** The wall time of a text such as `2026-11-27 08:15`, with seconds or without; `undefined` if there is no such time. */
export const parseWall = (text: string): number | undefined => {
  const match = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?$/.exec(text.trim())
  if (match === null) return undefined
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, seconds = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0))
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, seconds)
  const wall = date.getTime()
  // Not 31 February, which would be in March.
  return wallText(wall) ===
    `${match[1]}-${match[2]}-${match[3]}T${match[4] ?? "00"}:${match[5] ?? "00"}:${match[6] ?? "00"}`
    ? wall
    : undefined
}
