import * as Effect from "effect/Effect"
import type { Generation, Ledger, LedgerState, Owner } from "../port/Ledger.ts"
import type { LoggedPositions } from "../port/Warehouse.ts"
import { CannotContinue, type SourceError } from "../range/MoveError.ts"
import type { Position } from "../range/Range.ts"
import { comparePositions, describeDifferences } from "../rule/comparePositions.ts"

/** The generation that a mover goes on with, or the first one. Fails if the ledger, the log and the source do not agree. */
export const continueGeneration = Effect.fnUntraced(function* (
  ledger: Ledger["Service"],
  owner: Owner,
  identity: string,
  state: LedgerState,
  logged: LoggedPositions,
  /** Where the partitions of a source begin. It is kept, so that what arrives before the first range belongs to the pipe. */
  begins: Effect.Effect<ReadonlyMap<string, Position>, SourceError>,
  /** What a person can do if they do not agree. */
  remedies: { readonly otherSource: string; readonly restored: string }
) {
  const differences = comparePositions(state, logged)
  if (differences.length > 0)
    return yield* new CannotContinue({ message: `${describeDifferences(differences)}. ${remedies.restored}` })
  if (state.current === undefined) {
    const first: Generation = { generation: 1, source: identity, starts: yield* begins }
    yield* ledger.begin(owner, first)
    return first
  }
  if (state.current.source !== identity) {
    return yield* new CannotContinue({
      message: `the source is another one: it was ${state.current.source} and is ${identity}. ${remedies.otherSource}`
    })
  }
  return state.current
})
