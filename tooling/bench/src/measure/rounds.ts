import { isDeepStrictEqual } from "node:util"
import type * as Schema from "effect/Schema"
import type { Batch } from "./Contestant.ts"
import type { ContestantProcess } from "./ContestantProcess.ts"

/** What each contestant came to in one round: CPU microseconds each time, by name. */
export type Round = ReadonlyMap<string, number>

/** Holds that every contestant does the work: what comes out is what went in, and what is wrong is refused. */
export const verify = async (contestants: ReadonlyArray<ContestantProcess>, document: Schema.Json): Promise<void> => {
  for (const contestant of contestants) {
    if (!isDeepStrictEqual(await contestant.once(), document)) {
      throw new Error(`${contestant.name} does not give the document back: it is no contestant`)
    }
    const accepted = await contestant.accepted()
    if (accepted.length > 0) throw new Error(`${contestant.name} accepts what it should refuse: ${accepted.join(", ")}`)
  }
}

const warmUps = 3

/**
 * Measures in rounds: in each, every contestant does one batch, one after the other, in an order that moves on by one
 * each round, so that whatever else the machine does meets them alike.
 */
export const runRounds = async (
  contestants: ReadonlyArray<ContestantProcess>,
  batch: Batch,
  rounds: number
): Promise<ReadonlyArray<Round>> => {
  for (const contestant of contestants) {
    for (let index = 0; index < warmUps; index++) await contestant.cpuMicroseconds(batch)
  }
  const measured: Array<Round> = []
  for (let index = 0; index < rounds; index++) {
    const first = index % contestants.length
    const round = new Map<string, number>()
    for (const contestant of [...contestants.slice(first), ...contestants.slice(0, first)]) {
      round.set(contestant.name, await contestant.cpuMicroseconds(batch))
    }
    measured.push(round)
  }
  return measured
}
