import type { PipeId } from "@headgate/core"
import * as Duration from "effect/Duration"

/**
 * How long a pipe stays with a mover that does not ask for it any more.
 *
 * @example
 * ```ts
 * import { leaseTime } from "@headgate/mover"
 * import * as Duration from "effect/Duration"
 *
 * console.log(Duration.toSeconds(leaseTime)) // 10
 * ```
 */
export const leaseTime = Duration.seconds(10)

/**
 * Which pipes a mover keeps, takes and gives back, so that each of `movers` movers comes to an equal share. Pipes that are not in
 * `pipes` any more are given back. Those to take are free, and another mover may be faster.
 *
 * @example
 * ```ts
 * import { PipeId } from "@headgate/core"
 * import { divideLeases } from "@headgate/mover"
 *
 * const pipes = ["1", "2"].map((digit) => PipeId.make(`b1be0000-0000-4000-8000-00000000000${digit}`))
 * const held = pipes.map((pipeId) => ({ pipeId, mover: "a" }))
 * console.log(divideLeases({ mover: "a", movers: 2, pipes, held }).giveBack.length) // 1
 * ```
 */
export const divideLeases = ({
  held,
  mover,
  movers,
  pipes
}: {
  readonly mover: string
  /** How many movers there are that serve the same pipes, this one included. */
  readonly movers: number
  readonly pipes: ReadonlyArray<PipeId>
  /** The leases that have not ended. */
  readonly held: ReadonlyArray<{ readonly pipeId: PipeId; readonly mover: string }>
}): { readonly [Action in "keep" | "take" | "giveBack"]: ReadonlyArray<PipeId> } => {
  const share = Math.ceil(pipes.length / Math.max(1, movers))
  const wanted = new Set(pipes)
  const mine = held.flatMap((lease) => (lease.mover === mover ? [lease.pipeId] : []))
  const moved = mine.filter((pipeId) => wanted.has(pipeId))
  const keep = moved.slice(0, share)
  const kept = new Set(keep)
  const taken = new Set(held.map(({ pipeId }) => pipeId))
  const free = pipes.filter((pipeId) => !taken.has(pipeId))
  return {
    keep,
    take: free.slice(0, share - keep.length),
    giveBack: mine.filter((pipeId) => !kept.has(pipeId))
  }
}
