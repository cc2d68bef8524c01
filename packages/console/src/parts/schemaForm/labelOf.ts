const units: ReadonlyArray<readonly [RegExp, string]> = [
  [/_ms$/, "milliseconds"],
  [/_?[sS]econds$/, "seconds"],
  [/_bytes$/, "bytes"],
  [/Gb$/, "GB"],
  [/Millicores$/, "millicores"]
]

/** A name as words: `streaming_max_insert_wait_ms` is `Streaming max insert wait (milliseconds)`. */
export const labelOf = (name: string): string => {
  const [suffix, unit] = units.find(([pattern]) => pattern.test(name)) ?? []
  const words = (suffix === undefined ? name : name.replace(suffix, ""))
    .replace(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
    .replaceAll("_", " ")
    .replace(/^(db|clickhouse) /, "Database ")
    .replaceAll("Cpu", "CPU")
    .replaceAll(" cpu", " CPU")
  const label = words.charAt(0).toUpperCase() + words.slice(1)
  return unit === undefined ? label : `${label} (${unit})`
}
