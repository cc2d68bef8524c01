import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Conflict, type InvalidRequest, invalidRequest } from "../error/CallError.ts"
import { validate } from "../error/validate.ts"
import { exactlyOneOf, looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { act, type PipeChange, type PipeDecision, pipeRefusals } from "./lifecycle.ts"
import { noWarehouse, PipeMover } from "./PipeMover.ts"

const decisionFields = ["from", "pending", "acceptTable"]

/**
 * The decision about a pipe that moves rows and could not go on by itself: exactly one of `from`, `pending` and `acceptTable`.
 * Decided: the contract has no such operation.
 *
 * @example
 * ```ts
 * import { type PipeAddress, Pipes } from "@headgate/core"
 *
 * // After the warehouse was restored from a backup: what it has lost is delivered again.
 * export const resume = (address: PipeAddress) => Pipes.use((pipes) => pipes.resume(address, { from: "warehouse" }))
 * ```
 */
export const PipeResume = looseStruct({
  from: nullish(
    Schema.Literals(["start", "ledger", "warehouse"]),
    "Where the pipe goes on: where a new pipe would begin (`start`), or at the positions of the server (`ledger`) or of the log in the `warehouse`."
  ),
  pending: nullish(
    Schema.Literals(["replay", "skip"]),
    "What is done with batches that may be in the table: insert them again (`replay`), or leave them out (`skip`), as well as rows that the source no longer has."
  ),
  acceptTable: nullish(
    Schema.Literal(true),
    "The pipe goes on, where it is, with tables that were exchanged, renamed or altered on purpose. A database knows this decision alone."
  )
}).pipe(
  withIdentifier("PipeResume", "The decision about a pipe that could not go on by itself: exactly one field."),
  exactlyOneOf(decisionFields)
)
export type PipeResume = typeof PipeResume.Type

const validateResume = validate(PipeResume)

/**
 * The change of a pipe that a decision asks for: the pipe starts, and its mover carries the decision out before it moves rows.
 * Fails with `InvalidRequest` if the request is wrong.
 *
 * @example
 * ```ts
 * import type { PipeResume } from "@headgate/core"
 * import { pipeChanges, pipeLifecycle, type PipeRecord, type TransitionTime } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * // What a store holds after `Pipes.resume`.
 * export const resumed = (held: PipeRecord, request: PipeResume, start: TransitionTime) =>
 *   Effect.flatMap(pipeChanges.resume(request), (change) => Effect.fromResult(pipeLifecycle.userChange(change)(held, start)))
 * ```
 */
export const resumeChange = Effect.fnUntraced(function* (request: PipeResume) {
  const { acceptTable, from, pending } = yield* validateResume(request)
  const decisions: ReadonlyArray<PipeDecision> = [
    ...(Predicate.isNotNullish(from) ? [{ from }] : []),
    ...(Predicate.isNotNullish(pending) ? [{ pending }] : []),
    ...(Predicate.isNotNullish(acceptTable) ? [{ acceptTable }] : [])
  ]
  const [decision] = decisions
  if (decision === undefined || decisions.length > 1) {
    return yield* invalidRequest([{ path: "", message: `Expected exactly one of ${decisionFields.join(", ")}` }])
  }
  const { warehouses } = yield* PipeMover
  const change: PipeChange<InvalidRequest | Conflict> = (record, start) => {
    const { pipe, warehouse } = record
    if (warehouse === undefined) return Result.fail(new Conflict({ message: pipeRefusals.simulated }))
    if (!warehouses.has(warehouse)) return Result.fail(new Conflict({ message: noWarehouse(warehouse) }))
    if (Predicate.isNotNullish(pending) && Predicate.isNotNullish(pipe.source?.objectStorage)) {
      const message = "Expected from: the objects of a storage are staged, and none is inserted twice"
      return Result.fail(invalidRequest([{ path: "pending", message }]))
    }
    const action = "acceptTable" in decision ? "accept" : "resume"
    return Result.map(act(record, action, start), ({ progress, ...resumed }) => ({
      ...resumed,
      progress: { since: start.now, steps: [], ...progress, decision }
    }))
  }
  return change
})
