import type { PipeId } from "@headgate/core"
import * as Effect from "effect/Effect"
import { ChangeSource } from "../port/ChangeSource.ts"
import { Ledger } from "../port/Ledger.ts"
import { VersionedTables } from "../port/VersionedTables.ts"
import { nextRound, positionsOf, removed, tablePartition } from "../rule/copyRounds.ts"

/**
 * A resync of a pipe that {@link copyPipe} copies: the next mover copies all tables again. Readers of the tables see the old
 * rows until the new ones replace them; rows that the source no longer has are marked as deleted at the end. A mover that runs
 * loses the pipe. All rows of a target are replaced, also those of other writers. Repeating it is harmless.
 *
 * @example
 * ```ts
 * import type { PipeId } from "@headgate/core"
 * import { restartCopy } from "@headgate/mover"
 *
 * export const resync = (pipeId: PipeId) => restartCopy(pipeId)
 * ```
 */
export const restartCopy = Effect.fn("restartCopy")(function* (pipeId: PipeId) {
  const [source, tables, ledger] = [yield* ChangeSource, yield* VersionedTables, yield* Ledger]
  const identity = yield* source.identity
  const found = yield* source.tables
  const owner = yield* ledger.take(pipeId)
  const state = yield* ledger.state(pipeId)
  const logged = yield* tables.logged(pipeId)
  const generation = Math.max(state.current?.generation ?? 0, logged.generation) + 1
  const last = Math.max(0, nextRound(positionsOf(state)) - 1)
  const starts = new Map(found.map(({ name, target }) => [tablePartition(name), removed(last, target)] as const))
  yield* ledger.begin(owner, { generation, source: identity, starts }, { anew: true })
})
