import { type InvalidRequest, ServerError } from "@headgate/core"
import { invalidRequest, type MovedPipes, type PipeAssignment, type PipeTables } from "@headgate/core/adapter"
import type { AllowedSources, History, Ledger, Leases } from "@headgate/mover"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Connectors } from "../source/Connectors.ts"
import type { WarehouseEngine } from "../warehouse/WarehouseEngine.ts"

/** What a mover has of the store of the pipes. */
export interface MoverStore {
  readonly ledger: Ledger["Service"]
  /** Where the metrics of pipes are kept. */
  readonly metrics: Pick<Leases["Service"], "saveMetrics" | "savedMetrics">
  /** Absent: no history is kept. */
  readonly history?: History["Service"]
  /** Absent: no other process uses the store. */
  readonly leases?: Leases["Service"]
  /** Where the tables that pipes open are kept. Absent: nowhere, so that no chart reads them. */
  readonly tables?: PipeTables["Service"]
}

/** What the pipes of a process are moved with. */
export interface MoverContext {
  readonly moved: MovedPipes["Service"]
  readonly store: MoverStore
  /** The warehouses that are served, by name. */
  readonly engines: ReadonlyMap<string, WarehouseEngine>
  readonly connectors: Connectors
  readonly allowed: AllowedSources
  readonly retryTimeout: Duration.Duration
  /** Called with the pipes of the store that are not at rest, whenever they are known anew. */
  readonly listed?: (pipes: ReadonlyArray<PipeAssignment>) => void
  /** For how many days the history of pipes is kept, by default 7; 0 for none. */
  readonly historyDays?: number
}

/** The name of the warehouse of every service that has none of its own. */
export const anyService = "*"

/** A request that is refused because of one field. */
export const refuse = (path: string, message: string): Effect.Effect<never, InvalidRequest> =>
  Effect.fail(invalidRequest([{ path, message }]))

/** A store that does not answer, as an error of the request. */
export const orServerError = <A, R>(effect: Effect.Effect<A, { readonly message: string }, R>) =>
  Effect.mapError(effect, ({ message }) => new ServerError({ message }))
