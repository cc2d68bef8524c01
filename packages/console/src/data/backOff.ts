const delays = [5000, 10_000, 20_000, 60_000] as const

/** How long to wait before the next request, in milliseconds: longer after each failure, and as long as the server asks for. */
export const delayBefore = (failures: number, interval: number, retryAfter: number | undefined): number => {
  if (failures === 0) return interval
  const wait = delays[Math.min(failures, delays.length) - 1] ?? interval
  return Math.max(wait, interval, retryAfter ?? 0)
}
