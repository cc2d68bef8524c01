import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as ChildProcess from "effect/process/ChildProcess"
import * as ChildProcessSpawner from "effect/process/ChildProcessSpawner"
import { join } from "node:path"
import { execPath } from "node:process"

/** Starts processes that open a store at the same time and create keys in it; returns how many each created. */
export const runAtOnce = Effect.fnUntraced(function* (options: {
  readonly store: string
  readonly organizationId: string
  readonly processes: number
  readonly keys: number
}) {
  const { keys, organizationId, processes, store } = options
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  // Enough time for all of them to start.
  const start = (yield* Clock.currentTimeMillis) + 1500
  const script = join(import.meta.dirname, "..", "processes", "createKeys.ts")
  const printed = yield* Effect.forEach(
    Array.from({ length: processes }),
    () => spawner.string(ChildProcess.make(execPath, [script, store, organizationId, String(start), String(keys)])),
    { concurrency: "unbounded" }
  )
  return printed.map(Number)
}, Effect.provide(NodeServices.layer))
