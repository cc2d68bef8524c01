// Opens the given store at the given time, takes a pipe again and again, and records and finishes its next ranges until
// another process takes it. Prints how many ranges it has recorded and how often it lost the pipe.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Ledger } from "@headgate/mover"
import { lawPipeId as pipeId } from "@headgate/mover/laws"
import * as Clock from "effect/Clock"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { argv } from "node:process"
import { SqlLedger } from "../../src/mover/index.ts"
import { openStore } from "./openStore.ts"

const [store = "", start = "0", takes = "0"] = argv.slice(2)

const moveRanges = Effect.gen(function* () {
  const ledger = yield* Ledger
  let [recorded, lost] = [0, 0]
  const moveUntilLost = Effect.gen(function* () {
    const owner = yield* ledger.take(pipeId)
    const state = yield* ledger.state(pipeId)
    for (const { range } of state.pending) yield* ledger.markDone(owner, range, { rows: 1, rejected: 0, bytes: 1 })
    let from = Number(state.recorded.get("0") ?? 0)
    for (let ranges = 0; ranges < 5; ranges += 1) {
      const range = { pipeId, generation: 1, source: "topic", partition: "0", from: `${from}`, to: `${from + 1}` }
      yield* ledger.record(owner, range)
      recorded += 1
      from += 1
      yield* ledger.markDone(owner, range, { rows: 1, rejected: 0, bytes: 1 })
    }
  })
  for (let times = 0; times < Number(takes); times += 1) {
    yield* moveUntilLost.pipe(
      Effect.catchTag("OwnershipLost", () =>
        Effect.sync(() => {
          lost += 1
        })
      )
    )
  }
  yield* Console.log(JSON.stringify({ recorded, lost }))
})

Clock.currentTimeMillis.pipe(
  Effect.flatMap((now) => Effect.sleep(Math.max(0, Number(start) - now))),
  Effect.andThen(Effect.provide(moveRanges, Layer.provide(SqlLedger.layer, openStore(store)))),
  NodeRuntime.runMain
)
