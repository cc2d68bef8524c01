import type {
  ApiKeyId,
  Conflict,
  ConnectionId,
  DashboardId,
  Forbidden,
  OrganizationId,
  PipeId,
  ReversePrivateEndpoint,
  ReversePrivateEndpointId,
  Role,
  RoleId,
  ServiceId,
  SourceId
} from "@headgate/core"
import {
  type ApiKeyRecord,
  type ConnectionRecord,
  type ConsoleKind,
  type ConsoleRecord,
  type CountedKind,
  type CreationAnswer,
  type DeletedPipe,
  type DocumentKindName,
  documentKinds,
  type DocumentRecord,
  type KindName,
  type KindRecords,
  kinds,
  limitRules,
  mapKinds,
  noOrganization,
  OrganizationLimits,
  type OrganizationUsage,
  organizationUsage,
  type PipeRecord,
  type PipeTable,
  type SourceRecord,
  type StoredPipeEvent,
  type TokenRecord
} from "@headgate/core/adapter"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Struct from "effect/Struct"
import { PreventSchedulerYield } from "effect/Scheduler"

/** What belongs to an organization. */
interface Owned {
  readonly organizationId: OrganizationId
}

/** A pipe of an organization, and how it goes on. */
export interface StoredPipe extends Owned, PipeRecord {
  /** Its events, oldest first. An imported pipe has none. */
  readonly events?: ReadonlyArray<PositionedEvent>
}

/** An event of a pipe. Positions of a pipe rise by one. */
export interface PositionedEvent {
  readonly position: number
  readonly event: StoredPipeEvent
}

/** A service. In a passing state, `due` is when it goes on, in milliseconds since 1970. */
export type StoredService = KindRecords["services"] & {
  readonly due?: number
}

/** An endpoint. While it is provisioned, `due` is when that ends, in milliseconds since 1970. */
export interface StoredEndpoint extends Owned {
  readonly endpoint: ReversePrivateEndpoint
  readonly due?: number
}

/** The answer of a creation with an idempotency key. */
export interface KeptAnswer {
  readonly bodyHash: string
  readonly answer: CreationAnswer
  /** In milliseconds since 1970. */
  readonly expiresAt: number
}

/** How many values an organization has in a map, and how many bytes they take as JSON. */
interface Usage {
  readonly count: number
  readonly bytes: number
}

// Every JavaScript runtime has it, but the types of this package are those of the language alone.
declare const TextEncoder: new () => { readonly encode: (text: string) => Uint8Array }

const utf8 = new TextEncoder()

const bytesOf = (value: unknown): number => utf8.encode(JSON.stringify(value)).length

/** A map that knows how much each organization has in it. `documentOf` is the part of a value that counts. */
export class CountedMap<K extends string, V extends Owned> extends Map<K, V> {
  readonly #documentOf: (value: V) => unknown
  readonly #bytes = new Map<K, number>()
  readonly #usage = new Map<OrganizationId, Usage>()

  constructor(documentOf: (value: V) => unknown) {
    super()
    this.#documentOf = documentOf
  }

  #add({ organizationId }: Owned, count: 1 | -1, bytes: number): void {
    const held = this.usageOf(organizationId)
    this.#usage.set(organizationId, { count: held.count + count, bytes: held.bytes + count * bytes })
  }

  /** Subtracts what is held under a key. */
  #subtract(key: K): void {
    const held = this.get(key)
    if (held !== undefined) this.#add(held, -1, this.#bytes.get(key) ?? 0)
  }

  /** How many bytes a value counts. */
  bytesOf(value: V): number {
    return bytesOf(this.#documentOf(value))
  }

  override set(key: K, value: V): this {
    const bytes = this.bytesOf(value)
    this.#subtract(key)
    this.#add(value, 1, bytes)
    this.#bytes.set(key, bytes)
    return super.set(key, value)
  }

  override delete(key: K): boolean {
    this.#subtract(key)
    this.#bytes.delete(key)
    return super.delete(key)
  }

  override clear(): void {
    this.#bytes.clear()
    this.#usage.clear()
    super.clear()
  }

  /** What the organization has. */
  usageOf(organizationId: OrganizationId): Usage {
    return this.#usage.get(organizationId) ?? { count: 0, bytes: 0 }
  }
}

/** As many changes of pipes are known. */
const mostChanges = 1000

/** The pipes of a store by their ids, which know which of those of warehouses changed last. */
export class PipeMap extends CountedMap<PipeId, StoredPipe> {
  /** When a pipe was changed or deleted, as a number of changes: the oldest first. */
  readonly #changedAt = new Map<PipeId, number>()
  #changes = 0
  /** The last change that is no longer known. */
  #forgotten = 0

  constructor() {
    super(({ pipe }) => pipe)
  }

  #change(id: PipeId): void {
    this.#changedAt.delete(id)
    this.#changedAt.set(id, (this.#changes += 1))
    const [oldest] = this.#changedAt
    if (oldest === undefined || this.#changedAt.size <= mostChanges) return
    this.#changedAt.delete(oldest[0])
    this.#forgotten = oldest[1]
  }

  override set(id: PipeId, stored: StoredPipe): this {
    const before = this.get(id)?.warehouse
    if (before !== undefined || stored.warehouse !== undefined) this.#change(id)
    return super.set(id, stored)
  }

  override delete(id: PipeId): boolean {
    if (this.get(id)?.warehouse !== undefined) this.#change(id)
    return super.delete(id)
  }

  override clear(): void {
    for (const id of this.keys()) this.delete(id)
    super.clear()
  }

  /** How many changes there were. */
  get changes(): number {
    return this.#changes
  }

  /** The pipes that were changed or deleted after as many changes; `undefined` if this is not known. */
  changedSince(count: number): ReadonlyArray<PipeId> | undefined {
    if (!Number.isInteger(count) || count < this.#forgotten || count > this.#changes) return undefined
    return Array.from(this.#changedAt).flatMap(([id, at]) => (at > count ? [id] : []))
  }
}

/**
 * The API keys of a store by `keyIdHash`, in the order of insertion, with an index by id and one by organization, so that
 * no operation reads the keys of other organizations.
 */
export class KeyMap extends CountedMap<string, ApiKeyRecord> {
  readonly #hashesByOwner = new Map<OrganizationId, Set<string>>()
  readonly #hashById = new Map<ApiKeyId, string>()
  /** The sessions and codes of the keys by their hashes, oldest first. They go with their key. */
  readonly console: { readonly [Kind in ConsoleKind]: Map<string, ConsoleRecord> } = {
    session: new Map(),
    code: new Map()
  }

  constructor(entries: Iterable<readonly [keyIdHash: string, record: ApiKeyRecord]> = []) {
    // The constructor of Map would call `set` before the private fields of this class exist.
    // Its state and its last use do not count, so that a key can be disabled and used whatever the limit is.
    super(({ key: { state: _state, usedAt: _usedAt, ...document } }) => document)
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
      this.endConsole(held.key.id)
    }
    return super.delete(keyIdHash)
  }

  override clear(): void {
    this.#hashesByOwner.clear()
    this.#hashById.clear()
    for (const made of Object.values(this.console)) made.clear()
    super.clear()
  }

  /** Ends the sessions and codes of a key. */
  endConsole(id: ApiKeyId): void {
    for (const made of Object.values(this.console)) {
      for (const [hash, { keyId }] of made) if (keyId === id) made.delete(hash)
    }
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
}

type DocumentMaps = { readonly [Name in DocumentKindName]: CountedMap<string, DocumentRecord> }

/** A map for each kind of documents. */
const documentMaps = () =>
  mapKinds<DocumentMaps>(Struct.keys(documentKinds), () => new CountedMap(({ document }) => document))

/** A deleted pipe. `claimedUntil`: milliseconds since 1970. */
interface StoredDeletedPipe extends DeletedPipe, Owned {
  readonly claimedUntil: number
}

/**
 * What the memory adapter holds. The maps keep the order of insertion. Every change is one synchronous step, so no other
 * fiber runs in the middle of it and no lock is needed.
 */
export class MemoryStore extends Context.Service<
  MemoryStore,
  DocumentMaps & {
    readonly organizations: Map<OrganizationId, KindRecords["organizations"]>
    readonly services: Map<ServiceId, StoredService>
    readonly endpoints: CountedMap<ReversePrivateEndpointId, StoredEndpoint>
    readonly pipes: PipeMap
    /** The deleted pipes of warehouses, until they are cleaned up. */
    readonly deletedPipes: CountedMap<PipeId, StoredDeletedPipe>
    /** The tables that pipes have opened, in the order in which they were first opened. */
    readonly pipeTables: Map<string, PipeTable>
    /** By `keyIdHash`, by which a key is found when a caller authenticates. */
    readonly keys: KeyMap
    readonly roles: CountedMap<RoleId, KindRecords["roles"]>
    /** By `tokenHash`. */
    readonly tokens: Map<string, TokenRecord>
    readonly dashboards: CountedMap<DashboardId, KindRecords["dashboards"]>
    /** The answers of creations with idempotency keys, of each organization, oldest first. */
    readonly answers: Map<OrganizationId, Map<string, KeptAnswer>>
    readonly connections: CountedMap<ConnectionId, ConnectionRecord>
    readonly sources: CountedMap<SourceId, SourceRecord>
  }
>()("@headgate/memory-adapter/MemoryStore") {
  /** An empty store. */
  static readonly layer: Layer.Layer<MemoryStore> = Layer.sync(MemoryStore, () => ({
    organizations: new Map(),
    services: new Map(),
    endpoints: new CountedMap<ReversePrivateEndpointId, StoredEndpoint>(({ endpoint }) => endpoint),
    pipes: new PipeMap(),
    deletedPipes: new CountedMap<PipeId, StoredDeletedPipe>(({ record }) => record.pipe),
    pipeTables: new Map(),
    keys: new KeyMap(),
    roles: new CountedMap<RoleId, KindRecords["roles"]>(({ role }) => role),
    tokens: new Map(),
    dashboards: new CountedMap<DashboardId, KindRecords["dashboards"]>(({ dashboard }) => dashboard),
    answers: new Map(),
    connections: new CountedMap<ConnectionId, ConnectionRecord>(({ connection }) => connection),
    sources: new CountedMap<SourceId, SourceRecord>(({ source }) => source),
    ...documentMaps()
  }))
}

/** Deletes the pipes that match. Those of warehouses are kept among the deleted ones. `now`: milliseconds since 1970. */
export const deletePipes = (
  { deletedPipes, pipes }: MemoryStore["Service"],
  now: number,
  matches: (stored: StoredPipe) => boolean
): void => {
  for (const [id, stored] of pipes) {
    if (!matches(stored)) continue
    pipes.delete(id)
    const { events: _, organizationId, warehouse, ...record } = stored
    if (warehouse === undefined) continue
    const address = { organizationId, serviceId: record.pipe.serviceId, pipeId: id }
    const kept = { record: { ...record, warehouse }, deletedAt: now, attempts: 0, claimedUntil: 0 }
    deletedPipes.set(id, { organizationId, address, warehouse, ...kept })
  }
}

/** What the store holds of one resource of each kind. */
export interface StoredRecords extends Omit<KindRecords, "services" | "endpoints" | "pipes"> {
  readonly services: StoredService
  readonly endpoints: StoredEndpoint
  readonly pipes: StoredPipe
}

/** The map of each kind, by what an import finds a resource by. */
export type KindMaps = { readonly [Kind in KindName]: Map<string, StoredRecords[Kind]> }

/** The maps of a store that hold what belongs to an organization. */
export const ownedMaps = (store: MemoryStore["Service"]): ReadonlyArray<Map<string, Owned>> =>
  Struct.keys(Struct.omit(kinds, ["organizations"])).map((kind) => store[kind])

const emptyUsage = organizationUsage(0)
const countedKinds = Struct.keys(Struct.omit(emptyUsage, ["documentBytes"]))

/** What an organization holds. Deleted pipes that are not cleaned up count, so that no caller fills the store with them. */
export const usageOf = (store: MemoryStore["Service"], organizationId: OrganizationId): OrganizationUsage => {
  const kept = store.deletedPipes.usageOf(organizationId)
  const usage: { -readonly [Count in keyof OrganizationUsage]: number } = { ...emptyUsage, documentBytes: kept.bytes }
  for (const kind of countedKinds) {
    const { bytes, count } = store[kind].usageOf(organizationId)
    usage[kind] = count
    usage.documentBytes += bytes
  }
  usage.pipes += kept.count
  return usage
}

/** Whether a creation is only validated: its checks run, and nothing is inserted. */
export const IsOnlyValidated = Context.Reference<boolean>("@headgate/memory-adapter/IsOnlyValidated", {
  defaultValue: () => false
})

/** What a creation reads of its context, before the step in which it inserts. */
export interface CreationTerms {
  readonly limits: OrganizationUsage
  readonly isOnlyValidated: boolean
}

/** Reads {@link CreationTerms}. */
export const creationTerms: Effect.Effect<CreationTerms> = Effect.all({
  limits: OrganizationLimits,
  isOnlyValidated: IsOnlyValidated
})

/**
 * Inserts a value into a map, unless the creation is only validated. Returns why it must not: there is no such organization, or it
 * would exceed a limit. No other fiber runs in between.
 */
export const insertWithinLimits = <K extends string, V extends Owned>(
  store: MemoryStore["Service"],
  { isOnlyValidated, limits }: CreationTerms,
  created: CountedKind,
  map: CountedMap<K, V>,
  key: K,
  value: V
): Forbidden | Conflict | undefined => {
  const { organizationId } = value
  if (!store.organizations.has(organizationId)) return noOrganization(organizationId)
  const usage = usageOf(store, organizationId)
  const after = { ...usage, [created]: usage[created] + 1, documentBytes: usage.documentBytes + map.bytesOf(value) }
  const exceeded = limitRules.created(created, after, limits)
  if (exceeded === undefined && !isOnlyValidated) map.set(key, value)
  return exceeded
}

/**
 * Replaces the value of a key in a map. Puts the old one back and fails with a `Conflict` if the organization's documents
 * have grown above its limit: a change that makes none larger is always possible.
 */
export const replaceWithinLimit = Effect.fnUntraced(function* <K extends string, V extends Owned>(
  store: MemoryStore["Service"],
  map: CountedMap<K, V>,
  key: K,
  value: V
) {
  const limits = yield* OrganizationLimits
  const held = map.get(key)
  const { organizationId } = value
  const { bytes } = map.usageOf(organizationId)
  map.set(key, value)
  const grew = map.usageOf(organizationId).bytes > bytes
  const exceeded = grew ? limitRules.bytes(usageOf(store, organizationId), limits) : undefined
  if (exceeded === undefined || held === undefined) return
  map.set(key, held)
  return yield* exceeded
})

/** The custom roles of an organization, newest last. */
export const customRoles = ({ roles }: MemoryStore["Service"], organizationId: OrganizationId): ReadonlyArray<Role> =>
  Array.from(roles.values()).flatMap((stored) => (stored.organizationId === organizationId ? [stored.role] : []))

/** Runs a change that reads what it writes: no other fiber runs between its steps. It waits for nothing. */
export const inOneStep: <A, E, R>(change: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = Effect.provideService(
  PreventSchedulerYield,
  true
)
