import { languages } from "./languages.ts"
import { instantOf, wallOf } from "./zones.ts"

/** The values of an axis: 1, 2 or 5 times a power of ten, at most so many. */
export const valueTicks = (least: number, most: number, count: number): ReadonlyArray<number> => {
  const length = most - least
  if (!(length > 0) || !Number.isFinite(length) || count < 1) return []
  const rough = length / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5, 10].find((times) => times * power >= rough * (1 - 1e-9)) ?? 10)
  const first = Math.ceil(least / step)
  const ticks: Array<number> = []
  for (let index = 0; index <= count + 1; index += 1) {
    const value = (first + index) * step
    if (value > most * (1 + Math.sign(most) * 1e-12)) break
    // 0.1 * 3 is not 0.3.
    ticks.push(Number(value.toPrecision(12)))
  }
  return ticks
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const steps = [
  1000,
  2000,
  5000,
  15_000,
  30_000,
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minute),
  ...[1, 2, 3, 6, 12].map((hours) => hours * hour),
  ...[1, 2, 7, 14].map((days) => days * day)
]

const months = [1, 3, 6, 12, 24, 60, 120, 600, 1200]
const longestMonth = 31 * day

/** The ticks of an axis of time, and the length of a step, by which they are written. */
export interface TimeTicks {
  readonly step: number
  readonly ticks: ReadonlyArray<number>
}

const monthTicks = (from: number, to: number, zone: string, count: number): TimeTicks => {
  const each = months.find((number) => number * longestMonth * count >= to - from) ?? 12_000
  const start = new Date(wallOf(zone, from))
  const ticks: Array<number> = []
  const first = Math.ceil((start.getUTCFullYear() * 12 + start.getUTCMonth()) / each) * each
  for (let month = first; ; month += each) {
    const date = new Date(0)
    date.setUTCFullYear(Math.floor(month / 12), month % 12, 1)
    const at = instantOf(zone, date.getTime())
    if (!(at <= to)) return { step: each * longestMonth, ticks }
    if (at >= from) ticks.push(at)
  }
}

/**
 * The instants at which an axis of time has ticks, at most so many: round times of the clocks of the zone, so that days begin at its
 * midnight also when clocks are changed.
 */
export const timeTicks = (from: number, to: number, zone: string, count: number): TimeTicks => {
  if (!(to > from) || count < 1) return { step: 0, ticks: [] }
  const step = steps.find((length) => length * count >= to - from)
  if (step === undefined) return monthTicks(from, to, zone, count)
  const ticks: Array<number> = []
  for (let wall = Math.floor(wallOf(zone, from) / step) * step; ; wall += step) {
    const at = instantOf(zone, wall)
    if (at > to) return { step, ticks }
    if (at >= from && at > (ticks.at(-1) ?? -Infinity)) ticks.push(at)
  }
}

const written = new Map<string, Intl.DateTimeFormat>()

const write = (at: number, zone: string, name: string, options: Intl.DateTimeFormatOptions): string => {
  const key = `${zone} ${name}`
  const format = written.get(key) ?? new Intl.DateTimeFormat(languages, { ...options, timeZone: zone })
  written.set(key, format)
  return format.format(at)
}

/** A tick of an axis of time: a time of day, a day at midnight, a month or a year. */
export const tickText = (at: number, zone: string, step: number): string => {
  if (step >= longestMonth) return write(at, zone, "month", { month: "short", year: "numeric" })
  if (step >= day || wallOf(zone, at) % day === 0) return write(at, zone, "day", { day: "numeric", month: "short" })
  return write(at, zone, step < minute ? "second" : "minute", {
    hour: "2-digit",
    minute: "2-digit",
    ...(step < minute ? { second: "2-digit" } : {})
  })
}
