import { type PipeCreate, type PipeId, PipeSource, type ServiceAddress } from "@headgate/core"
import { invalidRequest, MovedPipes, PipeFigures, PipeMover } from "@headgate/core/adapter"
import type { Leases } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Metrics } from "../observability/Metrics.ts"
import type { StoreOptions } from "../store/chooseStore.ts"
import { OpenLedger } from "../store/OpenLedger.ts"
import { makeAllowedSources } from "./allowedSources.ts"
import { figuresOf, type LivePipe } from "./LivePipe.ts"
import { pipeMetrics } from "./pipeMetrics.ts"
import { anyService, readWarehouses } from "./readWarehouses.ts"
import { runPipes } from "./runPipes.ts"
import type { MoverOptions } from "./moverFlags.ts"
import { readSourceOf } from "./SourceKind.ts"
import { sourceKinds } from "./sourceKinds.ts"
import { openWarehouses } from "./Warehouses.ts"

const decodeFigures = Schema.decodeOption(Schema.fromJsonString(PipeFigures))

/** The flags that a mover reads. */
export interface ServerMoverOptions extends MoverOptions, StoreOptions {
  readonly memory: boolean
  readonly dialect: "neutral" | "clickhouse"
}

/** The figures of a pipe as the server that moves it noted them. */
const notedFigures = (leases: Leases["Service"], pipeId: PipeId): Effect.Effect<PipeFigures> =>
  leases.note(pipeId).pipe(
    Effect.map(Option.flatMap(({ note }) => decodeFigures(note))),
    Effect.map(Option.getOrElse(() => ({}))),
    Effect.catch(() => Effect.succeed({}))
  )

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
      const { ledger, leases } = yield* yield* OpenLedger
      const { giveUp } = options
      const errorTable = options.dialect === "clickhouse" ? "clickhouse" : "neutral"
      const running =
        options.role === "api"
          ? new Map<PipeId, LivePipe>()
          : yield* runPipes(moved, { ledger, engines, allowed, giveUp, errorTable }, leases)
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
          if (live !== undefined) return figuresOf(live)
          return leases === undefined ? Effect.succeed({}) : notedFigures(leases, pipeId)
        }
      })
    })
  )
