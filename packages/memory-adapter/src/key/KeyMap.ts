import type { ApiKeyId, OrganizationId } from "@headgate/core"
import type { ApiKeyRecord } from "@headgate/core/adapter"

/**
 * The keys of a store by `keyIdHash`, the way a caller's key is looked up, in the order of insertion. It also knows whose
 * they are and which id each has, so that nothing has to go through all keys of all organizations.
 *
 * @example
 * ```ts
 * import { OrganizationId } from "@headgate/core"
 * import { KeyMap } from "@headgate/memory-adapter"
 *
 * const keys = new KeyMap()
 * console.log(keys.countOf(OrganizationId.make("5d0f1c8e-2b7a-4c39-9a61-0e3f4b7d2c11"))) // 0
 * ```
 */
export class KeyMap extends Map<string, ApiKeyRecord> {
  readonly #hashesByOwner = new Map<OrganizationId, Set<string>>()
  readonly #hashById = new Map<ApiKeyId, string>()

  constructor(entries: Iterable<readonly [keyIdHash: string, record: ApiKeyRecord]> = []) {
    // Not through Map's own constructor, which calls `set` before what is private here is there.
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

  /** The key of that id, if there is one. */
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
