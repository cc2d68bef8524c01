/** A unit in which numbers are stored. */
export interface NumericUnit {
  readonly symbol: string
  /** 1000 or 1024: the step from one multiple of the unit to the next. */
  readonly base: number
  /** How many bytes or bits it is; absent for a unit that has no multiples. */
  readonly scale?: number
}

const prefixes = ["", "K", "M", "G", "T", "P", "E"]

const decimalNames = ["kilo", "mega", "giga", "tera", "peta"]
const binaryNames = ["kibi", "mebi", "gibi", "tebi", "pebi"]

/** The multiples of a unit, such as `kibibytes_sec`. */
const multiples = (
  names: ReadonlyArray<string>,
  base: number,
  unit: string,
  symbol: string
): ReadonlyArray<readonly [string, NumericUnit]> =>
  names.map((name, index) => [`${name}${unit}`, { symbol, base, scale: base ** (index + 1) }])

const without = (symbol: string): NumericUnit => ({ symbol, base: 1000 })

/** The units by the names that number formats have for them. */
export const numericUnits: ReadonlyMap<string, NumericUnit> = new Map<string, NumericUnit>([
  ["bytes_iec", { symbol: "B", base: 1024, scale: 1 }],
  ["bytes_si", { symbol: "B", base: 1000, scale: 1 }],
  ["bits_iec", { symbol: "b", base: 1024, scale: 1 }],
  ["bits_si", { symbol: "b", base: 1000, scale: 1 }],
  ["bytes_sec_iec", { symbol: "B/s", base: 1024, scale: 1 }],
  ["bytes_sec_si", { symbol: "B/s", base: 1000, scale: 1 }],
  ["bits_sec_iec", { symbol: "b/s", base: 1024, scale: 1 }],
  ["bits_sec_si", { symbol: "b/s", base: 1000, scale: 1 }],
  ...multiples(decimalNames, 1000, "bytes", "B"),
  ...multiples(binaryNames, 1024, "bytes", "B"),
  ...multiples(decimalNames, 1000, "bytes_sec", "B/s"),
  ...multiples(binaryNames, 1024, "bytes_sec", "B/s"),
  ...multiples(decimalNames, 1000, "bits_sec", "b/s"),
  ...multiples(binaryNames, 1024, "bits_sec", "b/s"),
  ["packets_sec", without("packets/s")],
  ["cps", without("counts/s")],
  ["ops", without("ops/s")],
  ["rps", without("requests/s")],
  ["reads_sec", without("reads/s")],
  ["wps", without("writes/s")],
  ["iops", without("I/O ops/s")],
  ["cpm", without("counts/min")],
  ["opm", without("ops/min")],
  ["rpm_reads", without("reads/min")],
  ["wpm", without("writes/min")]
])

/** Bytes or bits in the multiple that suits them: `1.5 KiB`, or `1.5 KB` in steps of 1000. */
export const scaledBytes = (value: number, base: number, symbol: string, write: (value: number) => string): string => {
  let rest = value
  let place = 0
  while (Math.abs(rest) >= base && place < prefixes.length - 1) {
    rest /= base
    place += 1
  }
  return `${write(rest)} ${prefixes[place]}${place > 0 && base === 1024 ? "i" : ""}${symbol}`
}
