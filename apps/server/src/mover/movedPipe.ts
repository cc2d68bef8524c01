import { PipeSource, type PipeState } from "@headgate/core"
import { type MovedPipe, type MovedPipes, type MovingPipe, noWarehouse } from "@headgate/core/adapter"
import {
  type AllowedSources,
  copyPipe,
  initialStatus,
  Ledger,
  movePipe,
  type MoveOptions,
  type MoverEnd,
  type MoverStatus,
  restartCopy,
  Source,
  WarehouseError,
  WarehouseRefused
} from "@headgate/mover"
import { type CheckOwner, ClickHouse, ClickHouseVersionedTables, ClickHouseWarehouse } from "@headgate/mover-clickhouse"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { loadConnector } from "./connectors.ts"
import { storedSource } from "./sourceConfig.ts"
import { foreignTable, notOwn } from "./tableOwners.ts"

/** What every pipe of a server is moved with. */
export interface MovedWith {
  readonly ledger: Ledger["Service"]
  readonly engines: ReadonlyMap<string, ClickHouse["Service"]>
  readonly allowed: AllowedSources
  readonly giveUp: Duration.Duration
  /** What the error tables are called. */
  readonly errorTable: "neutral" | "clickhouse"
}

/** The most that one range holds, and how many there are at once: at most 64 MiB of rows are in memory for each pipe. */
const rangeLimits = { rows: 100_000, bytes: 16 * 1024 * 1024 }
const inFlight = 4
const defaultWait = 5000

/** The states into which a command puts a pipe that is to move. */
const commands: ReadonlySet<PipeState> = new Set(["Provisioning", "Setup", "Resync", "Modifying"])

/** The errors after which a command is tried again. */
const retried: ReadonlySet<string> = new Set(["LedgerError", "LedgerChanged", "SourceError"])

/** The end of a mover. `Broken` is a defect, which is logged. */
export type PipeEnd = MoverEnd | { readonly _tag: "Broken"; readonly message: string }

/**
 * Moves a pipe until its end. `decided` forgets what a caller has decided of it, and `opened` is called with its source. The
 * pipe is Failed where its source, its destination or this process does not allow to move it.
 */
export const movedPipe = (
  { address, state, warehouse }: MovedPipe,
  moving: MovingPipe,
  { allowed, engines, errorTable, giveUp, ledger, moved }: MovedWith & { readonly moved: MovedPipes["Service"] },
  report: (status: MoverStatus) => Effect.Effect<void>,
  decided: NonNullable<MoveOptions["decided"]>,
  opened: (source: Source["Service"]) => void
): Effect.Effect<PipeEnd> =>
  Effect.gen(function* () {
    const { pipe, progress } = moving
    const engine = engines.get(warehouse)
    if (engine === undefined) return yield* Effect.fail({ message: noWarehouse(warehouse) })
    const connector = yield* loadConnector(PipeSource.kind(pipe.source))
    /** Tries again while the source or the store is away, as the mover does once it moves. */
    const insist = <A, E extends { readonly _tag: string; readonly message: string }, R>(
      effect: Effect.Effect<A, E, R>
    ) =>
      effect.pipe(
        Effect.tapError(({ message }) => report({ ...initialStatus, state: "Degraded", message })),
        Effect.retry({
          while: ({ _tag }) => retried.has(_tag),
          schedule: Schedule.upTo(Schedule.spaced("2 seconds"), { duration: giveUp })
        })
      )
    if (commands.has(state)) {
      // A command of a caller: the time that earlier movers tried in vain does not count any more.
      yield* insist(Effect.flatMap(ledger.take(address.pipeId), (owner) => ledger.markFailing(owner, Duration.zero)))
    }
    const { destination } = pipe
    const user = { organizationId: address.organizationId, warehouse, defaultDatabase: engine.database, pipe }
    const checkOwner: CheckOwner = Effect.fnUntraced(function* (tables) {
      const foreign = yield* Effect.mapError(
        foreignTable(moved, user, errorTable, tables),
        ({ message }) => new WarehouseError({ message })
      )
      if (foreign !== undefined) return yield* new WarehouseRefused({ message: notOwn(foreign) })
    })
    const inEngine = Layer.provide(Layer.succeed(ClickHouse, engine))
    const { decision } = progress ?? {}
    const options = { pipeId: address.pipeId, giveUp, report, ...(decision === undefined ? {} : { decision, decided }) }

    const reader = yield* connector.configure(storedSource(moving, allowed))
    if (reader._tag === "Tables") {
      const target = typeof destination?.database === "string" ? { database: destination.database } : {}
      const context = yield* Layer.build(
        Layer.merge(reader.layer, ClickHouseVersionedTables.layer({ ...target, errorTable, checkOwner }).pipe(inEngine))
      )
      const copied = Effect.andThen(
        state === "Resync" ? insist(restartCopy(address.pipeId)) : Effect.void,
        copyPipe({
          ...options,
          ...reader.copyLimits({ inFlight, limits: { ...rangeLimits, wait: Duration.millis(defaultWait) } })
        })
      )
      return yield* copied.pipe(Effect.provide(context), Effect.provideService(Ledger, ledger))
    }
    const table = ClickHouseWarehouse.layer({
      objects: reader.objects ?? "stage",
      destination: destination ?? {},
      fieldMappings: pipe.fieldMappings ?? [],
      errorTable,
      checkOwner
    })
    const context = yield* Layer.build(Layer.merge(reader.layer, table.pipe(inEngine)))
    opened(Context.get(context, Source))
    return yield* movePipe({
      ...options,
      inFlight,
      limits: { ...rangeLimits, wait: Duration.millis(pipe.settings?.streaming_max_insert_wait_ms ?? defaultWait) },
      partsPerInsert: 1,
      pipesOnTable: 1
    }).pipe(Effect.provide(context), Effect.provideService(Ledger, ledger))
  }).pipe(
    Effect.scoped,
    Effect.catch(({ message }) => Effect.succeed({ _tag: "Failed" as const, message })),
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.failCause(cause)
        : Effect.logError(`the mover of pipe ${address.pipeId} ended with a defect`, cause).pipe(
            Effect.as({ _tag: "Broken" as const, message: "the mover failed: the log of the server says why" })
          )
    )
  )
