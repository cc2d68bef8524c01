/** Half of the cores, at least one. */
export const halfOf = (cores: number): number => Math.max(1, Math.floor(cores / 2))

/**
 * How many queries are at work. `threads`: how many Node's pool has, where the engine is inside this process. A query of that holds one of
 * them until it has ended, and the mover, the reading of files and the ending of queries need some: two are left.
 */
export const mostAtWork = ({
  cores,
  threads,
  wanted = Math.min(4, halfOf(cores))
}: {
  readonly cores: number
  readonly threads: string | undefined
  readonly wanted?: number | undefined
}): number => {
  if (threads === undefined) return wanted
  const pool = Number(threads)
  return Math.max(1, Math.min(wanted, (Number.isInteger(pool) && pool > 0 ? pool : 4) - 2))
}
