const delays = [5000, 10_000, 20_000, 60_000] as const

/** A timer of a browser that is to wait for more than 2^31 milliseconds does not wait at all. */
const longest = 3_600_000

/** How long to wait before the next request, in milliseconds: longer after each failure, and as long as the server asks for, up to an hour. */
export const delayBefore = (failures: number, interval: number, retryAfter: number | undefined): number => {
  if (failures === 0) return interval
  const wait = delays[Math.min(failures, delays.length) - 1] ?? interval
  return Math.max(wait, interval, Math.min(retryAfter ?? 0, longest))
}
