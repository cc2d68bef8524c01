// Opens the given store, takes a pipe, and records a range that stays pending.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Ledger } from "@headgate/mover"
import { lawPipeId as pipeId } from "@headgate/mover/laws"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { argv } from "node:process"
import { SqlLedger } from "../../src/mover/index.ts"
import { openStore } from "./openStore.ts"

const [store = ""] = argv.slice(2)

Effect.gen(function* () {
  const ledger = yield* Ledger
  const owner = yield* ledger.take(pipeId)
  yield* ledger.record(owner, { pipeId, generation: 1, source: "topic", partition: "0", from: "0", to: "5" })
}).pipe(Effect.provide(Layer.provide(SqlLedger.layer, openStore(store))), NodeRuntime.runMain)
