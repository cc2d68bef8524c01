import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { checkVersion, IfMatch, versionOf } from "../access/Version.ts"
import {
  type CallError,
  Conflict,
  type FailedDependency,
  type InvalidRequest,
  type ServerError
} from "../error/CallError.ts"
import type { PipeAddress, PipeId } from "../id/pipe.ts"
import type { ServiceAddress } from "../id/service.ts"
import type { HistorySpan } from "./historySpans.ts"
import type { PipeRecord, TransitionTime, PipeChange } from "./lifecycle.ts"
import type { PipeCreate } from "./PipeCreate.ts"
import { PipeStatus } from "./PipeStatus.ts"
import type { RejectedRow } from "./RejectedRow.ts"
import type { DiscoveredSchema, SchemaDiscovery } from "./SchemaDiscovery.ts"

const {
  bytes,
  bytesPerSecond,
  emptyObjects,
  errors,
  guarantee,
  lag,
  listSeconds,
  mover,
  nextList,
  rejectedObjects,
  retainedLogBytes,
  rows,
  rowsPerSecond,
  skippedKeys,
  unknownFields,
  warnings
} = PipeStatus.schema.fields

/** What only the mover of a pipe knows: these members of its status. */
export const PipeMetrics = Schema.Struct({
  guarantee,
  mover,
  rows,
  bytes,
  rowsPerSecond,
  bytesPerSecond,
  lag,
  errors,
  unknownFields,
  skippedKeys,
  rejectedObjects,
  emptyObjects,
  listSeconds,
  nextList,
  retainedLogBytes,
  warnings
})
export type PipeMetrics = typeof PipeMetrics.Type

/**
 * What moves the rows of pipes, as adapters that store pipes ask it. By default there is none: pipes are simulated.
 * `headgate-server --warehouse` provides it.
 *
 * @example
 * ```ts
 * import { PipeMover } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * // Every new pipe of this program moves its rows to the warehouse "events".
 * export const bound = Layer.succeed(PipeMover, {
 *   ...PipeMover.defaultValue(),
 *   warehouses: new Set(["events"]),
 *   checkDestination: () => Effect.succeed("events")
 * })
 * ```
 */
export const PipeMover = Context.Reference<{
  /** The names of the warehouses that are served here: a pipe that is bound to another one cannot be started. */
  readonly warehouses: ReadonlySet<string>
  /**
   * The name of the warehouse to which a new pipe moves its rows; `undefined` for a simulated pipe. The request is valid. `pipeId`:
   * the pipe that is adopted, which its source may know; absent for a creation. Fails with `InvalidRequest`, which names each field
   * that asks for what is not served, and with `Conflict` if a table is another organization's.
   */
  readonly checkDestination: (
    address: ServiceAddress,
    request: PipeCreate,
    pipeId?: PipeId
  ) => Effect.Effect<string | undefined, InvalidRequest | Conflict | ServerError>
  /**
   * Fails with `InvalidRequest` if a pipe of a warehouse must not change so: it could not be moved, as far as its source tells within
   * some seconds, or its old source would keep what the pipe has made there. Fails with `Conflict` if a table that it has not named
   * before is another organization's.
   */
  readonly check: (
    changed: PipeRecord,
    before: PipeRecord
  ) => Effect.Effect<void, InvalidRequest | Conflict | ServerError>
  /** What is known of a pipe, whose credentials are open, at this moment; empty if nothing moves it here. */
  readonly metrics: (record: PipeRecord) => Effect.Effect<PipeMetrics>
  /** What was kept of each pipe when it was last moved; nothing of one that never was. It asks no source. */
  readonly savedMetrics: (pipeIds: ReadonlyArray<PipeId>) => Effect.Effect<ReadonlyMap<PipeId, PipeMetrics>>
  /**
   * The rejected rows of a pipe of a warehouse that is served here, the newest first: those before a position, which has the right form.
   * Fails with `FailedDependency` if the warehouse does not answer.
   */
  readonly rejectedRows: (
    address: PipeAddress,
    record: PipeRecord,
    page: { readonly before: string | undefined; readonly limit: number }
  ) => Effect.Effect<ReadonlyArray<RejectedRow>, FailedDependency>
  /** The history of a pipe that touches `[from, to)`, in minutes since 1970. A store that keeps it in tables is not asked. */
  readonly history: (pipeId: PipeId, from: number, to: number) => Effect.Effect<ReadonlyArray<HistorySpan>, ServerError>
  /** The fields of a source, read from it; `undefined` where it is simulated. The request is valid. */
  readonly discover: (
    address: ServiceAddress,
    request: SchemaDiscovery
  ) => Effect.Effect<DiscoveredSchema | undefined, CallError>
}>("@headgate/core/pipe/PipeMover", {
  defaultValue: () => ({
    warehouses: new Set(),
    checkDestination: () => Effect.succeed(undefined),
    check: () => Effect.void,
    metrics: () => Effect.succeed({}),
    savedMetrics: () => Effect.succeed(new Map()),
    rejectedRows: () => Effect.succeed([]),
    history: () => Effect.succeed([]),
    discover: () => Effect.succeed(undefined)
  })
})

/**
 * Why a pipe is not moved by a server.
 *
 * @example
 * ```ts
 * import { noWarehouse } from "@headgate/core/adapter"
 *
 * console.log(noWarehouse("*")) // this server has no warehouse "*", to which the pipe moves its rows: start it with one
 * ```
 */
export const noWarehouse = (name: string): string =>
  `this server has no warehouse ${JSON.stringify(name)}, to which the pipe moves its rows: start it with one`

/** What the status of a pipe says that is to move, where its warehouse is not served. */
export const waitsForWarehouse = (name: string): string =>
  `the pipe waits for a server with the warehouse ${JSON.stringify(name)}, which this one does not have: headgate-server ${
    name === "*" ? "--warehouse URL" : "--warehouses FILE, which names it"
  }`

/**
 * Logs that a deleted pipe leaves something behind which this process does not clean up, because it does not serve the warehouse of
 * the pipe. Every adapter that stores pipes calls it after a deletion.
 *
 * @example
 * ```ts
 * import { type PipeRecord, warnOfExternalResources } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * export const afterDelete = (record: PipeRecord): Effect.Effect<void> => warnOfExternalResources(record)
 * ```
 */
export const warnOfExternalResources = Effect.fnUntraced(function* ({ pipe, warehouse }: PipeRecord) {
  const { warehouses } = yield* PipeMover
  if (warehouse === undefined || warehouses.has(warehouse)) return
  yield* Effect.logWarning(
    `pipe ${pipe.id} is deleted: what it has made in its source stays until a server with the warehouse "${warehouse}" runs`
  )
})

/**
 * Checks a change of a pipe of a warehouse with its mover, before it is stored, if it changes what is read. `before` is the pipe as it
 * is, its credentials open. A change that fails by itself is not checked, and one that requires another version of the pipe fails
 * with `PreconditionFailed` before a source is asked. Fails with `Conflict` if the warehouse of the pipe is not served here. Returns
 * the version that the pipe must have when the change is stored (`IfMatch`): the one that was checked.
 *
 * @example
 * ```ts
 * import { checkChange, pipeChanges, type PipeRecord, type TransitionTime } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * export const rename = Effect.fn("rename")(function* (before: PipeRecord, start: TransitionTime) {
 *   const change = yield* pipeChanges.update({ name: "orders" })
 *   const version = yield* checkChange(before, change, start)
 *   return { version, changed: yield* Effect.fromResult(change(before, start)) }
 * })
 * ```
 */
export const checkChange = Effect.fnUntraced(function* <E>(
  before: PipeRecord,
  change: PipeChange<E>,
  start: TransitionTime
) {
  const required = yield* IfMatch
  if (before.warehouse === undefined) return required
  const changed = change(before, start)
  if (Result.isFailure(changed)) return required
  const { credentials, pipe } = changed.success
  if (Equal.equals(pipe.source, before.pipe.source) && Equal.equals(credentials, before.credentials)) return required
  yield* checkVersion(versionOf(before.pipe) ?? 1)
  const { check, warehouses } = yield* PipeMover
  if (!warehouses.has(before.warehouse)) return yield* new Conflict({ message: noWarehouse(before.warehouse) })
  yield* check(changed.success, before)
  return required ?? versionOf(before.pipe)
})
