import { type FieldIssue, type OrganizationId, type Snapshot, Snapshots } from "@headgate/core"
import {
  idConflict,
  type ImportSummary,
  invalidRequest,
  type KindName,
  kindNames,
  kinds,
  mapKinds,
  type OrganizationSummary,
  pipeLifecycle,
  secretsOf,
  type SnapshotContent,
  type SnapshotRow,
  type SnapshotRows,
  snapshotRows,
  type SummedKind,
  summedKinds,
  toSnapshot,
  type TransitionTime,
  withVersion
} from "@headgate/core/adapter"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import { deletePipes, type KindMaps, MemoryStore, ownedMaps, type StoredRecords } from "../MemoryStore.ts"
import { currentPipe, transitionTime } from "../pipe/storedPipes.ts"
import { currentEndpoint, storedEndpoint } from "../service/MemoryReversePrivateEndpoints.ts"
import { currentService, stepTimes, withState } from "../service/storedServices.ts"

/** The rows of a snapshot as a store holds them. */
type StoredRows = { readonly [Kind in KindName]: ReadonlyArray<SnapshotRow<StoredRecords[Kind]>> }

/** `start` is the time of the import: pipes in a passing state go on from then, services and endpoints at `due`. */
const storedRows = (rows: SnapshotRows, start: TransitionTime, due: number): StoredRows => ({
  ...rows,
  services: rows.services.map(({ path, value }) => ({ path, value: withState(value, value.service.state, due) })),
  endpoints: rows.endpoints.map(({ path, value: { endpoint, organizationId } }) => ({
    path,
    value: storedEndpoint(organizationId, endpoint, due)
  })),
  pipes: rows.pipes.map(({ path, value: { organizationId, pipe } }) => {
    const record = pipeLifecycle.resume(pipe, start)
    return { path, value: { organizationId, ...record, pipe: withVersion({ ...record.pipe }, 1) } }
  })
})

/** What an import would do. Nothing is changed before `apply`. */
interface ImportPlan {
  readonly issues: ReadonlyArray<FieldIssue>
  readonly summary: ImportSummary
  readonly apply: () => void
}

const planKind = <Kind extends KindName>(kind: Kind, maps: KindMaps, rows: StoredRows): ImportPlan => {
  const { identity, ownerOf, resourceOf } = kinds[kind]
  const [field, keyOf] = identity
  const map = maps[kind]
  const fresh = rows[kind].filter(({ value }) => !map.has(keyOf(value)))
  // What is found by a hash must not have the id of another one that the store holds.
  const ids = new Set(field === "id" ? [] : Array.from(map.values(), (stored) => resourceOf(stored).id))
  const conflicts = rows[kind].flatMap(({ path, value }) => {
    const held = map.get(keyOf(value))
    // A value that the store holds already is kept if it has the same owner.
    return held === undefined || ownerOf(held) === ownerOf(value) ? [] : [idConflict(`${path}.${field}`)]
  })
  const taken = fresh.filter(({ value }) => ids.has(resourceOf(value).id))
  return {
    issues: [...conflicts, ...taken.map(({ path }) => idConflict(`${path}.id`))],
    summary: { added: fresh.length, kept: rows[kind].length - fresh.length },
    apply: () => fresh.forEach(({ value }) => map.set(keyOf(value), value))
  }
}

const planImport = (maps: KindMaps, rows: StoredRows): ImportPlan => {
  const plans = kindNames.map((kind) => planKind(kind, maps, rows))
  return {
    issues: plans.flatMap(({ issues }) => issues),
    summary: {
      added: plans.reduce((sum, { summary }) => sum + summary.added, 0),
      kept: plans.reduce((sum, { summary }) => sum + summary.kept, 0)
    },
    apply: () => plans.forEach(({ apply }) => apply())
  }
}

const summariesOf = (store: MemoryStore["Service"]): ReadonlyArray<OrganizationSummary> => {
  const services = Arr.groupBy(store.services.values(), ({ organizationId }) => organizationId)
  const held = mapKinds<Readonly<Record<SummedKind, Map<OrganizationId, number>>>>(summedKinds, (kind) => {
    const counts = new Map<OrganizationId, number>()
    for (const { organizationId } of store[kind].values())
      counts.set(organizationId, (counts.get(organizationId) ?? 0) + 1)
    return counts
  })
  return Array.from(store.organizations.values(), ({ id, name }) => ({
    id,
    name,
    services: (services[id] ?? []).map(({ service }) => ({ id: service.id, name: service.name })),
    ...mapKinds<Readonly<Record<SummedKind, number>>>(summedKinds, (kind) => held[kind].get(id) ?? 0)
  }))
}

const contentOf = (store: MemoryStore["Service"], now: number): SnapshotContent => {
  const maps: KindMaps = store
  const held: { readonly [Kind in KindName]: Array<StoredRecords[Kind]> } = mapKinds(kindNames, () => [])
  const add = <Kind extends KindName>(kind: Kind) => {
    for (const stored of maps[kind].values()) held[kind].push(stored)
  }
  kindNames.forEach(add)
  return {
    ...held,
    services: held.services.map((stored) => currentService(stored, now)),
    endpoints: held.endpoints.map((stored) => ({
      organizationId: stored.organizationId,
      endpoint: currentEndpoint(stored, now)
    })),
    pipes: held.pipes.map((stored) => currentPipe(store.pipes, stored, now))
  }
}

/** Empties the store and returns how many things it held. */
const clear = (store: MemoryStore["Service"]): number =>
  [store.organizations, ...ownedMaps(store)].reduce((sum, map) => {
    const { size } = map
    map.clear()
    return sum + size
  }, 0)

const layer: Layer.Layer<Snapshots, never, MemoryStore | SecureRandom> = Layer.effect(
  Snapshots,
  Effect.gen(function* () {
    const store = yield* MemoryStore
    const crypto = yield* Effect.context<SecureRandom>()
    const content = Effect.map(Clock.currentTimeMillis, (now) => contentOf(store, now))

    return Snapshots.of({
      import: Effect.fnUntraced(function* (snapshot) {
        const rows = yield* snapshotRows(snapshot)
        const start = yield* transitionTime
        const { due } = yield* stepTimes
        // No yield between the plan and `apply`, so no other fiber runs between them.
        const { apply, issues, summary } = planImport(store, storedRows(rows, start, due))
        if (issues.length > 0) return yield* invalidRequest(issues)
        apply()
        return summary
      }, Effect.provideContext(crypto)),
      replace: Effect.fnUntraced(function* (snapshot) {
        const rows = yield* snapshotRows(snapshot)
        const start = yield* transitionTime
        const { due } = yield* stepTimes
        // An empty store has nothing that the rows could conflict with. No yield from here on, as in `import`.
        const { size } = store.pipes
        deletePipes(store, start.now, () => true)
        const removed = size + clear(store)
        // What they answer does not exist any more.
        store.answers.clear()
        store.pipeTables.clear()
        const { apply, summary } = planImport(store, storedRows(rows, start, due))
        apply()
        return { removed, added: summary.added }
      }, Effect.provideContext(crypto)),
      export: content.pipe(Effect.map(toSnapshot), Effect.withSpan("MemorySnapshots.export")),
      exportWithSecrets: content.pipe(
        Effect.map((held): Snapshot => ({ ...toSnapshot(held), secrets: secretsOf(held) })),
        Effect.withSpan("MemorySnapshots.exportWithSecrets")
      ),
      organizations: Effect.sync(() => summariesOf(store)).pipe(Effect.withSpan("MemorySnapshots.organizations"))
    })
  })
)

/** The `Snapshots` port over a {@link MemoryStore}, which has no sealing key: it imports no sealed secrets. */
export const MemorySnapshots = { layer }
