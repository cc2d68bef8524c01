import { type InvalidRequest, type PipeId, PipeSource, type ServiceAddress } from "@headgate/core"
import { type PipeRecord, type PipeMetrics, PipeMover } from "@headgate/core/adapter"
import { noPipe, type SourceReader } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { metricsOf, readStoredMetrics } from "../pipe/metrics.ts"
import type { LivePipe } from "../pipe/LivePipe.ts"
import { anyService, type MoverContext, type MoverStore, orServerError, refuse } from "../pipe/MoverContext.ts"
import { loadConnector, loadTables } from "../source/Connectors.ts"
import { type RequestedPipe, requestedSource, storedSource } from "../source/sourceConfig.ts"
import { makeReadRejected } from "./rejectedRows.ts"
import type { WarehouseEngine } from "../warehouse/WarehouseEngine.ts"
import { checkExternalResources } from "./checkExternalResources.ts"
import { checkNewTables, checkTable, checkTables } from "./checkTables.ts"
import { discoverFields } from "./discoverFields.ts"
import { checkReading, checkSource, configure, type Probes, probesAtOnce } from "./Probes.ts"

/** How many sources are sampled at the same time. */
const discoveriesAtOnce = 4

/** How long the status of a pipe waits for its source. */
const longestStatus = "2 seconds"

/** What a new pipe is moved with. */
interface Served {
  readonly warehouse: string
  readonly engine: WarehouseEngine
  /** The reader of its source, or why this process cannot load it. */
  readonly reader: SourceReader | { readonly _tag: "Missing"; readonly message: string }
}

/** What a new pipe is moved with. Fails with the field that asks for what is not served. */
const findServed = Effect.fnUntraced(function* (
  { allowed, connectors, engines }: MoverContext,
  address: ServiceAddress,
  request: RequestedPipe,
  pipeId?: PipeId
) {
  const warehouse = engines.has(address.serviceId) ? address.serviceId : anyService
  const engine = engines.get(warehouse)
  if (engine === undefined) {
    return yield* refuse(
      "destination",
      "this server has no warehouse for the service: name it, or *, in the file of --warehouses"
    )
  }
  const kind = PipeSource.kind(request.source)
  const found = connectors[kind]
  if (found === undefined) {
    const served = Object.keys(connectors).join(", ")
    return yield* refuse(`source.${kind}`, `this server moves rows from ${served} alone: see --simulate-unsupported`)
  }
  const message = found.missing?.()
  if (message !== undefined) {
    const served: Served = { warehouse, engine, reader: { _tag: "Missing", message } }
    return served
  }
  const connector = yield* Effect.promise(found.load)
  const reader = yield* configure(connector, requestedSource(request, allowed, pipeId))
  const served: Served = { warehouse, engine, reader }
  return served
})

/** What is stored of pipes; nothing if the store does not answer. */
const savedMetricsOf = (
  store: MoverStore,
  pipeIds: ReadonlyArray<PipeId>
): Effect.Effect<ReadonlyMap<PipeId, PipeMetrics>> =>
  Effect.orElseSucceed(readStoredMetrics(store, pipeIds), () => new Map())

/** What the source keeps of its log for a pipe, whether the pipe moves or not; `null` if it does not answer. */
const retainedLogOf = Effect.fnUntraced(function* (
  { allowed, connectors }: MoverContext,
  probes: Probes,
  record: PipeRecord
) {
  const connector = yield* loadTables(connectors, record.pipe.source)
  if (connector === undefined) return undefined
  return yield* connector.configure(storedSource(record, allowed)).pipe(
    Effect.flatMap(({ retainedLog }) => retainedLog ?? Effect.succeed(undefined)),
    probes.withPermit,
    Effect.timeout(longestStatus),
    Effect.catch(() => Effect.succeed(null))
  )
})

/**
 * What the adapters of pipes ask of a process that moves them: whether a new pipe or a change can be moved, the fields of a source, and
 * how a pipe goes on. `running`: the pipes that this process moves.
 */
export const makePipeMover = Effect.fnUntraced(function* (
  context: MoverContext,
  running: ReadonlyMap<PipeId, LivePipe>,
  { simulateUnsupported }: { readonly simulateUnsupported: boolean }
) {
  const { allowed, connectors, engines, store } = context
  const [discoveries, probes] = [yield* Semaphore.make(discoveriesAtOnce), yield* Semaphore.make(probesAtOnce)]
  /** What a new pipe is moved with; `undefined` if it is simulated. */
  const serve = (
    address: ServiceAddress,
    request: RequestedPipe,
    pipeId?: PipeId
  ): Effect.Effect<Served | undefined, InvalidRequest> => {
    const served = findServed(context, address, request, pipeId)
    return simulateUnsupported ? Effect.orElseSucceed(served, () => undefined) : served
  }

  return PipeMover.of({
    warehouses: new Set(engines.keys()),
    // A process that cannot load the connector says so when the pipe fails: it may need another version of Node.
    checkDestination: Effect.fnUntraced(function* (address, request, pipeId = noPipe) {
      const served = yield* serve(address, request, pipeId)
      if (served === undefined) return undefined
      const { engine, reader, warehouse } = served
      const { destination, source } = request
      const user = { organizationId: address.organizationId, warehouse, pipe: { destination, source } }
      yield* checkTables(context, probes, engine, user)
      if (reader._tag !== "Missing") {
        const kind = PipeSource.kind(source)
        if (reader._tag === "Ranges") yield* checkTable(probes, engine, destination)
        yield* checkSource(probes, reader, kind)
        yield* checkReading(engine, reader, kind)
      }
      return warehouse
    }),
    check: Effect.fnUntraced(function* (record, before) {
      const { pipe, warehouse = anyService } = record
      const kind = PipeSource.kind(pipe.source)
      const connector = yield* Effect.orElseSucceed(loadConnector(connectors, pipe.source), () => undefined)
      if (connector === undefined) return
      const reader = yield* configure(connector, storedSource(record, allowed))
      const engine = engines.get(warehouse)
      if (engine !== undefined) yield* checkNewTables(context, probes, engine, warehouse, pipe, before.pipe)
      yield* checkSource(probes, reader, kind)
      if (engine !== undefined) yield* checkReading(engine, reader, kind)
      if (connector._tag === "Tables") yield* checkExternalResources(context, probes, connector, record, before)
    }),
    rejectedRows: yield* makeReadRejected(context),
    discover: Effect.fnUntraced(function* (address, request) {
      const served = yield* serve(address, request)
      if (served === undefined) return undefined
      const { engine, reader } = served
      if (reader._tag === "Missing") return yield* refuse("source", reader.message)
      // The tables of a database have fields already, and the request has a stream or files.
      if (reader._tag === "Tables") return undefined
      return yield* discoveries
        .withPermit(discoverFields(engine, reader, PipeSource.kind(request.source)))
        .pipe(Effect.catchTag("SourceRefused", ({ message, path }) => refuse(path, message)))
    }),
    savedMetrics: (pipeIds) => savedMetricsOf(store, pipeIds),
    history: (pipeId, from, to) =>
      store.history === undefined ? Effect.succeed([]) : orServerError(store.history.read(pipeId, from, to)),
    metrics: Effect.fnUntraced(function* (record) {
      const { id } = record.pipe
      const live = running.get(id)
      const known =
        live === undefined ? Effect.map(savedMetricsOf(store, [id]), (saved) => saved.get(id) ?? {}) : metricsOf(live)
      const [metrics, retained] = yield* Effect.all([known, retainedLogOf(context, probes, record)], {
        concurrency: 2
      })
      if (retained === undefined) return metrics
      const warnings = [...(metrics.warnings ?? []), ...(retained?.warning === undefined ? [] : [retained.warning])]
      const found: PipeMetrics = { ...metrics, retainedLogBytes: retained?.bytes ?? null, warnings }
      return found
    })
  })
})
