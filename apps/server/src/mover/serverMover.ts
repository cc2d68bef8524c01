import { type InvalidRequest, type PipeId, PipeSource, type ServiceAddress } from "@headgate/core"
import { invalidRequest, MovedPipes, PipeFigures, PipeMover } from "@headgate/core/adapter"
import type { Leases } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import { Metrics } from "../observability/Metrics.ts"
import type { StoreOptions } from "../store/chooseStore.ts"
import { OpenLedger } from "../store/OpenLedger.ts"
import { makeAllowedSources } from "./allowedSources.ts"
import { cleanUpDeleted } from "./cleanUpDeleted.ts"
import { discoverFields } from "./discoverFields.ts"
import { figuresOf, type LivePipe } from "./LivePipe.ts"
import { pipeMetrics } from "./pipeMetrics.ts"
import { anyService, readWarehouses } from "./readWarehouses.ts"
import { runPipes } from "./runPipes.ts"
import type { MoverOptions } from "./moverFlags.ts"
import { readSourceOf } from "./SourceKind.ts"
import { sourceKinds } from "./sourceKinds.ts"
import { openWarehouses } from "./Warehouses.ts"

/** What is moved, or is to be moved. */
type Requested = Parameters<typeof readSourceOf>[0]

/** How many sources are sampled at the same time. */
const discoveriesAtOnce = 4

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
      if (options.role !== "api") metrics.add(yield* cleanUpDeleted(moved, engines, allowed))
      const discoveries = yield* Semaphore.make(discoveriesAtOnce)

      const refuse = (path: string, message: string) => Effect.fail(invalidRequest([{ path, message }]))

      /** The warehouse of a service and the kind of a source that is moved to it; `undefined` if this process cannot load it. */
      const servedBy = Effect.fnUntraced(function* (address: ServiceAddress, request: Requested) {
        const warehouse = warehouses.has(address.serviceId) ? address.serviceId : anyService
        const engine = engines.get(warehouse)
        if (engine === undefined) {
          return yield* refuse(
            "destination",
            "this server has no warehouse for the service: name it, or *, in the file of --warehouses"
          )
        }
        const kind = PipeSource.kind(request.source)
        const found = sourceKinds[kind]
        if (found === undefined) {
          const served = Object.keys(sourceKinds).join(", ")
          return yield* refuse(
            `source.${kind}`,
            `this server moves rows from ${served} alone: see --simulate-unsupported`
          )
        }
        const missing = found.missing?.()
        if (missing !== undefined) return { warehouse, engine, missing }
        const loaded = yield* Effect.promise(found.load)
        const read = readSourceOf(request)
        yield* Effect.catch(loaded.check(read, allowed), ({ message, path }) => refuse(path, message))
        return { warehouse, engine, kind: loaded, read }
      })
      const orSimulated = <A, E>(served: Effect.Effect<A, E | InvalidRequest>) =>
        options.simulateUnsupported ? Effect.orElseSucceed(served, () => undefined) : served

      return PipeMover.of({
        warehouses: new Set(warehouses.keys()),
        // A process that cannot load the kind says so when the pipe fails, which a start of another Node mends.
        warehouseOf: (address, request) =>
          Effect.map(orSimulated(servedBy(address, request)), (served) => served?.warehouse),
        discover: Effect.fnUntraced(function* (address, request) {
          const served = yield* orSimulated(servedBy(address, request))
          if (served === undefined) return undefined
          const { engine, kind, missing, read } = served
          if (kind === undefined) return yield* refuse("source", missing)
          // The tables of a database have fields already, and the request has a stream or files.
          if (!("layer" in kind)) return undefined
          return yield* discoveries
            .withPermit(discoverFields(engine, kind, read, allowed))
            .pipe(Effect.catchTag("SourceRefused", ({ message, path }) => refuse(path, message)))
        }),
        figures: (pipeId) => {
          const live = running.get(pipeId)
          if (live !== undefined) return figuresOf(live)
          return leases === undefined ? Effect.succeed({}) : notedFigures(leases, pipeId)
        }
      })
    })
  )
