import { languages } from "./languages.ts"
// The browser's language decides how numbers are written; what is copied is plain.

const whole = new Intl.NumberFormat(languages, { maximumFractionDigits: 0 })
const short = new Intl.NumberFormat(languages, { maximumFractionDigits: 1, notation: "compact" })
const precise = new Intl.NumberFormat(languages, { maximumSignificantDigits: 3 })
const powers = new Intl.NumberFormat(languages, { maximumFractionDigits: 2, notation: "scientific" })

/** Whether a number written in full would be a line of zeros. */
const isExtreme = (value: number | bigint, most: number): value is number =>
  typeof value === "number" && value !== 0 && (Math.abs(value) >= most || Math.abs(value) < 1e-6)

/** Written where there is no number. */
export const none = "–"

/** A number in full: `1,234`. Fractions below 100 keep three digits. */
export const number = (value: number | bigint | null | undefined): string => {
  if (value === null || value === undefined || Number.isNaN(value)) return none
  if (isExtreme(value, 1e21)) return powers.format(value)
  return typeof value === "number" && !Number.isInteger(value) && Math.abs(value) < 100
    ? precise.format(value)
    : whole.format(value)
}

/** A number for an axis or a narrow column: `1.2K`. */
export const shortNumber = (value: number | null | undefined): string => {
  if (value === null || value === undefined || Number.isNaN(value)) return none
  if (isExtreme(value, 1e15)) return powers.format(value)
  return (Math.abs(value) < 1 ? precise : short).format(value)
}

const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"] as const

/** Bytes: `1.5 MiB`. */
export const bytes = (value: number | null | undefined): string => {
  if (value === null || value === undefined || Number.isNaN(value)) return none
  const power = Math.min(Math.max(Math.floor(Math.log2(Math.max(Math.abs(value), 1)) / 10), 0), units.length - 1)
  const scaled = value / 1024 ** power
  return `${power === 0 ? whole.format(scaled) : precise.format(scaled)} ${units[power]}`
}

/** A rate: `12 /s`. */
export const rate = (value: number | null | undefined): string =>
  value === null || value === undefined || Number.isNaN(value) ? none : `${number(value)} /s`
