import { type PipeCreate, PipeSource, type ServiceAddress } from "@headgate/core"
import { invalidRequest, MovedPipes, PipeMover } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Metrics } from "../observability/Metrics.ts"
import { isSharedStore, type StoreOptions } from "../store/chooseStore.ts"
import { OpenLedger } from "../store/OpenLedger.ts"
import { makeAllowedSources } from "./allowedSources.ts"
import { figuresOf } from "./LivePipe.ts"
import { pipeMetrics } from "./pipeMetrics.ts"
import { anyService, readWarehouses } from "./readWarehouses.ts"
import { runPipes } from "./runPipes.ts"
import type { MoverOptions } from "./moverFlags.ts"
import { readSourceOf } from "./SourceKind.ts"
import { sourceKinds } from "./sourceKinds.ts"
import { openWarehouses } from "./Warehouses.ts"

/** The flags that a mover reads. */
export interface ServerMoverOptions extends MoverOptions, StoreOptions {
  readonly memory: boolean
  readonly dialect: "neutral" | "clickhouse"
}

/**
 * Moves the pipes of the store that are bound to a warehouse, and binds new ones. It is provided to the adapters of pipes,
 * which ask it.
 */
export const layer = (options: ServerMoverOptions) =>
  Layer.effect(
    PipeMover,
    Effect.gen(function* () {
      const moved = yield* MovedPipes
      const warehouses = yield* readWarehouses(options)
      const engines = yield* openWarehouses(warehouses, options.insecureWarehouse)
      const allowed = makeAllowedSources(options.allowSource)
      const ledger = yield* yield* OpenLedger
      const { giveUp } = options
      const errorTable = options.dialect === "clickhouse" ? "clickhouse" : "neutral"
      const isShared = yield* isSharedStore(options)
      const running = yield* runPipes(moved, { ledger, engines, allowed, giveUp, isShared, errorTable })
      const metrics = yield* Metrics
      metrics.add(pipeMetrics(running))

      const issuesOf = Effect.fnUntraced(function* (address: ServiceAddress, request: PipeCreate) {
        const kind = PipeSource.kind(request.source)
        const found = kind === "none" || kind === "several" ? undefined : sourceKinds[kind]
        if (found === undefined) {
          const served = Object.keys(sourceKinds).join(", ")
          return [
            {
              path: `source.${kind}`,
              message: `this server moves rows from ${served} alone: see --simulate-unsupported`
            }
          ]
        }
        // A process that cannot load it says so when the pipe fails, which a start of another Node mends.
        if (found.missing?.() !== undefined) return []
        const loaded = yield* Effect.promise(found.load)
        return yield* loaded.check(readSourceOf(request), allowed).pipe(
          Effect.as([]),
          Effect.catch(({ message, path }) => Effect.succeed([{ path, message }]))
        )
      })

      return PipeMover.of({
        ...PipeMover.defaultValue(),
        warehouses: new Set(warehouses.keys()),
        warehouseOf: Effect.fnUntraced(function* (address, request) {
          const name = warehouses.has(address.serviceId) ? address.serviceId : anyService
          const message = "this server has no warehouse for the service: name it, or *, in the file of --warehouses"
          const issues = warehouses.has(name) ? yield* issuesOf(address, request) : [{ path: "destination", message }]
          if (issues.length === 0) return name
          return options.simulateUnsupported ? undefined : yield* invalidRequest(issues)
        }),
        figures: (pipeId) => {
          const live = running.get(pipeId)
          return live === undefined ? Effect.succeed({}) : figuresOf(live)
        }
      })
    })
  )
