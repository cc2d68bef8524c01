import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrganizationId } from "../access/ids.ts"
import type { InvalidRequest } from "../error/CallError.ts"
import type { ServiceId } from "../pipe/ids.ts"
import type { Snapshot } from "./Snapshot.ts"

/** An organization, its services, and how many things it holds. */
export interface OrganizationSummary {
  readonly id: OrganizationId
  readonly name: string
  readonly services: ReadonlyArray<{ readonly id: ServiceId; readonly name: string }>
  readonly pipes: number
  readonly keys: number
  readonly tokens: number
  readonly dashboards: number
}

/** How many things an import added; the others were there already and stayed as they were. */
export interface ImportSummary {
  readonly added: number
  readonly kept: number
}

/** How many things a store held before all of it was replaced, and how many it holds since. */
export interface ReplaceSummary {
  readonly removed: number
  readonly added: number
}

/**
 * The port to the whole state of a store: only adapters that hold one have it. No operation of the contract.
 *
 * @example
 * ```ts
 * import { type Snapshot, Snapshots } from "@headgate/core"
 * import * as Effect from "effect/Effect"
 *
 * // Fills a store, and tells what it holds then.
 * export const seed = Effect.fn("seed")(function* (snapshot: Snapshot) {
 *   const snapshots = yield* Snapshots
 *   const { added, kept } = yield* snapshots.import(snapshot)
 *   yield* Effect.logInfo(`${added} added, ${kept} there already`)
 *   return yield* snapshots.organizations
 * })
 * ```
 */
export class Snapshots extends Context.Service<
  Snapshots,
  {
    /**
     * Adds what the store does not hold yet, all of it or, on failure, nothing. What it holds already is left as it
     * is, so that importing twice changes nothing: organizations, services, pipes and dashboards are known again by
     * id, keys by `keyIdHash`, tokens by `tokenHash`. Fails with `InvalidRequest` when the snapshot contradicts itself
     * or the store: an id that belongs to another owner.
     */
    readonly import: (snapshot: Snapshot) => Effect.Effect<ImportSummary, InvalidRequest>
    /**
     * Makes the store hold what the snapshot says and nothing else, or, on failure, changes nothing. Whoever looks sees
     * the store as it was or as it is then, and nothing in between. Fails with `InvalidRequest` when the snapshot
     * contradicts itself.
     */
    readonly replace: (snapshot: Snapshot) => Effect.Effect<ReplaceSummary, InvalidRequest>
    /** All that the store holds, as of one moment: imported into an empty store, it makes the same service. */
    readonly export: Effect.Effect<Snapshot>
    /** Every organization, in the order of import. */
    readonly organizations: Effect.Effect<ReadonlyArray<OrganizationSummary>>
  }
>()("@headgate/core/snapshot/Snapshots") {}
