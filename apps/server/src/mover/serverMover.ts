import {
  Conflict,
  type InvalidRequest,
  type PipeId,
  PipeSource,
  ServerError,
  type ServiceAddress
} from "@headgate/core"
import { invalidRequest, MovedPipes, type MovingPipe, type PipeFigures, PipeMover } from "@headgate/core/adapter"
import {
  ChangeSource,
  type Connector,
  noPipe,
  type SourceConfig,
  type SourceRefused,
  type SourceReader,
  type TablesConnector
} from "@headgate/mover"
import { checkDestination, checkObjectReading, type ClickHouse, findTables } from "@headgate/mover-clickhouse"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import { Metrics } from "../observability/Metrics.ts"
import type { StoreOptions } from "../store/chooseStore.ts"
import { type OpenedLedger, OpenLedger } from "../store/OpenLedger.ts"
import { makeAllowedSources } from "./allowedSources.ts"
import { cleanUpDeleted } from "./cleanUpDeleted.ts"
import { discoverFields } from "./discoverFields.ts"
import { figuresOf, type LivePipe, readNote } from "./LivePipe.ts"
import { pipeMetrics } from "./pipeMetrics.ts"
import { runPipes } from "./runPipes.ts"
import type { MoverOptions } from "./moverFlags.ts"
import { connectors, loadConnector, loadTables } from "./connectors.ts"
import { requestedSource, resourcesText, storedSource } from "./sourceConfig.ts"
import { foreignTable, notOwn, tablesOf, type TableUser } from "./tableOwners.ts"
import { addWaitingMetric, reportWaiting } from "./waitingPipes.ts"
import { anyService, openWarehouses, readWarehouses } from "./Warehouses.ts"

/** What is moved, or is to be moved. */
type Requested = Parameters<typeof requestedSource>[0]

/** How many sources are sampled at the same time. */
const discoveriesAtOnce = 4

/** How many sources are asked at the same time whether a pipe can be moved, and how long. */
const probesAtOnce = 8
const longestProbe = "5 seconds"

/** How long the status of a pipe waits for its source. */
const longestStatus = "2 seconds"

/** The flags that a mover reads. */
export interface ServerMoverOptions extends MoverOptions, StoreOptions {
  readonly memory: boolean
  readonly dialect: "neutral" | "clickhouse"
}

/**
 * The figures of a pipe as the server that moves it, or last moved it, has kept them. Rows and rejected rows are those of the
 * ledger, which counts each range when it is done.
 */
const keptFigures = ({ ledger, notes }: OpenedLedger, pipeId: PipeId): Effect.Effect<PipeFigures> =>
  Effect.gen(function* () {
    const kept = Option.map(yield* notes.note(pipeId), readNote)
    const { current, delivered } = yield* ledger.state(pipeId)
    const counted = current === undefined ? {} : { rows: delivered.rows, errors: delivered.rejected }
    return { ...Option.getOrElse(kept, () => ({})), ...counted }
  }).pipe(Effect.orElseSucceed(() => ({})))

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
      const allowed = makeAllowedSources(options.allowSource, options.trustStorage)
      const openedLedger = yield* yield* OpenLedger
      const { ledger, leases, notes } = openedLedger
      const { giveUp } = options
      const errorTable = options.dialect === "clickhouse" ? "clickhouse" : "neutral"
      const running =
        options.role === "api"
          ? new Map<PipeId, LivePipe>()
          : yield* runPipes(moved, { ledger, engines, allowed, giveUp, errorTable }, notes, leases)
      const metrics = yield* Metrics
      metrics.add(pipeMetrics(running))
      const served = new Set(engines.keys())
      yield* reportWaiting(served)
      yield* addWaitingMetric(served)
      if (options.role !== "api") metrics.add(yield* cleanUpDeleted(moved, engines, allowed))
      const discoveries = yield* Semaphore.make(discoveriesAtOnce)

      const refuse = (path: string, message: string) => Effect.fail(invalidRequest([{ path, message }]))
      const configure = (connector: Connector, config: SourceConfig) => {
        const configured: Effect.Effect<SourceReader, SourceRefused> = connector.configure(config)
        return Effect.catch(configured, ({ message, path }) => refuse(path, message))
      }

      /** The warehouse of a service and the kind of a source that is moved to it; `undefined` if this process cannot load it. */
      const servedBy = Effect.fnUntraced(function* (address: ServiceAddress, request: Requested, pipeId?: PipeId) {
        const warehouse = warehouses.has(address.serviceId) ? address.serviceId : anyService
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
          return yield* refuse(
            `source.${kind}`,
            `this server moves rows from ${served} alone: see --simulate-unsupported`
          )
        }
        const missing = found.missing?.()
        if (missing !== undefined) return { warehouse, engine, missing }
        const connector = yield* Effect.promise(found.load)
        const reader = yield* configure(connector, requestedSource(request, allowed, pipeId))
        return { warehouse, engine, reader }
      })
      const orSimulated = <A, E>(served: Effect.Effect<A, E | InvalidRequest>) =>
        options.simulateUnsupported ? Effect.orElseSucceed(served, () => undefined) : served

      const probes = yield* Semaphore.make(probesAtOnce)
      /** Fails if the source of a pipe answers that it cannot be moved. One that does not answer is asked by the mover again. */
      const probe = Effect.fnUntraced(function* (reader: SourceReader, kind: string) {
        const found = yield* reader.probe.pipe(
          Effect.catchTag("SourceError", ({ field, message }) =>
            Effect.succeed(field === undefined ? [] : [{ path: `source.${kind}.${field}`, message }])
          ),
          probes.withPermit,
          Effect.timeoutOrElse({ duration: longestProbe, orElse: () => Effect.succeed([]) })
        )
        if (found.length > 0) return yield* invalidRequest(found.map(({ message, path }) => ({ path, message })))
      })

      /**
       * Fails if one of these tables, which a pipe has not named before, is another organization's. A warehouse that does not answer
       * is asked when the pipe is opened.
       */
      const checkTables = Effect.fnUntraced(function* (
        engine: ClickHouse["Service"],
        user: Omit<TableUser, "defaultDatabase">,
        names: ReadonlyArray<string>
      ) {
        const { destination } = user.pipe
        const found = yield* findTables(engine, names, destination?.database ?? engine.database).pipe(
          Effect.timeout(longestProbe),
          Effect.orElseSucceed(() => names.map((name) => ({ name, creator: undefined }))),
          probes.withPermit
        )
        const foreign = yield* Effect.mapError(
          foreignTable(moved, { ...user, defaultDatabase: engine.database }, errorTable, found),
          ({ message }) => new ServerError({ message })
        )
        if (foreign !== undefined) return yield* new Conflict({ message: notOwn(foreign) })
      })

      /** The same for an update. A pipe names a new table after all pipes that name it already, however old it is. */
      const checkNewTables = Effect.fnUntraced(function* (
        engine: ClickHouse["Service"],
        warehouse: string,
        changed: MovingPipe["pipe"],
        before: MovingPipe["pipe"]
      ) {
        const named = new Set(yield* tablesOf(before, errorTable))
        const names = (yield* tablesOf(changed, errorTable)).filter((name) => !named.has(name))
        if (names.length === 0) return
        const organizations = yield* Effect.mapError(
          moved.organizationsOf([changed.id]),
          ({ message }) => new ServerError({ message })
        )
        const organizationId = organizations.get(changed.id)
        // It was deleted meanwhile.
        if (organizationId === undefined) return
        const { destination, source } = changed
        yield* checkTables(engine, { organizationId, warehouse, pipe: { destination, source } }, names)
      })

      /** Fails if the engine may not read the objects of a pipe. One that does not answer is asked by the mover again. */
      const checkReading = Effect.fnUntraced(function* (
        engine: ClickHouse["Service"],
        reader: SourceReader,
        kind: string
      ) {
        if (reader._tag !== "Ranges" || reader.sample._tag !== "Object") return
        const { any, locationField } = reader.sample
        yield* any.pipe(
          Effect.flatMap((object) => checkObjectReading(engine, object)),
          Effect.timeoutOrElse({ duration: longestProbe, orElse: () => Effect.void }),
          Effect.catchTags({
            SourceError: () => Effect.void,
            WarehouseError: () => Effect.void,
            WarehouseRefused: ({ message }) => refuse("destination", message),
            ObjectRejected: ({ reason }) => refuse(`source.${kind}.${locationField}`, reason)
          })
        )
      })

      /** Fails if the destination cannot be opened, as far as the warehouse tells within some seconds. */
      const checkTable = Effect.fnUntraced(function* (
        engine: ClickHouse["Service"],
        destination: Requested["destination"]
      ) {
        const found = yield* checkDestination(engine, destination ?? {}).pipe(
          Effect.as(undefined),
          Effect.timeout(longestProbe),
          Effect.catchTags({
            WarehouseRefused: ({ message }) => Effect.succeed(/^(destination[^ :]*): (.*)$/s.exec(message)),
            WarehouseError: () => Effect.succeed(undefined),
            TimeoutError: () => Effect.succeed(undefined)
          }),
          probes.withPermit
        )
        // Without a field it is about the warehouse, such as a grant.
        const [, path, message] = found ?? []
        if (path !== undefined && message !== undefined) return yield* refuse(path, message)
      })

      /** What a source says that it is; `undefined` if it answers something else, and "silent" if it does not answer. */
      const identityOf = (connector: TablesConnector, moving: MovingPipe) =>
        connector.configure(storedSource(moving, allowed)).pipe(
          Effect.flatMap(({ layer }) =>
            Effect.provide(
              ChangeSource.use(({ identity }) => identity),
              layer
            )
          ),
          Effect.map((identity) => ({ identity })),
          Effect.catchTag("SourceError", ({ answered, field }) =>
            Effect.succeed(field === undefined && answered === undefined ? "silent" : undefined)
          ),
          Effect.catchTag("SourceRefused", () => Effect.succeed("silent" as const)),
          // The wait for a permit is not the source's.
          Effect.timeoutOrElse({ duration: longestProbe, orElse: () => Effect.succeed("silent" as const) }),
          probes.withPermit
        )

      /**
       * Fails if a pipe would leave what it has made in its source: nobody would remove a slot, which keeps the log for ever. A source
       * that was promoted or restored is the same one, and what an old source has that does not answer cannot be looked at.
       */
      const checkLeft = Effect.fnUntraced(function* (
        connector: TablesConnector,
        moving: MovingPipe,
        before: MovingPipe
      ) {
        const [made, next] = [before, moving].map(({ pipe }) => connector.externalResources(pipe.id, pipe.source ?? {}))
        const isSame = made?.names.every((name) => next?.names.includes(name))
        if (made === undefined || (isSame && made.place === next?.place)) return
        const { current } = yield* Effect.mapError(
          ledger.state(moving.pipe.id),
          ({ message }) => new ServerError({ message })
        )
        // It has made nothing yet.
        if (current === undefined) return
        const [found, old] = yield* Effect.all([identityOf(connector, moving), identityOf(connector, before)], {
          concurrency: 2
        })
        const isAnswer = typeof found === "object"
        if (isSame && isAnswer && current.source === found.identity) return
        if ((isSame && isAnswer && connector.isSameServer(current.source, found.identity)) || old === "silent") {
          return yield* Effect.logWarning(
            `pipe ${moving.pipe.id}: its source is changed, and the old one cannot be cleaned up: drop ${resourcesText(made)} there by hand`
          )
        }
        return yield* refuse(
          `source.${PipeSource.kind(moving.pipe.source)}`,
          isSame && !isAnswer
            ? `it does not say which server it is, and if it is another one, the pipe would leave ${resourcesText(made)}: try again when it does`
            : `it is another source, and the pipe would leave ${resourcesText(made)}: create another pipe for it, and delete this one, which removes them`
        )
      })

      const moverFigures = (pipeId: PipeId): Effect.Effect<PipeFigures> => {
        const live = running.get(pipeId)
        return live === undefined ? keptFigures(openedLedger, pipeId) : figuresOf(live)
      }

      /** What the source keeps of its log for a pipe, whether the pipe moves or not; `null` if it does not answer. */
      const retainedLog = Effect.fnUntraced(function* (moving: MovingPipe) {
        const connector = yield* loadTables(PipeSource.kind(moving.pipe.source))
        if (connector === undefined) return undefined
        return yield* connector.configure(storedSource(moving, allowed)).pipe(
          Effect.flatMap(({ retainedLog }) => retainedLog ?? Effect.succeed(undefined)),
          probes.withPermit,
          Effect.timeout(longestStatus),
          Effect.catch(() => Effect.succeed(null))
        )
      })

      return PipeMover.of({
        warehouses: new Set(warehouses.keys()),
        // A process that cannot load the kind says so when the pipe fails, which a start of another Node mends.
        warehouseOf: Effect.fnUntraced(function* (address, request, pipeId = noPipe) {
          const kind = PipeSource.kind(request.source)
          const served = yield* orSimulated(servedBy(address, request, pipeId))
          if (served !== undefined) {
            const { destination, source } = request
            const { engine, warehouse } = served
            const pipe = { destination, source }
            const user = { organizationId: address.organizationId, warehouse, pipe }
            yield* checkTables(engine, user, yield* tablesOf(pipe, errorTable))
          }
          if (served?.reader !== undefined) {
            if (served.reader._tag === "Ranges") yield* checkTable(served.engine, request.destination)
            yield* probe(served.reader, kind)
            yield* checkReading(served.engine, served.reader, kind)
          }
          return served?.warehouse
        }),
        check: Effect.fnUntraced(function* (moving, before) {
          const kind = PipeSource.kind(moving.pipe.source)
          const connector = yield* Effect.orElseSucceed(loadConnector(kind), () => undefined)
          if (connector === undefined) return
          const reader = yield* configure(connector, storedSource(moving, allowed))
          const { pipe, warehouse = anyService } = moving
          const engine = engines.get(warehouse)
          if (engine !== undefined) yield* checkNewTables(engine, warehouse, pipe, before.pipe)
          yield* probe(reader, kind)
          if (engine !== undefined) yield* checkReading(engine, reader, kind)
          if (connector._tag === "Tables") yield* checkLeft(connector, moving, before)
        }),
        discover: Effect.fnUntraced(function* (address, request) {
          const served = yield* orSimulated(servedBy(address, request))
          if (served === undefined) return undefined
          const { engine, missing, reader } = served
          if (reader === undefined) return yield* refuse("source", missing)
          // The tables of a database have fields already, and the request has a stream or files.
          if (reader._tag === "Tables") return undefined
          return yield* discoveries
            .withPermit(discoverFields(engine, reader, PipeSource.kind(request.source)))
            .pipe(Effect.catchTag("SourceRefused", ({ message, path }) => refuse(path, message)))
        }),
        figures: Effect.fnUntraced(function* (moving) {
          const [figures, retained] = yield* Effect.all([moverFigures(moving.pipe.id), retainedLog(moving)], {
            concurrency: 2
          })
          if (retained === undefined) return figures
          const warnings = [...(figures.warnings ?? []), ...(retained?.warning === undefined ? [] : [retained.warning])]
          const found: PipeFigures = { ...figures, retainedLogBytes: retained?.bytes ?? null, warnings }
          return found
        })
      })
    })
  )
