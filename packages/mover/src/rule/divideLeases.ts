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

/** A pipe and its load. */
export interface WeightedPipe {
  readonly pipeId: PipeId
  /** At least 1. */
  readonly weight: number
}

/** What is divided among movers. */
export interface DividedLoad {
  /** How many movers take pipes. */
  readonly movers: number
  readonly pipes: number
  /** The sum of the weights of all pipes, and the smallest one. */
  readonly load: number
  readonly lightest: number
}

/**
 * A mover gives pipes back only if it has more than the average by this part of what the load of a mover is above that of as many light
 * pipes. It is nothing where all pipes weigh the same, and keeps pipes from going to and fro where their loads change.
 */
const slack = 0.1

/**
 * Which pipes a mover keeps, takes and gives back, so that each mover comes to an equal share of the load. It takes free ones, the
 * heaviest first, as long as it has less than the average, so that none stays free; another mover may be faster. It gives back what it
 * has the average without: never the only pipe, however heavy, and nothing that another mover would not take. Pipes of equal weight are
 * divided by their number. `movers` of 0: all are given back.
 *
 * @example
 * ```ts
 * import { PipeId } from "@headgate/core"
 * import { divideLeases } from "@headgate/mover"
 *
 * const mine = ["1", "2"].map((digit) => ({
 *   pipeId: PipeId.make(`b1be0000-0000-4000-8000-00000000000${digit}`),
 *   weight: 1
 * }))
 * const all = { movers: 2, pipes: 2, load: 2, lightest: 1 }
 * console.log(divideLeases({ mine, free: [], all }).giveBack.length) // 1
 * ```
 */
export const divideLeases = ({
  all,
  free,
  mine
}: {
  readonly all: DividedLoad
  /** The pipes that this mover has, those first that it would rather keep. */
  readonly mine: ReadonlyArray<WeightedPipe>
  /** The pipes that nobody has. */
  readonly free: ReadonlyArray<WeightedPipe>
}): { readonly [Action in "keep" | "take" | "giveBack"]: ReadonlyArray<PipeId> } => {
  const { lightest, load: total, movers, pipes } = all
  const average = movers === 0 ? 0 : total / movers
  const above = movers === 0 ? 0 : (slack * Math.max(0, total - pipes * lightest)) / movers
  let load = mine.reduce((sum, { weight }) => sum + weight, 0)
  const giveBack: Array<PipeId> = []
  const keep: Array<PipeId> = []
  for (const { pipeId, weight } of mine.toReversed()) {
    const isSpare = load - weight >= average + above
    ;(isSpare ? giveBack : keep).push(pipeId)
    if (isSpare) load -= weight
  }
  const take: Array<PipeId> = []
  for (const { pipeId, weight } of free.toSorted((one, other) => other.weight - one.weight)) {
    if (load >= average) break
    take.push(pipeId)
    load += weight
  }
  return { keep: keep.toReversed(), take, giveBack }
}
