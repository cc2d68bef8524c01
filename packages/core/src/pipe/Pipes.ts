import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import { looseStruct, withIdentifier } from "../schema/LooseStruct.ts"
import type { CallError } from "../error/CallError.ts"
import { PipeNotFound, ServiceNotFound } from "../error/NotFound.ts"
import type { Pipe } from "./Pipe.ts"
import type { PipeCreate } from "./PipeCreate.ts"
import type { BeforeQuery, PipeEvent } from "./PipeEvent.ts"
import type { HistoryQuery, PipeHistory } from "./PipeHistory.ts"
import type { PipeResume } from "./PipeResume.ts"
import type { PipeStateChange } from "./PipeStateChange.ts"
import type { ListedPipeStatus, PipeStatus } from "./PipeStatus.ts"
import type { PipeUpdate } from "./PipeUpdate.ts"
import type { RejectedRow } from "./RejectedRow.ts"
import type { ScalingUpdate } from "./ScalingUpdate.ts"
import type { DiscoveredSchema, SchemaDiscovery } from "./SchemaDiscovery.ts"
import type { Settings } from "./Settings.ts"
import type { SettingsUpdate } from "./SettingsUpdate.ts"
import type { PipeAddress } from "../id/pipe.ts"
import type { ServiceAddress } from "../id/service.ts"

/**
 * What a service knows for its pipes: any object. Contract:
 * docs/wire-contract.md#change-a-pipes-state-size-and-settings, `context`.
 */
export const PipeContext = looseStruct({}).pipe(withIdentifier("PipeContext", "What the service knows for its pipes."))
export type PipeContext = typeof PipeContext.Type

/**
 * The port to pipes. Adapters: `HttpAdapter.layerManagement(...)`, `SqlAdapter.layerSqlite(...)`,
 * `MemoryAdapter.layer(...)`, or your own layer. Contract: docs/wire-contract.md#read-a-pipe and
 * docs/wire-contract.md#delete-a-pipe (whose shape is not shown); `list` is decided after the upstream service.
 *
 * @example
 * ```ts
 * import { Pipe, type PipeAddress, Pipes } from "@headgate/core"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * // The program requires the port and imports no adapter.
 * export const isRunning = Effect.fn("isRunning")(function* (address: PipeAddress) {
 *   const pipes = yield* Pipes
 *   const pipe = yield* pipes.get(address)
 *   return pipe.state === "Running"
 * })
 *
 * // A layer for a test: one pipe at every address. A method that it does not have is a defect.
 * export const onePipe = (pipe: Pipe) =>
 *   Layer.mock(Pipes, {
 *     list: () => Effect.succeed([pipe]),
 *     get: () => Effect.succeed(pipe)
 *   })
 * ```
 */
export class Pipes extends Context.Service<
  Pipes,
  {
    /**
     * Lists the pipes of a service; the order is not promised. Fails with `ServiceNotFound` if the organization has no
     * such service: an empty list means that the service has no pipes.
     */
    readonly list: (address: ServiceAddress) => Effect.Effect<ReadonlyArray<Pipe>, ServiceNotFound | CallError>
    /** Reads a pipe. Fails with `PipeNotFound` if there is none at the address. */
    readonly get: (address: PipeAddress) => Effect.Effect<Pipe, PipeNotFound | CallError>
    /**
     * Creates a pipe. Returns it in the state `Provisioning`, without the credentials of its source, which no answer
     * holds. Fails with `InvalidRequest` for a wrong field, with `ServiceNotFound`, and with `Conflict` if the
     * organization is at a limit. Contract: docs/wire-contract.md#create-a-pipe.
     */
    readonly create: (address: ServiceAddress, request: PipeCreate) => Effect.Effect<Pipe, ServiceNotFound | CallError>
    /**
     * Changes a pipe; `PipeUpdate` tells what stays, is merged and is replaced. Returns the whole pipe. Fails with
     * `InvalidRequest` for a wrong field, and if tables change while the pipe is neither paused nor stopped. A change of the source of
     * a pipe that moves rows fails with `Conflict` where its warehouse is not served, and with `PreconditionFailed` if the pipe is
     * changed while its source is asked.
     */
    readonly update: (address: PipeAddress, request: PipeUpdate) => Effect.Effect<Pipe, PipeNotFound | CallError>
    /**
     * Deletes a pipe. Fails with `PipeNotFound` if there is none at the address. If the adapter retried the call
     * (`attempts` is more than 1), an earlier attempt may have deleted the pipe and its response may be lost.
     */
    readonly delete: (address: PipeAddress) => Effect.Effect<void, PipeNotFound | CallError>
    /**
     * Starts, stops or resyncs a pipe. Returns it in the state that it passes first; `get` tells when it has arrived. A command
     * that changes nothing returns the pipe as it is. Fails with `InvalidRequest` or `Conflict` if the state does not allow
     * the command: see `docs/pipe-states.md`.
     */
    readonly setState: (address: PipeAddress, request: PipeStateChange) => Effect.Effect<Pipe, PipeNotFound | CallError>
    /**
     * Decides how a pipe goes on that moves rows and could not go on by itself, and starts it. Returns it in the state that it
     * passes first. Fails with `InvalidRequest` for a wrong decision, and with `Conflict` if the pipe is neither stopped nor
     * failed, or is simulated. Only `headgate-server` has this operation: other services answer `PipeNotFound`.
     */
    readonly resume: (address: PipeAddress, request: PipeResume) => Effect.Effect<Pipe, PipeNotFound | CallError>
    /**
     * Makes a simulated pipe, such as an imported one, a pipe that moves rows, and starts it as a new one. Fails with
     * `InvalidRequest`, which names each field that would be wrong in a new pipe, credentials that are missing included, and with
     * `Conflict` if the pipe moves rows already or the service has no warehouse. Only `headgate-server` has this operation: other
     * services answer `PipeNotFound`.
     */
    readonly adopt: (address: PipeAddress) => Effect.Effect<Pipe, PipeNotFound | CallError>
    /** Changes the number and size of the replicas, in every state. Returns the whole pipe. */
    readonly scale: (address: PipeAddress, request: ScalingUpdate) => Effect.Effect<Pipe, PipeNotFound | CallError>
    /** Reads the settings of a pipe; empty if all have their defaults. */
    readonly settings: (address: PipeAddress) => Effect.Effect<Settings, PipeNotFound | CallError>
    /** Replaces the settings of a pipe, in every state. Returns the new ones. */
    readonly updateSettings: (
      address: PipeAddress,
      request: SettingsUpdate
    ) => Effect.Effect<Settings, PipeNotFound | CallError>
    /** Tells how a pipe goes on. Only `headgate-server` has this operation: other services answer `PipeNotFound`. */
    readonly status: (address: PipeAddress) => Effect.Effect<PipeStatus, PipeNotFound | CallError>
    /**
     * Reads the fields of a source for which no pipe exists yet. A service without a warehouse checks the request and answers
     * with simulated fields. Fails with `InvalidRequest` for a wrong field.
     */
    readonly discoverSchema: (
      address: ServiceAddress,
      request: SchemaDiscovery
    ) => Effect.Effect<DiscoveredSchema, ServiceNotFound | CallError>
    /**
     * Tells how each pipe of a service goes on, with what was kept of it: no source is asked, so a lag may be some seconds old.
     * The order is not promised. Only `headgate-server` has this operation: other services answer `ServiceNotFound`.
     */
    readonly statuses: (
      address: ServiceAddress
    ) => Effect.Effect<ReadonlyArray<ListedPipeStatus>, ServiceNotFound | CallError>
    /**
     * Lists the changes of a pipe's state with their reasons, the newest first: at most 200, of the last 30 days and of the last 1,000
     * that are kept. `before` is the `position` of an event: the list goes on with the next older one, whatever has happened
     * meanwhile. An imported pipe has those since its import. Fails with `InvalidRequest` for a wrong position. Only `headgate-server`
     * has this operation: other services answer `PipeNotFound`.
     */
    readonly events: (
      address: PipeAddress,
      query: BeforeQuery
    ) => Effect.Effect<ReadonlyArray<PipeEvent>, PipeNotFound | CallError>
    /**
     * Lists the rows that the destination of a pipe did not take, the newest first: at most 100, of the last 7 days. `before` is the
     * `position` of a row: the list goes on with the next older one. A list may be shorter than `limit`, because messages are long; an
     * empty one is the end. A simulated pipe has none. Fails with `InvalidRequest` for a wrong position, and with `FailedDependency` if
     * the warehouse is not there. Only `headgate-server` has this operation: other services answer `PipeNotFound`.
     */
    readonly errors: (
      address: PipeAddress,
      query: BeforeQuery
    ) => Effect.Effect<ReadonlyArray<RejectedRow>, PipeNotFound | CallError>
    /**
     * Tells what a pipe has delivered in each step of a time, with its lag and its state: at most 1,500 steps, of a minute for the last
     * 24 hours and of ten minutes before. A step in which nobody moved the pipe has no point. Fails with `InvalidRequest` for a wrong
     * step and a range that ends before it begins. Only `headgate-server` has this operation: other services answer `PipeNotFound`.
     */
    readonly history: (
      address: PipeAddress,
      query: HistoryQuery
    ) => Effect.Effect<PipeHistory, PipeNotFound | CallError>
    /** Reads what a service knows for its pipes: an object that the contract does not describe. */
    readonly context: (address: ServiceAddress) => Effect.Effect<PipeContext, ServiceNotFound | CallError>
  }
>()("@headgate/core/pipe/Pipes") {}
