import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as FiberSet from "effect/FiberSet"
import { Ledger } from "../port/Ledger.ts"
import { Source } from "../port/Source.ts"
import { Warehouse } from "../port/Warehouse.ts"
import { resumeBy } from "../range/Decision.ts"
import { partitionsEvery } from "../rule/attempts.ts"
import { deduplicationWindow } from "../rule/deduplicationWindow.ts"
import { acceptsTables, applyAcceptTable, applyPending, applyRestart } from "./applyDecision.ts"
import { continueGeneration } from "./continueGeneration.ts"
import type { Delivery, MoveAttempt } from "./Delivery.ts"
import type { MoveContext, MoveOptions } from "./MoveContext.ts"
import { objectDelivery } from "./objectDelivery.ts"
import { movePartition } from "./PartitionLoop.ts"
import { makePartitionSet, type PartitionSet, recoverWhenAllWork } from "./PartitionSet.ts"
import { replay } from "./replay.ts"
import { startsOf } from "./restartPipe.ts"
import { rowDelivery } from "./rowDelivery.ts"
import { type Attempts, runAttempts } from "./runAttempts.ts"

const remedies = {
  otherSource: `To read the new one from where a new pipe would begin: ${resumeBy({ from: "start" })}`,
  restored: `To go on from what is in the warehouse: ${resumeBy({ from: "warehouse" })}. To trust the server's store instead: ${resumeBy({ from: "ledger" })}`
}

/** Opens the table of a pipe, which is another one than before only if that was accepted. */
const openTable = Effect.fnUntraced(function* ({ decision, ledger, options, warehouse, window }: MoveContext) {
  const { delivered, done, pending, tables } = yield* ledger.state(options.pipeId)
  const hasMoved = delivered.rows > 0 || done.size > 0 || pending.length > 0
  return yield* warehouse.open(options.pipeId, window, hasMoved && !acceptsTables(decision) ? tables : undefined)
})

/** Moves all partitions, also those that are added meanwhile, until all have ended. */
const movePartitions = Effect.fnUntraced(function* (set: PartitionSet) {
  const { attempt, ended, known, moving, positions } = set
  while (true) {
    // A source may grow.
    for (const { first, partition } of yield* attempt.context.source.partitions) {
      if (known.has(partition)) continue
      known.add(partition)
      // The ledger has the starts of all partitions that were there when the generation began. Any other one was added since,
      // and all of its rows belong to the pipe.
      yield* FiberSet.run(moving, movePartition(set, partition, positions.get(partition) ?? first))
    }
    yield* recoverWhenAllWork(set)
    if (known.size > 0 && ended.size === known.size) return
    const waits = Effect.raceFirst(FiberSet.awaitEmpty(moving), Effect.sleep(partitionsEvery))
    // The failure of one partition ends the attempt for all.
    yield* Effect.raceFirst(FiberSet.join(moving), waits)
  }
})

const attemptMove = Effect.fnUntraced(function* (context: MoveContext, delivery: Delivery, attempts: Attempts) {
  const { ledger, options, source, warehouse } = context
  const { recover, report, reportDelivered } = attempts
  const owner = yield* attempts.take
  const identity = yield* source.identity
  const destination = yield* openTable(context)
  const { tables, warnings } = destination
  if (warnings !== undefined) yield* report(() => ({ warnings }))
  yield* applyRestart(context, owner)
  const state = yield* ledger.state(options.pipeId)
  if (tables !== undefined && !Equal.equals(tables, state.tables)) yield* ledger.recordTables(owner, tables)
  // Before anything else that may need a decision.
  yield* applyAcceptTable(context)
  yield* reportDelivered(state.delivered)
  yield* delivery.checkState(state)
  const logged = yield* warehouse.logged(options.pipeId)
  const starts = startsOf(source)
  const generation = yield* continueGeneration(ledger, owner, identity, state, logged, starts, remedies)
  yield* delivery.takeOver(owner, state.pending)
  const attempt: MoveAttempt = { context, delivery, owner, destination, state, recover, report }
  yield* replay(attempt, logged)
  const recorded = new Map([...generation.starts, ...state.recorded])
  const { current, positions } = yield* applyPending(attempt, generation, recorded)
  yield* movePartitions(yield* makePartitionSet(attempt, current, positions))
}, Effect.scoped)

/**
 * Owns a pipe and moves it: plans a range, records it, inserts it, logs it, marks it as done. The rows of objects, which the
 * warehouse reads by itself, are staged and moved in the place of the insert. It ends when the source does,
 * when the pipe is Failed, or when another mover takes the pipe.
 *
 * Every step may be the last: to stop or pause a pipe is to interrupt this effect, and the next mover replays what is
 * pending. After a failure the mover itself begins like a new one, so there is one way back and no other.
 *
 * @example
 * ```ts
 * import { PipeId } from "@headgate/core"
 * import { Ledger, movePipe, Source, Warehouse } from "@headgate/mover"
 * import { MemoryLedger, MemorySource, MemoryWarehouse } from "@headgate/mover/memory"
 * import * as Console from "effect/Console"
 * import * as Duration from "effect/Duration"
 * import * as Effect from "effect/Effect"
 *
 * const source = MemorySource.make()
 * const warehouse = MemoryWarehouse.make()
 *
 * const moved = Effect.gen(function* () {
 *   yield* source.append("0", '{"n":1}', '{"n":2}')
 *   yield* source.end
 *   return yield* movePipe({
 *     pipeId: PipeId.make("b1be0000-0000-4000-8000-000000000001"),
 *     limits: { rows: 100_000, bytes: 32_000_000, wait: Duration.seconds(5) },
 *     inFlight: 4,
 *     partsPerInsert: 1,
 *     pipesOnTable: 1,
 *     report: ({ state }) => Console.log(state)
 *   })
 * }).pipe(
 *   Effect.provideService(Source, source.source),
 *   Effect.provideService(Warehouse, warehouse.warehouse),
 *   Effect.provideService(Ledger, MemoryLedger.make().ledger)
 * )
 *
 * export const program = Effect.map(moved, ({ _tag }) => _tag) // Completed
 * ```
 */
export const movePipe = Effect.fn("movePipe")(function* (options: MoveOptions) {
  const source = yield* Source
  const context: MoveContext = {
    options,
    source,
    warehouse: yield* Warehouse,
    ledger: yield* Ledger,
    window: deduplicationWindow(options),
    decision: options.decision,
    checkedAt: 0n
  }
  const delivery = source.objects === undefined ? rowDelivery(context) : objectDelivery(context, source.objects)
  return yield* runAttempts(options, (attempts) => attemptMove(context, delivery, attempts))
})
