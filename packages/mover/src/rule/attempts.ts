import * as Duration from "effect/Duration"

/** A mover that did nothing for longer than this may have lost the pipe: it checks its epoch before it goes on. */
export const longestPause = Duration.seconds(5)

/** How often a mover asks its source for new partitions. */
export const partitionsEvery = Duration.seconds(30)

/** How long a partition that works is waited for in one plan: an idle one costs little. */
export const idleTimeout = Duration.seconds(30)

/** For how long a pipe is Degraded before it is Failed. Time in which no mover runs does not count. */
export const defaultRetryTimeout = Duration.minutes(15)

const firstDelay = 500
const longestDelay = 30_000

/** How long to wait before the attempt after `failures` failed ones; `random` is in [0, 1). Full jitter. */
export const retryDelay = (failures: number, random: number): Duration.Duration =>
  Duration.millis(random * Math.min(longestDelay, firstDelay * 2 ** Math.min(failures - 1, 16)))
