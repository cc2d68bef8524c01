import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import type { Generation, Owner } from "../port/Ledger.ts"
import type { Decision } from "../range/Decision.ts"
import type { Position } from "../range/Range.ts"
import type { MoveAttempt } from "./Delivery.ts"
import type { MoveContext } from "./MoveContext.ts"
import { restartOwned } from "./restartPipe.ts"

/** Whether a decision accepts tables that are not those that the pipe knew. */
export const acceptsTables = (decision: Decision | undefined): boolean =>
  decision !== undefined && ("acceptTable" in decision || ("from" in decision && decision.from === "start"))

/** The decision was carried out. */
const forgetDecision = Effect.fnUntraced(function* (context: MoveContext) {
  yield* context.options.decided ?? Effect.void
  context.decision = undefined
})

/** Begins a new generation if that was decided. The warehouse is open. */
export const applyRestart = Effect.fnUntraced(function* (context: MoveContext, owner: Owner) {
  const { decision } = context
  if (decision === undefined || !("from" in decision)) return
  yield* restartOwned(owner, decision.from)
  yield* forgetDecision(context)
})

/** Ends a decision about tables. The ledger has those that are there now. */
export const applyAcceptTable = Effect.fnUntraced(function* (context: MoveContext) {
  if (context.decision !== undefined && "acceptTable" in context.decision) yield* forgetDecision(context)
})

/**
 * Ends a decision about pending ranges, which were replayed by it: begins a generation behind the rows that the source has lost if they
 * are left out. Returns the generation, and where its partitions go on.
 */
export const applyPending = Effect.fnUntraced(function* (
  { context, delivery, owner }: MoveAttempt,
  current: Generation,
  positions: ReadonlyMap<string, Position>
) {
  const { decision, ledger } = context
  let found = { current, positions }
  if (decision !== undefined && "pending" in decision && decision.pending === "skip") {
    const held = yield* delivery.heldPositions(positions)
    if (!Equal.equals(held, positions)) {
      const next = { generation: current.generation + 1, source: current.source, starts: held }
      yield* ledger.begin(owner, next)
      found = { current: next, positions: held }
    }
  }
  if (decision !== undefined) yield* forgetDecision(context)
  return found
})
