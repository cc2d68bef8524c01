import * as Duration from "effect/Duration"

const milliseconds: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 }

/** Reads `500ms`, `5s` or `1m`; `undefined` when it is none. */
export const parseDuration = (text: string): Duration.Duration | undefined => {
  const [, count, unit = ""] = /^(\d{1,6})(ms|s|m)$/.exec(text) ?? []
  const each = milliseconds[unit]
  return count === undefined || each === undefined ? undefined : Duration.millis(Number(count) * each)
}
