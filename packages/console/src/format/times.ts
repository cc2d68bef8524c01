import { languages } from "./languages.ts"
import { none } from "./numbers.ts"

const spans = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1000, "s"]
] as const

/** A span of time in its largest unit: `3 min`. */
export const span = (milliseconds: number): string => {
  const [length, unit] = spans.find(([length]) => Math.abs(milliseconds) >= length) ?? [1000, "s"]
  return `${Math.floor(Math.abs(milliseconds) / length)} ${unit}`
}

/** How long ago a time was: `3 min ago`; `in 3 min` for one to come. */
export const ago = (time: number | string | null | undefined, now: number): string => {
  const at = typeof time === "string" ? Date.parse(time) : time
  if (at === null || at === undefined || Number.isNaN(at)) return none
  return at > now ? `in ${span(at - now)}` : `${span(now - at)} ago`
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** A time in a zone, with its seconds: `2026-11-27 08:15:00`, in the order of the browser's language. */
export const timeIn = (time: number | string | null | undefined, zone: string): string => {
  const at = typeof time === "string" ? Date.parse(time) : time
  if (at === null || at === undefined || Number.isNaN(at)) return none
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat(languages, { dateStyle: "medium", timeStyle: "medium", timeZone: zone })
  formats.set(zone, format)
  return format.format(at)
}
