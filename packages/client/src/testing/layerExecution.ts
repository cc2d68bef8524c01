import type { InvalidRequest } from "@headgate/core"
import * as Array from "effect/Array"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as References from "effect/References"
import { type Execution, executionIn, rejection } from "../Runner.ts"

// No caller can collect spans, so none are made.
const untraced = Layer.succeed(References.TracerEnabled, false)

// stdout belongs to the program.
const warnings = Logger.layer([
  Logger.make(({ message }) => {
    for (const text of Array.ensure(message)) console.warn(`@headgate/client: ${text}`)
  })
])

/** Runs effects that need a layer. It is built at once, synchronously; throws as a call would reject. */
export const layerExecution = <R>(layer: Layer.Layer<R, InvalidRequest>): Execution<R> => {
  const runtime = ManagedRuntime.make(Layer.mergeAll(layer, untraced, warnings))
  const exit = runtime.runSyncExit(runtime.contextEffect)
  if (Exit.isFailure(exit)) throw rejection(exit.cause, undefined)
  const { close, run } = executionIn(exit.value)
  return {
    run,
    close: async () => {
      await close()
      await runtime.dispose()
    }
  }
}
