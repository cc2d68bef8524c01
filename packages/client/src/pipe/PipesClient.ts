import type * as Core from "@headgate/core"
import type { Addressed, ServiceAddress } from "../addresses.ts"
import type { CallOptions } from "../CallOptions.ts"
import type { CallPromise, List } from "../CallPromise.ts"
import type { Plain } from "../Plain.ts"
import type { WaitOptions } from "./waitFor.ts"

/**
 * A pipe: it moves data continuously from a source into a table of a managed database service. Times are RFC 3339
 * strings, `source.objectStorage.connectionString` is a `Secret`. Only `id`, `serviceId`, `name` and `state` are always
 * present.
 */
export type Pipe = Plain<Core.Pipe>

/** The address of a pipe: three UUIDs. */
export type PipeAddress = Addressed<Core.PipeAddress>

/** A request for a new pipe, with its organization and service. Secrets are strings or a `Secret`. */
export type PipeCreate = Addressed<Core.ServiceAddress & Core.PipeCreate>

/** The changes of a pipe, with its address. Secrets are strings or a `Secret`. */
export type PipeUpdate = Addressed<Core.PipeAddress & Core.PipeUpdate>

/** A request for the fields of a source, with the organization and service that read it. */
export type SchemaDiscovery = Addressed<Core.ServiceAddress & Core.SchemaDiscovery>

/** The fields of a source. */
export type DiscoveredSchema = Plain<Core.DiscoveredSchema>

/** The address of a pipe, and the command for it. */
export type PipeStateChange = Addressed<Core.PipeAddress & Core.PipeStateChange>

/** The address of a pipe, and the decision about it: exactly one of `from` and `pending`. */
export type PipeResume = Addressed<Core.PipeAddress & Core.PipeResume>

/** The address of a pipe, and the number and size of its replicas. What is absent stays as it is. */
export type ScalingUpdate = Addressed<Core.PipeAddress & Core.ScalingUpdate>

/** A change of the state of a pipe. */
export type PipeEvent = Plain<Core.PipeEvent>

/** The address of a pipe, and which of its events are asked for. */
export type PipeEventsRequest = Addressed<Core.PipeAddress & Core.BeforeQuery>

/** A row that the destination of a pipe did not take. */
export type RejectedRow = Plain<Core.RejectedRow>

/** The address of a pipe, and which of its rejected rows are asked for. */
export type RejectedRowsRequest = Addressed<Core.PipeAddress & Core.BeforeQuery>

/** What a pipe did over time. Times are RFC 3339 strings. */
export type PipeHistory = Plain<Core.PipeHistory>

/** The address of a pipe, and which part of its history is asked for. */
export type PipeHistoryRequest = Addressed<Core.PipeAddress & Core.HistoryQuery>

/** The settings that tune how a pipe reads and inserts. */
export type Settings = Plain<Core.Settings>

/** The address of a pipe, and all its settings. What is absent gets its default. */
export type SettingsUpdate = Addressed<Core.PipeAddress & Core.SettingsUpdate>

/** How a pipe goes on: its state, what comes next, and whether it moves data. Times are RFC 3339 strings. */
export type PipeStatus = Plain<Core.PipeStatus>

/** The status of a pipe among those of its service. */
export type ListedPipeStatus = Plain<Core.ListedPipeStatus>

/** What a service knows for its pipes: an object that the contract does not describe. */
export type PipeContext = Plain<Core.PipeContext>

/**
 * The pipes of the management API. Methods of one pipe reject with `PipeNotFoundError` if there is none at the address, the
 * others with `ServiceNotFoundError` if there is no such service.
 */
export interface PipesClient {
  /** Lists the pipes of a service; their order is not promised. */
  readonly list: (request?: ServiceAddress, options?: CallOptions) => List<Pipe>
  /** Reads a pipe. */
  readonly get: (request: PipeAddress, options?: CallOptions) => CallPromise<Pipe>
  /**
   * Creates a pipe. Resolves to it in the state `Provisioning`, without the credentials of its source. Rejects with
   * `InvalidRequestError` for a wrong field, and with `ConflictError` if the organization is at a limit.
   */
  readonly create: (request: PipeCreate, options?: CallOptions) => CallPromise<Pipe>
  /**
   * Changes a pipe, and resolves to the whole pipe. Rejects with `InvalidRequestError` for a wrong field, and if tables change
   * while the pipe is neither paused nor stopped.
   */
  readonly update: (request: PipeUpdate, options?: CallOptions) => CallPromise<Pipe>
  /**
   * Deletes a pipe. If a `PipeNotFoundError` has more than 1 of `attempts`, an earlier attempt may have deleted the pipe, and
   * its response was lost.
   */
  readonly delete: (request: PipeAddress, options?: CallOptions) => CallPromise<void>
  /**
   * Starts, stops or resyncs a pipe. Resolves to it in the state that it passes first. A command that changes nothing returns
   * the pipe as it is. Rejects with `InvalidRequestError` or `ConflictError` if the state does not allow the command.
   */
  readonly setState: (request: PipeStateChange, options?: CallOptions) => CallPromise<Pipe>
  /**
   * Decides how a pipe goes on that moves rows and could not go on by itself, and starts it. Rejects with `InvalidRequestError`
   * for a wrong decision, and with `ConflictError` if the pipe is neither stopped nor failed, or is simulated. Only
   * `headgate-server` has it: other services reject with `PipeNotFoundError`.
   */
  readonly resume: (request: PipeResume, options?: CallOptions) => CallPromise<Pipe>
  /**
   * Makes a simulated pipe, such as an imported one, a pipe that moves rows, and starts it as a new one. Rejects with
   * `InvalidRequestError`, which names each field that would be wrong in a new pipe, credentials that are missing included, and
   * with `ConflictError` if the pipe moves rows already or the service has no warehouse. Only `headgate-server` has it: other
   * services reject with `PipeNotFoundError`.
   */
  readonly adopt: (request: PipeAddress, options?: CallOptions) => CallPromise<Pipe>
  /** Changes the number and size of the replicas, in every state. Resolves to the whole pipe. */
  readonly scale: (request: ScalingUpdate, options?: CallOptions) => CallPromise<Pipe>
  /** Reads the settings of a pipe; empty if all have their defaults. */
  readonly settings: (request: PipeAddress, options?: CallOptions) => CallPromise<Settings>
  /** Replaces the settings of a pipe, in every state. Resolves to the new ones. */
  readonly updateSettings: (request: SettingsUpdate, options?: CallOptions) => CallPromise<Settings>
  /**
   * Reads the fields of a source for which no pipe exists yet. A service without a warehouse checks the request and returns
   * simulated fields.
   */
  readonly discoverSchema: (request: SchemaDiscovery, options?: CallOptions) => CallPromise<DiscoveredSchema>
  /** Tells how a pipe goes on. Only `headgate-server` has it: other services reject with `PipeNotFoundError`. */
  readonly status: (request: PipeAddress, options?: CallOptions) => CallPromise<PipeStatus>
  /**
   * Tells how each pipe of a service goes on, with what was kept of it: no source is asked. Only `headgate-server` has it: other
   * services reject with `ServiceNotFoundError`.
   */
  readonly statuses: (request?: ServiceAddress, options?: CallOptions) => List<ListedPipeStatus>
  /**
   * Lists the changes of a pipe's state with their reasons, the newest first: at most 200, of the last 30 days. With the `position` of
   * the last one as `before`, the next older ones; an empty list is the end. Only `headgate-server` has it: other services reject with
   * `PipeNotFoundError`.
   *
   * @example
   * ```ts
   * import type { ManagementClient, PipeAddress } from "@headgate/client"
   *
   * export const printFailures = async ({ pipes }: ManagementClient, address: PipeAddress) => {
   *   for (let before: string | undefined; ;) {
   *     const page = await pipes.events({ ...address, before })
   *     for (const { at, message, to } of page) if (to === "Failed") console.log(at, message)
   *     before = page.at(-1)?.position
   *     if (before === undefined) return
   *   }
   * }
   * ```
   */
  readonly events: (request: PipeEventsRequest, options?: CallOptions) => List<PipeEvent>
  /**
   * Lists the rows that the destination of a pipe did not take, the newest first: at most 100, of the last 7 days, for keys with the role
   * `admin` alone. With the `position` of the last one as `before`, the next older ones; a list may be shorter than `limit`, and an
   * empty list is the end. Rejects with `FailedDependencyError` if the warehouse is not there. Only `headgate-server` has it: other
   * services reject with `PipeNotFoundError`.
   */
  readonly errors: (request: RejectedRowsRequest, options?: CallOptions) => List<RejectedRow>
  /**
   * Tells what a pipe has delivered in each step of a time, with its lag and its state; by default of the last 24 hours. A step in which
   * nobody moved the pipe has no point. Rejects with `InvalidRequestError` for a wrong step or range. Only `headgate-server` has it:
   * other services reject with `PipeNotFoundError`.
   *
   * @example
   * ```ts
   * import type { ManagementClient, PipeAddress } from "@headgate/client"
   *
   * export const rowsOfWeek = async ({ pipes }: ManagementClient, address: PipeAddress) => {
   *   const from = new Date(Date.now() - 7 * 24 * 60 * 60 * 1000)
   *   const { points } = await pipes.history({ ...address, from, step: "1h" })
   *   return points.reduce((sum, { rows }) => sum + rows, 0)
   * }
   * ```
   */
  readonly history: (request: PipeHistoryRequest, options?: CallOptions) => CallPromise<PipeHistory>
  /**
   * Reads a pipe until it is in a state, and resolves to it. Rejects with `UnreachableStateError` at once if the pipe does not
   * get there by itself, such as from Stopped to Running, and with `TimeoutError` after `timeout`, ten minutes by default.
   *
   * @example
   * ```ts
   * import type { ManagementClient, PipeAddress } from "@headgate/client"
   *
   * export const stop = async ({ pipes }: ManagementClient, address: PipeAddress) => {
   *   const { state } = await pipes.setState({ ...address, command: "stop" })
   *   return await pipes.waitFor(address, state === "Pausing" ? "Paused" : "Stopped", { timeout: 60_000 })
   * }
   * ```
   */
  readonly waitFor: (request: PipeAddress, state: Pipe["state"], options?: WaitOptions) => Promise<Pipe>
  /** Reads what a service knows for its pipes. */
  readonly context: (request?: ServiceAddress, options?: CallOptions) => CallPromise<PipeContext>
}
