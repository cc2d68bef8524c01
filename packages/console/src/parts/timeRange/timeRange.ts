import { instantOf, isZone, parseWall } from "../../format/zones.ts"

/** A range of time: one that ends now and moves with it, or one between two instants in milliseconds since 1970. */
export type TimeRange =
  | { readonly kind: "relative"; readonly length: RangeLength }
  | { readonly kind: "absolute"; readonly from: number; readonly to: number }

/** The ranges that end now, with their names. */
export const lengths = {
  "15m": { milliseconds: 900_000, name: "Last 15 minutes" },
  "1h": { milliseconds: 3_600_000, name: "Last hour" },
  "6h": { milliseconds: 21_600_000, name: "Last 6 hours" },
  "24h": { milliseconds: 86_400_000, name: "Last 24 hours" },
  "7d": { milliseconds: 604_800_000, name: "Last 7 days" }
} as const

export type RangeLength = keyof typeof lengths

/** The names of `lengths`, the shortest first. */
export const rangeLengths = ["15m", "1h", "6h", "24h", "7d"] as const satisfies ReadonlyArray<RangeLength>

/** A range, and the zone by which its times are written. */
export interface ZonedRange {
  readonly range: TimeRange
  readonly zone: string
}

const byDefault: RangeLength = "1h"

// The years that RFC 3339 writes, as far as every zone is in them: a page fails at times that no `Date` holds.
const least = Date.parse("0000-01-02T00:00:00Z")
const most = Date.parse("9999-12-31T00:00:00Z")

const instantIn = (text: string | null): number | undefined => {
  const at = text === null || text === "" ? Number.NaN : Date.parse(text)
  return at >= least && at <= most ? at : undefined
}

const absoluteIn = (query: URLSearchParams): TimeRange | undefined => {
  const from = instantIn(query.get("from"))
  const to = instantIn(query.get("to"))
  return from === undefined || to === undefined || from >= to ? undefined : { kind: "absolute", from, to }
}

/** The range of a link: `range=6h`, or `from` and `to` as RFC 3339; `zone`, UTC by default. What is wrong is left out. */
export const readRange = (query: URLSearchParams): ZonedRange => {
  const zone = query.get("zone") ?? "UTC"
  const length = rangeLengths.find((name) => name === query.get("range"))
  return {
    range: absoluteIn(query) ?? { kind: "relative", length: length ?? byDefault },
    zone: isZone(zone) ? zone : "UTC"
  }
}

/** The fields of the query of a link; an empty text is one that it does not have. */
export const writeRange = ({ range, zone }: ZonedRange) => ({
  range: range.kind === "relative" && range.length !== byDefault ? range.length : "",
  from: range.kind === "absolute" ? new Date(range.from).toISOString() : "",
  to: range.kind === "absolute" ? new Date(range.to).toISOString() : "",
  zone: zone === "UTC" ? "" : zone
})

/** When a range begins and ends. */
export const boundsOf = (range: TimeRange, now: number): { readonly from: number; readonly to: number } =>
  range.kind === "absolute"
    ? { from: range.from, to: range.to }
    : { from: now - lengths[range.length].milliseconds, to: now }

/** What was typed for a range: its two times as clocks of the zone show them. */
export interface RangeInput {
  readonly from: string
  readonly to: string
  readonly zone: string
}

/** A typed range, or what is wrong with it, by field. */
export type CheckedRange =
  | { readonly range: TimeRange }
  | { readonly errors: { readonly from?: string; readonly to?: string; readonly zone?: string } }

/** Checks a typed range. */
export const checkRange = (input: RangeInput, now: number): CheckedRange => {
  if (!isZone(input.zone)) return { errors: { zone: "Enter the name of a time zone, such as Europe/Berlin." } }
  const from = parseWall(input.from)
  const to = parseWall(input.to)
  const missing = "Enter a date and a time."
  if (from === undefined || to === undefined) {
    return {
      errors: { ...(from === undefined ? { from: missing } : {}), ...(to === undefined ? { to: missing } : {}) }
    }
  }
  const range = { kind: "absolute", from: instantOf(input.zone, from), to: instantOf(input.zone, to) } as const
  if (range.from >= range.to) return { errors: { to: "The range must end after it begins." } }
  if (range.from > now) return { errors: { from: "The range begins in the future, of which there is no history." } }
  return { range }
}
