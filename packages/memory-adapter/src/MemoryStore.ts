import type { Dashboard, DashboardId, OrganizationId, Pipe, PipeId, ServiceId } from "@headgate/core"
import type { TokenRecord } from "@headgate/core/adapter"
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { KeyMap } from "./key/KeyMap.ts"

/** An organization, as stored in {@link MemoryStore}. */
export interface StoredOrganization {
  readonly id: OrganizationId
  readonly name: string
}

/** A service and the organization that owns it, as stored in {@link MemoryStore}. */
export interface StoredService {
  readonly id: ServiceId
  readonly organizationId: OrganizationId
  readonly name: string
}

/** A pipe and the organization that owns its service, as stored in {@link MemoryStore}. */
export interface StoredPipe {
  readonly organizationId: OrganizationId
  readonly pipe: Pipe
}

/** A dashboard and the organization that owns it, as stored in {@link MemoryStore}. */
export interface StoredDashboard {
  readonly organizationId: OrganizationId
  readonly dashboard: Dashboard
}

/**
 * What the memory adapter holds: maps that remember the order of insertion. A change is made in one synchronous step,
 * which no other fiber can come between, so that nothing here needs a lock. A test may look into it.
 *
 * @example
 * ```ts
 * import { ApiKeys, type OrganizationId } from "@headgate/core"
 * import { MemoryApiKeys, MemoryStore } from "@headgate/memory-adapter"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * // What is kept of a key that was created: no secret.
 * export const stored = (organizationId: OrganizationId) =>
 *   Effect.gen(function* () {
 *     yield* ApiKeys.use((keys) => keys.create(organizationId, { name: "ci" }))
 *     const { keys } = yield* MemoryStore
 *     return Array.from(keys.values())
 *   }).pipe(Effect.provide(Layer.provideMerge(MemoryApiKeys.layer, MemoryStore.layer)))
 * ```
 */
export class MemoryStore extends Context.Service<
  MemoryStore,
  {
    readonly organizations: Map<OrganizationId, StoredOrganization>
    readonly services: Map<ServiceId, StoredService>
    readonly pipes: Map<PipeId, StoredPipe>
    /** By `keyIdHash`, the way a caller's key is looked up. */
    readonly keys: KeyMap
    /** By `tokenHash`. */
    readonly tokens: Map<string, TokenRecord>
    readonly dashboards: Map<DashboardId, StoredDashboard>
  }
>()("@headgate/memory-adapter/MemoryStore") {
  /** An empty store: all that is built over one build of this layer shares it. */
  static readonly layer: Layer.Layer<MemoryStore> = Layer.sync(MemoryStore, () => ({
    organizations: new Map(),
    services: new Map(),
    pipes: new Map(),
    keys: new KeyMap(),
    tokens: new Map(),
    dashboards: new Map()
  }))
}
