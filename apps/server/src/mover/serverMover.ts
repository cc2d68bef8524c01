import { MovedPipes, PipeMover, PipeTables } from "@headgate/core/adapter"
import {
  cleanUpDeleted,
  makeAllowedSources,
  makePipeMover,
  metricsText,
  type Connectors,
  type MoverContext,
  runPipes,
  watchPipesWithoutMover
} from "@headgate/mover-runtime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Metrics } from "../observability/Metrics.ts"
import type { StoreOptions } from "../store/chooseStore.ts"
import { OpenLedger } from "../store/OpenLedger.ts"
import type { MoverOptions } from "./moverFlags.ts"
import { addWaitingMetric, reportWaiting } from "./waitingPipes.ts"
import { openWarehouses, readWarehouses } from "./Warehouses.ts"

/** The flags that a mover reads. */
export interface ServerMoverOptions extends MoverOptions, StoreOptions {
  readonly memory: boolean
  readonly dialect: "neutral" | "clickhouse"
}

/**
 * Moves the pipes of the store that are bound to a warehouse, and binds new ones. It is provided to the adapters of pipes,
 * which ask it.
 */
export const layer = (options: ServerMoverOptions, connectors: Connectors) =>
  Layer.effect(
    PipeMover,
    Effect.gen(function* () {
      const errorTable = options.dialect === "clickhouse" ? "clickhouse" : "neutral"
      const opened = {
        moved: yield* MovedPipes,
        engines: yield* openWarehouses(yield* readWarehouses(options), options.insecureWarehouse, errorTable),
        store: { ...(yield* yield* OpenLedger), tables: yield* PipeTables },
        connectors,
        allowed: makeAllowedSources(options.allowSource, options.trustStorage),
        retryTimeout: options.retryTimeout,
        historyDays: options.historyDays
      }
      const withoutMover = yield* watchPipesWithoutMover(opened, options.role !== "api")
      const context: MoverContext = { ...opened, listed: withoutMover.listed }
      const running = options.role === "api" ? new Map() : yield* runPipes(context)
      const metrics = yield* Metrics
      metrics.add(metricsText(running))
      metrics.add(withoutMover.text)
      const served = new Set(context.engines.keys())
      yield* reportWaiting(served)
      yield* addWaitingMetric(served)
      if (options.role !== "api") metrics.add(yield* cleanUpDeleted(context))
      return yield* makePipeMover(context, running, options)
    })
  )
