import type { ApiKeyId, Dashboard, DashboardId, OrganizationId, Pipe, PipeId, ServiceId } from "@headgate/core"
import type { ApiKeyRecord, TokenRecord } from "@headgate/core/adapter"
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"

/**
 * The API keys of a store by `keyIdHash`, in the order of insertion, with an index by id and one by organization, so that
 * no operation reads the keys of other organizations.
 */
export class KeyMap extends Map<string, ApiKeyRecord> {
  readonly #hashesByOwner = new Map<OrganizationId, Set<string>>()
  readonly #hashById = new Map<ApiKeyId, string>()

  constructor(entries: Iterable<readonly [keyIdHash: string, record: ApiKeyRecord]> = []) {
    // The constructor of Map would call `set` before the private fields of this class exist.
    super()
    for (const [keyIdHash, record] of entries) this.set(keyIdHash, record)
  }

  override set(keyIdHash: string, record: ApiKeyRecord): this {
    const { key, organizationId } = record
    const held = this.get(keyIdHash)
    if (held?.key.id !== key.id || held.organizationId !== organizationId) {
      if (held !== undefined) this.delete(keyIdHash)
      const hashes = this.#hashesByOwner.get(organizationId) ?? new Set()
      this.#hashesByOwner.set(organizationId, hashes.add(keyIdHash))
      this.#hashById.set(key.id, keyIdHash)
    }
    return super.set(keyIdHash, record)
  }

  override delete(keyIdHash: string): boolean {
    const held = this.get(keyIdHash)
    if (held !== undefined) {
      this.#hashesByOwner.get(held.organizationId)?.delete(keyIdHash)
      this.#hashById.delete(held.key.id)
    }
    return super.delete(keyIdHash)
  }

  override clear(): void {
    this.#hashesByOwner.clear()
    this.#hashById.clear()
    super.clear()
  }

  /** The key with this id. */
  byId(id: ApiKeyId): ApiKeyRecord | undefined {
    const keyIdHash = this.#hashById.get(id)
    return keyIdHash === undefined ? undefined : this.get(keyIdHash)
  }

  /** The organization's keys, newest last. */
  ownedBy(organizationId: OrganizationId): ReadonlyArray<ApiKeyRecord> {
    const hashes = this.#hashesByOwner.get(organizationId) ?? []
    return Array.from(hashes).flatMap((keyIdHash) => this.get(keyIdHash) ?? [])
  }

  /** How many keys the organization has. */
  countOf(organizationId: OrganizationId): number {
    return this.#hashesByOwner.get(organizationId)?.size ?? 0
  }
}

/**
 * What the memory adapter holds. The maps keep the order of insertion. Every change is one synchronous step, so no other
 * fiber runs in the middle of it and no lock is needed.
 */
export class MemoryStore extends Context.Service<
  MemoryStore,
  {
    readonly organizations: Map<OrganizationId, { readonly id: OrganizationId; readonly name: string }>
    readonly services: Map<
      ServiceId,
      { readonly id: ServiceId; readonly organizationId: OrganizationId; readonly name: string }
    >
    readonly pipes: Map<PipeId, { readonly organizationId: OrganizationId; readonly pipe: Pipe }>
    /** By `keyIdHash`, by which a key is found when a caller authenticates. */
    readonly keys: KeyMap
    /** By `tokenHash`. */
    readonly tokens: Map<string, TokenRecord>
    readonly dashboards: Map<DashboardId, { readonly organizationId: OrganizationId; readonly dashboard: Dashboard }>
  }
>()("@headgate/memory-adapter/MemoryStore") {
  /** An empty store. */
  static readonly layer: Layer.Layer<MemoryStore> = Layer.sync(MemoryStore, () => ({
    organizations: new Map(),
    services: new Map(),
    pipes: new Map(),
    keys: new KeyMap(),
    tokens: new Map(),
    dashboards: new Map()
  }))
}
