import { type OrganizationId, type Snapshot, Snapshots } from "@headgate/core"
import { invalidRequest, type OrganizationSummary, snapshotRows, toSnapshot } from "@headgate/core/adapter"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { MemoryStore } from "../MemoryStore.ts"
import { planImport } from "./planImport.ts"

const summaries = (store: MemoryStore["Service"]): ReadonlyArray<OrganizationSummary> => {
  const byOwner = <A extends { readonly organizationId: OrganizationId }>(map: ReadonlyMap<string, A>) => {
    const owned = Arr.groupBy(map.values(), ({ organizationId }) => organizationId)
    return (id: OrganizationId): ReadonlyArray<A> => owned[id] ?? []
  }
  const services = byOwner(store.services)
  const pipes = byOwner(store.pipes)
  const keys = byOwner(store.keys)
  const tokens = byOwner(store.tokens)
  const dashboards = byOwner(store.dashboards)
  return Array.from(store.organizations.values(), ({ id, name }) => ({
    id,
    name,
    services: services(id).map((service) => ({ id: service.id, name: service.name })),
    pipes: pipes(id).length,
    keys: keys(id).length,
    tokens: tokens(id).length,
    dashboards: dashboards(id).length
  }))
}

const exported = (store: MemoryStore["Service"]): Snapshot =>
  toSnapshot({
    organizations: Array.from(store.organizations.values()),
    services: Array.from(store.services.values()),
    pipes: Array.from(store.pipes.values()),
    keys: Array.from(store.keys.values()),
    tokens: Array.from(store.tokens.values()),
    dashboards: Array.from(store.dashboards.values())
  })

/** Takes everything out of the store; answers how much that was. */
const emptied = (store: MemoryStore["Service"]): number =>
  [store.organizations, store.services, store.pipes, store.keys, store.tokens, store.dashboards].reduce((sum, map) => {
    const { size } = map
    map.clear()
    return sum + size
  }, 0)

const layerNoDeps: Layer.Layer<Snapshots, never, MemoryStore | SecureRandom.SecureRandom> = Layer.effect(
  Snapshots,
  Effect.gen(function* () {
    const store = yield* MemoryStore
    const crypto = yield* Effect.context<SecureRandom.SecureRandom>()

    return Snapshots.of({
      import: Effect.fn("MemorySnapshots.import")(function* (snapshot) {
        const rows = yield* snapshotRows(snapshot)
        // No yield between the plan and its application: no other fiber comes between them.
        const { apply, issues, summary } = planImport(store, rows)
        if (issues.length > 0) return yield* invalidRequest(issues)
        apply()
        return summary
      }, Effect.provideContext(crypto)),
      replace: Effect.fn("MemorySnapshots.replace")(function* (snapshot) {
        const rows = yield* snapshotRows(snapshot)
        // All in one step, and what does not contradict itself does not contradict an empty store.
        const removed = emptied(store)
        const { apply, summary } = planImport(store, rows)
        apply()
        return { removed, added: summary.added }
      }, Effect.provideContext(crypto)),
      export: Effect.sync(() => exported(store)).pipe(Effect.withSpan("MemorySnapshots.export")),
      organizations: Effect.sync(() => summaries(store)).pipe(Effect.withSpan("MemorySnapshots.organizations"))
    })
  })
)

const layer: Layer.Layer<Snapshots, never, MemoryStore> = Layer.provide(layerNoDeps, SecureRandom.layerWebCrypto)

/**
 * The `Snapshots` port over a {@link MemoryStore}. `layerNoDeps` leaves the cryptography to the caller.
 *
 * @example
 * ```ts
 * import { type Snapshot, Snapshots } from "@headgate/core"
 * import { MemoryAdapter } from "@headgate/memory-adapter"
 * import * as Effect from "effect/Effect"
 *
 * // Whether a snapshot holds together, with the path of what does not.
 * export const check = (snapshot: Snapshot) =>
 *   Snapshots.use((snapshots) => snapshots.import(snapshot)).pipe(
 *     Effect.as([]),
 *     Effect.catchTag("InvalidRequest", ({ issues }) => Effect.succeed(issues)),
 *     Effect.provide(MemoryAdapter.layer())
 *   )
 * ```
 */
export const MemorySnapshots = { layer, layerNoDeps }
