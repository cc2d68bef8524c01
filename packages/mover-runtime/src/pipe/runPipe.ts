import type { PipeState } from "@headgate/core"
import { type PipeAssignment, type PipeRecord, noWarehouse } from "@headgate/core/adapter"
import {
  copyPipe,
  Ledger,
  type MoveOptions,
  movePipe,
  MoverStatus,
  type Owner,
  type RangesReader,
  restartCopy,
  Source,
  type SourceReader,
  type SourceRefused,
  type TablesReader,
  VersionedTables,
  Warehouse,
  WarehouseError,
  WarehouseRefused
} from "@headgate/mover"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { loadConnector } from "../source/Connectors.ts"
import { storedSource } from "../source/sourceConfig.ts"
import { keepTables } from "../warehouse/keepTables.ts"
import { foreignTable, notOwn } from "../warehouse/tableOwners.ts"
import type { CheckOwner, WarehouseEngine } from "../warehouse/WarehouseEngine.ts"
import type { PipeEnd } from "./LivePipe.ts"
import type { MoverContext } from "./MoverContext.ts"
import { ownFailure } from "./ownFailure.ts"

/** The most that one range holds, and how many there are at once: at most 64 MiB of rows are in memory for each pipe. */
const rangeLimits = { rows: 100_000, bytes: 16 * 1024 * 1024 }
const inFlight = 4
const defaultWait = 5000

/** The states into which a command puts a pipe that is to move. */
const commands: ReadonlySet<PipeState> = new Set(["Provisioning", "Setup", "Resync", "Modifying"])

/** The errors after which a command is tried again. */
const retried: ReadonlySet<string> = new Set(["LedgerError", "LedgerChanged", "SourceError"])

/** What the mover of a pipe tells the loop of the pipes. */
export interface PipeObserver {
  readonly report: (status: MoverStatus) => Effect.Effect<void>
  /** Forgets what a user has decided of the pipe. */
  readonly decided: NonNullable<MoveOptions["decided"]>
  /** The pipe was taken. */
  readonly taken: (owner: Owner) => void
  /** The source is open. */
  readonly opened: (source: Source["Service"]) => void
  /** Called with what reads the source, before it is opened. */
  readonly configured: (reader: SourceReader) => void
}

/** What the two loops of the mover are run with. */
interface Prepared {
  readonly pipe: PipeAssignment
  readonly record: PipeRecord
  readonly engine: WarehouseEngine
  readonly ledger: Ledger["Service"]
  readonly checkOwner: CheckOwner
  readonly keep: ReturnType<typeof keepTables>
  readonly options: Pick<MoveOptions, "pipeId" | "retryTimeout" | "report" | "decision" | "decided">
  /** Tries again while the source or the store is away, as the mover does once it moves. */
  readonly retryWhileUnavailable: <A, E extends { readonly _tag: string; readonly message: string }, R>(
    effect: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>
}

const copyTables = Effect.fnUntraced(function* (
  { checkOwner, engine, keep, ledger, record, options, pipe, retryWhileUnavailable }: Prepared,
  reader: TablesReader
) {
  const database = record.pipe.destination?.database
  const tables = engine.versionedTables({ ...(typeof database === "string" ? { database } : {}), checkOwner })
  const context = yield* Layer.build(Layer.merge(reader.layer, tables))
  const limits = { ...rangeLimits, wait: Duration.millis(defaultWait) }
  return yield* Effect.andThen(
    pipe.state === "Resync" ? retryWhileUnavailable(restartCopy(options.pipeId)) : Effect.void,
    copyPipe({ ...options, ...reader.copyLimits({ inFlight, limits }) })
  ).pipe(
    Effect.updateService(VersionedTables, keep.versionedTables),
    Effect.provide(context),
    Effect.provideService(Ledger, ledger)
  )
})

const moveRanges = Effect.fnUntraced(function* (
  { checkOwner, engine, keep, ledger, record, options }: Prepared,
  { layer, objects = "stage" }: RangesReader,
  opened: PipeObserver["opened"]
) {
  const { destination, fieldMappings, settings } = record.pipe
  const table = engine.warehouse({
    objects,
    destination: destination ?? {},
    fieldMappings: fieldMappings ?? [],
    checkOwner
  })
  const context = yield* Layer.build(Layer.merge(layer, table))
  opened(Context.get(context, Source))
  return yield* movePipe({
    ...options,
    inFlight,
    limits: { ...rangeLimits, wait: Duration.millis(settings?.streaming_max_insert_wait_ms ?? defaultWait) },
    partsPerInsert: 1,
    pipesOnTable: 1
  }).pipe(
    Effect.updateService(Warehouse, keep.warehouse),
    Effect.provide(context),
    Effect.provideService(Ledger, ledger)
  )
})

/** A pipe is Failed where its source, its destination or this process does not allow to move it. */
const orFailed =
  (pipe: PipeAssignment) =>
  <A, E extends { readonly message: string }, R>(end: Effect.Effect<A, E, R>) =>
    end.pipe(
      Effect.catch(({ message }) => Effect.succeed({ _tag: "Failed" as const, message })),
      Effect.catchCause((cause): Effect.Effect<PipeEnd> => {
        if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
        const { pipeId } = pipe.address
        const reason = ownFailure(cause)
        if (reason === undefined) {
          return Effect.logError(`the mover of pipe ${pipeId} ended with a defect`, cause).pipe(
            Effect.as({ _tag: "Broken", message: "the mover failed: the log of the server says why" })
          )
        }
        const message = `this server cannot move the pipe at present: ${reason}`
        return Effect.as(Effect.logWarning(`pipe ${pipeId}: ${message}`), { _tag: "Unable", message, reason })
      })
    )

/** Moves a pipe until its end, which it returns. */
export const runPipe = (
  context: MoverContext,
  pipe: PipeAssignment,
  record: PipeRecord,
  { configured, decided, opened, report, taken }: PipeObserver
): Effect.Effect<PipeEnd> =>
  Effect.gen(function* () {
    const { address, state, warehouse } = pipe
    const { allowed, connectors, engines, retryTimeout, moved } = context
    const ledger: Ledger["Service"] = {
      ...context.store.ledger,
      take: (pipeId) => Effect.tap(context.store.ledger.take(pipeId), (owner) => Effect.sync(() => taken(owner)))
    }
    const engine = engines.get(warehouse)
    if (engine === undefined) return yield* Effect.fail({ message: noWarehouse(warehouse) })
    const connector = yield* loadConnector(connectors, record.pipe.source)
    const retryWhileUnavailable: Prepared["retryWhileUnavailable"] = (effect) =>
      effect.pipe(
        Effect.tapError(({ message }) => report({ ...MoverStatus.initial, state: "Degraded", message })),
        Effect.retry({
          while: ({ _tag }) => retried.has(_tag),
          schedule: Schedule.upTo(Schedule.spaced("2 seconds"), { duration: retryTimeout })
        })
      )
    if (commands.has(state)) {
      // A command of a user: the time that earlier movers tried in vain does not count any more.
      yield* retryWhileUnavailable(
        Effect.flatMap(ledger.take(address.pipeId), (owner) => ledger.markFailing(owner, Duration.zero))
      )
    }
    const user = { organizationId: address.organizationId, warehouse, pipe: record.pipe }
    const checkOwner: CheckOwner = Effect.fnUntraced(function* (tables) {
      const foreign = yield* Effect.mapError(
        foreignTable(moved, { engine, connectors }, user, tables),
        ({ message }) => new WarehouseError({ message })
      )
      if (foreign !== undefined) return yield* new WarehouseRefused({ message: notOwn(foreign) })
    })
    const decision = record.progress?.decision
    const options = {
      pipeId: address.pipeId,
      retryTimeout,
      report,
      ...(decision === undefined ? {} : { decision, decided })
    }
    const configuring: Effect.Effect<SourceReader, SourceRefused> = connector.configure(storedSource(record, allowed))
    const reader = yield* configuring
    configured(reader)
    const database = record.pipe.destination?.database ?? engine.database
    const keep = keepTables({ ...address, warehouse, database }, context.store.tables)
    const prepared: Prepared = { pipe, record, engine, ledger, checkOwner, keep, options, retryWhileUnavailable }
    return reader._tag === "Tables" ? yield* copyTables(prepared, reader) : yield* moveRanges(prepared, reader, opened)
  }).pipe(Effect.scoped, orFailed(pipe))
