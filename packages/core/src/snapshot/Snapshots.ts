import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrganizationId } from "../id/organization.ts"
import type { InvalidRequest } from "../error/CallError.ts"
import type { ServiceId } from "../id/service.ts"
import type { Snapshot } from "./Snapshot.ts"
import type { KindName } from "./SnapshotContent.ts"

/** The kinds of which an operator sees how many an organization owns. */
export type SummedKind = Exclude<KindName, "organizations" | "services">

/** An organization, its services, and how many resources it owns. */
export interface OrganizationSummary extends Readonly<Record<SummedKind, number>> {
  readonly id: OrganizationId
  readonly name: string
  readonly services: ReadonlyArray<{ readonly id: ServiceId; readonly name: string }>
}

/** How many resources an import added, and how many existed before and were not changed. */
export interface ImportSummary {
  readonly added: number
  readonly kept: number
}

/** How many resources a replace removed and added. */
export interface ReplaceSummary {
  readonly removed: number
  readonly added: number
}

/**
 * The port to the whole content of a store. Only adapters with a store have it: the contract has no such operation. What a store notes
 * beside its resources, such as the events of pipes and the tables that they have opened (`PipeTables`), is in no snapshot.
 *
 * @example
 * ```ts
 * import { type Snapshot, Snapshots } from "@headgate/core"
 * import * as Effect from "effect/Effect"
 *
 * // Fills a store and returns its content.
 * export const seed = Effect.fn("seed")(function* (snapshot: Snapshot) {
 *   const snapshots = yield* Snapshots
 *   const { added, kept } = yield* snapshots.import(snapshot)
 *   yield* Effect.logInfo(`${added} added, ${kept} existed before`)
 *   return yield* snapshots.organizations
 * })
 * ```
 */
export class Snapshots extends Context.Service<
  Snapshots,
  {
    /**
     * Adds what the store does not hold yet, everything or, on failure, nothing. Existing resources are not changed, so
     * that a second import changes nothing. Organizations, services, pipes and dashboards are found by id, keys by
     * `keyIdHash`, tokens by `tokenHash`. Fails with `InvalidRequest` when the snapshot contradicts itself, or when the
     * store has one of its ids under another owner, or when its secrets are sealed with another key than the store has.
     */
    readonly import: (snapshot: Snapshot) => Effect.Effect<ImportSummary, InvalidRequest>
    /**
     * Replaces the whole content of the store by the snapshot or, on failure, changes nothing. Readers see the old
     * content or the new one, never a mixture. Fails with `InvalidRequest` when the snapshot contradicts itself, or when its
     * secrets are sealed with another key.
     */
    readonly replace: (snapshot: Snapshot) => Effect.Effect<ReplaceSummary, InvalidRequest>
    /**
     * A consistent snapshot of the whole store, without the credentials of pipes, connections and webhooks. Imported into an empty store,
     * it makes the same service; a caller must update the pipes, connections and webhooks with credentials.
     */
    readonly export: Effect.Effect<Snapshot>
    /**
     * `export` with the secrets as the store holds them. Those of a store that seals are for stores with the same
     * key. Those of a store in memory are in plain text once encoded.
     */
    readonly exportWithSecrets: Effect.Effect<Snapshot>
    /** Every organization, in the order of import. */
    readonly organizations: Effect.Effect<ReadonlyArray<OrganizationSummary>>
  }
>()("@headgate/core/snapshot/Snapshots") {}
