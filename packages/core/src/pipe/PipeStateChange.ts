import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Conflict, type InvalidRequest } from "../error/CallError.ts"
import { validate } from "../error/validate.ts"
import { looseStruct, withIdentifier } from "../schema/LooseStruct.ts"
import { act, type PipeChange } from "./lifecycle.ts"
import { noWarehouse, PipeMover } from "./PipeMover.ts"

/**
 * The request to change the state of a pipe: `start`, `stop` or `resync`. `docs/pipe-states.md` says what each command
 * does in each state. Contract: docs/wire-contract.md#change-a-pipes-state-size-and-settings.
 */
export const PipeStateChange = looseStruct({
  command: Schema.Literals(["start", "stop", "resync"]).annotate({
    description: "What to do: `start` the pipe, `stop` it, or copy its tables again (`resync`)."
  })
}).pipe(withIdentifier("PipeStateChange", "The command for a pipe."))
export type PipeStateChange = typeof PipeStateChange.Type

const validateStateChange = validate(PipeStateChange)

/**
 * The change of a pipe that a request for another state asks for. Fails with `InvalidRequest` if the request is wrong. The change
 * is a `Conflict` for a pipe that is to move rows to a warehouse which `PipeMover` does not have.
 *
 * @example
 * ```ts
 * import type { PipeStateChange, ScalingUpdate, SettingsUpdate } from "@headgate/core"
 * import { type PipeChange, pipeChanges, pipeLifecycle, type PipeRecord, pipeStatusOf, type TransitionTime } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * // The methods of `Pipes` that change a pipe, over one pipe that is held in a variable.
 * export const methodsOf = (held: PipeRecord, start: Effect.Effect<TransitionTime>) => {
 *   const change = Effect.fnUntraced(function* <E>(change: PipeChange<E>) {
 *     held = yield* Effect.fromResult(pipeLifecycle.userChange(change)(held, yield* start))
 *     return held.pipe
 *   })
 *   return {
 *     setState: (request: PipeStateChange) => Effect.flatMap(pipeChanges.state(request), change),
 *     scale: (request: ScalingUpdate) => Effect.flatMap(pipeChanges.scaling(request), change),
 *     updateSettings: (request: SettingsUpdate) => Effect.flatMap(pipeChanges.settings(request), change),
 *     status: () => Effect.suspend(() => pipeStatusOf(held))
 *   }
 * }
 * ```
 */
export const stateChange = Effect.fnUntraced(function* (request: PipeStateChange) {
  const { command } = yield* validateStateChange(request)
  const { warehouses } = yield* PipeMover
  const change: PipeChange<InvalidRequest | Conflict> = (record, start) => {
    const { warehouse } = record
    return command === "stop" || warehouse === undefined || warehouses.has(warehouse)
      ? act(record, command, start)
      : Result.fail(new Conflict({ message: noWarehouse(warehouse) }))
  }
  return change
})
