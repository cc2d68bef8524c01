import * as Duration from "effect/Duration"

/** At most `limit` in `window`. */
export interface RateLimit {
  readonly limit: number
  readonly window: Duration.Duration
}

const seconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 }

/** Reads `10/10s`, `20/m` or `1000/1h`; `undefined` when it is none. */
export const parseRateLimit = (text: string): RateLimit | undefined => {
  const [, limit, span = "1", unit = ""] = /^([1-9]\d{0,8})\/([1-9]\d{0,5})?([smh])$/.exec(text) ?? []
  const unitSeconds = seconds[unit]
  return limit === undefined || unitSeconds === undefined
    ? undefined
    : { limit: Number(limit), window: Duration.seconds(Number(span) * unitSeconds) }
}
