import type { PipeId } from "@headgate/core"
import * as Effect from "effect/Effect"
import { Ledger } from "../port/Ledger.ts"
import { Source } from "../port/Source.ts"
import { Warehouse } from "../port/Warehouse.ts"
import { startsOf } from "./startsOf.ts"

/**
 * Where a restarted pipe goes on: `start` reads the source from its beginning (a resync, a changed source), `ledger` and
 * `warehouse` go on from what the one or the other knows, after one of them was restored from a backup. A partition that it
 * does not know begins at its first position, so that no rows are lost.
 */
export type RestartFrom = "start" | "ledger" | "warehouse"

/**
 * Begins a new generation of a pipe, so that no token of an earlier one keeps rows out. A mover that runs loses the pipe.
 * If it fails, nothing or the whole restart has happened; repeating it is harmless.
 *
 * @example
 * ```ts
 * import type { PipeId } from "@headgate/core"
 * import { restartPipe } from "@headgate/mover"
 *
 * // A resync: the source is read from its beginning.
 * export const resync = (pipeId: PipeId) => restartPipe(pipeId, "start")
 * ```
 */
export const restartPipe = Effect.fn("restartPipe")(function* (pipeId: PipeId, from: RestartFrom) {
  const [source, warehouse, ledger] = [yield* Source, yield* Warehouse, yield* Ledger]
  const identity = yield* source.identity
  const begins = yield* startsOf(source)
  const owner = yield* ledger.take(pipeId)
  const { current, done } = yield* ledger.state(pipeId)
  const logged = yield* warehouse.logged(pipeId)
  // The log of a generation of which nothing is done is an earlier one's.
  const hasLogged = current === undefined || current.generation <= logged.generation || done.size > 0
  // A pipe that has not begun begins where the source says.
  const { generation: last, starts: began } = current ?? { generation: 0, starts: begins }
  const starts = {
    start: begins,
    // A partition of which nothing is done goes on where its generation began.
    ledger: new Map([...began, ...done]),
    warehouse: hasLogged ? new Map([...(last === logged.generation ? began : []), ...logged.positions]) : began
  }
  // Whichever of the two is older does not know the generations since.
  const generation = Math.max(last, logged.generation) + 1
  yield* ledger.begin(owner, { generation, source: identity, starts: starts[from] })
})
