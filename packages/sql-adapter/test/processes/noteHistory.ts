// Opens the given store, takes a pipe, and moves rows of it until it is killed: a range in each fifth of a second, and a note of its
// history in each second, which is a minute of the clock of the test. Prints the rows of a range before it is done, and after.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { History, type HistoryNote, Ledger } from "@headgate/mover"
import { lawPipeId as pipeId } from "@headgate/mover/laws"
import * as Clock from "effect/Clock"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { argv } from "node:process"
import { SqlHistory, SqlLedger } from "../../src/mover/index.ts"
import { fastClock } from "../support/fastClock.ts"
import { openStore } from "./openStore.ts"

const [store = "", start = "0"] = argv.slice(2)

const noteHistory = Effect.gen(function* () {
  const [ledger, history] = [yield* Ledger, yield* History]
  const owner = yield* ledger.take(pipeId)
  const state = yield* ledger.state(pipeId)
  const generation = (state.current?.generation ?? 0) + 1
  // Each process begins anew: what was delivered before does not count in the status of the pipe any more.
  yield* ledger.begin(owner, { generation, source: "topic", starts: new Map() }, { anew: true })
  const notes: ReadonlyArray<HistoryNote> = [{ pipeId, epoch: owner.epoch, state: "Running", lag: undefined }]
  let mover = yield* history.beat(undefined)
  yield* history.note(mover, notes, "this")
  yield* Console.log("taken")
  let from = 0
  for (let count = 0; ; count += 1) {
    const rows = 1 + (count % 7)
    const range = { pipeId, generation, source: "topic", partition: "0", from: `${from}`, to: `${from + rows}` }
    yield* ledger.record(owner, range)
    yield* Console.log(`begin ${rows}`)
    yield* ledger.markDone(owner, range, { rows, rejected: 0, bytes: rows })
    yield* Console.log(`done ${rows}`)
    from += rows
    if (count % 5 === 4) {
      const next = yield* history.beat(mover)
      yield* history.note(next, notes, next === mover ? "last" : "this")
      mover = next
      yield* history.tidy(7)
    }
    yield* Effect.sleep("200 millis")
  }
})

Clock.Clock.pipe(
  Effect.flatMap((real) =>
    Effect.provideService(
      Effect.provide(noteHistory, Layer.provide(Layer.merge(SqlHistory.layer, SqlLedger.layer), openStore(store))),
      Clock.Clock,
      fastClock(real, Number(start))
    )
  ),
  NodeRuntime.runMain
)
