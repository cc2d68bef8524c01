import { type FieldIssue, type OrganizationId, type Snapshot, Snapshots } from "@headgate/core"
import {
  documentKinds,
  idConflict,
  type ImportSummary,
  invalidRequest,
  type PathStart,
  resume,
  type OrganizationSummary,
  secretsOf,
  type SnapshotContent,
  type SnapshotRow,
  type SnapshotRows,
  snapshotRows,
  toSnapshot,
  withVersion
} from "@headgate/core/adapter"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Struct from "effect/Struct"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import { deletePipes, MemoryStore, ownedMaps } from "../MemoryStore.ts"
import { currentPipe, pathStart } from "../pipe/storedPipes.ts"
import { currentEndpoint, storedEndpoint } from "../service/MemoryReversePrivateEndpoints.ts"
import { currentService, stepTimes, withState } from "../service/storedServices.ts"

const kindNames = Struct.keys(documentKinds)

/** What an import would do. Nothing is changed before `apply`. */
interface ImportPlan {
  readonly issues: ReadonlyArray<FieldIssue>
  readonly summary: ImportSummary
  readonly apply: () => void
}

const planOf = <K extends string, A>(options: {
  readonly rows: ReadonlyArray<SnapshotRow<A>>
  readonly map: Map<K, A>
  readonly field: string
  readonly keyOf: (value: A) => K
  /** A value that the store holds already is kept if it has the same owner. Another owner is a conflict. */
  readonly ownerOf: (value: A) => string
}): ImportPlan => {
  const { field, keyOf, map, ownerOf, rows } = options
  const fresh = rows.filter(({ value }) => !map.has(keyOf(value)))
  return {
    issues: rows.flatMap(({ path, value }) => {
      const held = map.get(keyOf(value))
      return held === undefined || ownerOf(held) === ownerOf(value) ? [] : [idConflict(`${path}.${field}`)]
    }),
    summary: { added: fresh.length, kept: rows.length - fresh.length },
    apply: () => fresh.forEach(({ value }) => map.set(keyOf(value), value))
  }
}

/** Keys and tokens are found by their hash. A new one must not have the id of another one that the store holds. */
const idConflicts = <A>(options: {
  readonly rows: ReadonlyArray<SnapshotRow<A>>
  readonly map: Map<string, A>
  readonly hashOf: (value: A) => string
  readonly idOf: (value: A) => string
}): ReadonlyArray<FieldIssue> => {
  const { hashOf, idOf, map, rows } = options
  const held = new Set(Array.from(map.values(), idOf))
  return rows.flatMap(({ path, value }) =>
    !map.has(hashOf(value)) && held.has(idOf(value)) ? [idConflict(`${path}.id`)] : []
  )
}

/**
 * `start` is the time of the import: pipes in a passing state go on from then, and services in a passing state at `due`.
 */
const planImport = (store: MemoryStore["Service"], rows: SnapshotRows, start: PathStart, due: number): ImportPlan => {
  const plans = [
    planOf({
      rows: rows.organizations,
      map: store.organizations,
      field: "id",
      keyOf: (organization) => organization.id,
      ownerOf: () => ""
    }),
    planOf({
      rows: rows.services.map(({ path, value }) => ({ path, value: withState(value, value.service.state, due) })),
      map: store.services,
      field: "id",
      keyOf: ({ service }) => service.id,
      ownerOf: ({ organizationId }) => organizationId
    }),
    planOf({
      rows: rows.endpoints.map(({ path, value }) => ({
        path,
        value: storedEndpoint(value.organizationId, value.endpoint, due)
      })),
      map: store.endpoints,
      field: "id",
      keyOf: ({ endpoint }) => endpoint.id,
      ownerOf: ({ endpoint, organizationId }) => `${organizationId}/${endpoint.serviceId}`
    }),
    planOf({
      rows: rows.pipes.map(({ path, value: { organizationId, pipe } }) => {
        const moving = resume(pipe, start)
        return { path, value: { organizationId, ...moving, pipe: withVersion({ ...moving.pipe }, 1) } }
      }),
      map: store.pipes,
      field: "id",
      keyOf: ({ pipe }) => pipe.id,
      ownerOf: ({ organizationId, pipe }) => `${organizationId}/${pipe.serviceId}`
    }),
    planOf({
      rows: rows.roles,
      map: store.roles,
      field: "id",
      keyOf: ({ role }) => role.id,
      ownerOf: ({ organizationId }) => organizationId
    }),
    planOf({
      rows: rows.keys,
      map: store.keys,
      field: "hashData.keyIdHash",
      keyOf: (record) => record.keyIdHash,
      ownerOf: (record) => record.organizationId
    }),
    planOf({
      rows: rows.tokens,
      map: store.tokens,
      field: "tokenHash",
      keyOf: (token) => token.tokenHash,
      ownerOf: (token) => token.organizationId
    }),
    planOf({
      rows: rows.dashboards,
      map: store.dashboards,
      field: "id",
      keyOf: ({ dashboard }) => dashboard.id,
      ownerOf: ({ organizationId }) => organizationId
    }),
    planOf({
      rows: rows.connections,
      map: store.connections,
      field: "id",
      keyOf: ({ connection }) => connection.id,
      ownerOf: ({ organizationId }) => organizationId
    }),
    planOf({
      rows: rows.sources,
      map: store.sources,
      field: "id",
      keyOf: ({ source }) => source.id,
      ownerOf: ({ organizationId }) => organizationId
    }),
    ...kindNames.map((kind) =>
      planOf({
        rows: rows[kind],
        map: store[kind],
        field: "id",
        keyOf: ({ document }) => document.id,
        ownerOf: ({ organizationId }) => organizationId
      })
    )
  ]
  return {
    issues: [
      ...plans.flatMap(({ issues }) => issues),
      ...idConflicts({
        rows: rows.keys,
        map: store.keys,
        hashOf: ({ keyIdHash }) => keyIdHash,
        idOf: ({ key }) => key.id
      }),
      ...idConflicts({
        rows: rows.tokens,
        map: store.tokens,
        hashOf: ({ tokenHash }) => tokenHash,
        idOf: ({ token }) => token.id
      })
    ],
    summary: {
      added: plans.reduce((sum, { summary }) => sum + summary.added, 0),
      kept: plans.reduce((sum, { summary }) => sum + summary.kept, 0)
    },
    apply: () => plans.forEach(({ apply }) => apply())
  }
}

const summariesOf = (store: MemoryStore["Service"]): ReadonlyArray<OrganizationSummary> => {
  const byOwner = <A extends { readonly organizationId: OrganizationId }>(map: ReadonlyMap<string, A>) => {
    const owned = Arr.groupBy(map.values(), ({ organizationId }) => organizationId)
    return (id: OrganizationId): ReadonlyArray<A> => owned[id] ?? []
  }
  const services = byOwner(store.services)
  const pipes = byOwner(store.pipes)
  const keys = byOwner(store.keys)
  const tokens = byOwner(store.tokens)
  const dashboards = byOwner(store.dashboards)
  const roles = byOwner(store.roles)
  const endpoints = byOwner(store.endpoints)
  const connections = byOwner(store.connections)
  const sources = byOwner(store.sources)
  const savedSearches = byOwner(store.savedSearches)
  const webhooks = byOwner(store.webhooks)
  const alerts = byOwner(store.alerts)
  return Array.from(store.organizations.values(), ({ id, name }) => ({
    id,
    name,
    services: services(id).map(({ service }) => ({ id: service.id, name: service.name })),
    pipes: pipes(id).length,
    keys: keys(id).length,
    tokens: tokens(id).length,
    dashboards: dashboards(id).length,
    roles: roles(id).length,
    endpoints: endpoints(id).length,
    connections: connections(id).length,
    sources: sources(id).length,
    savedSearches: savedSearches(id).length,
    webhooks: webhooks(id).length,
    alerts: alerts(id).length
  }))
}

const contentOf = (store: MemoryStore["Service"], now: number): SnapshotContent => ({
  organizations: Array.from(store.organizations.values()),
  services: Array.from(store.services.values(), (stored) => currentService(stored, now)),
  endpoints: Array.from(store.endpoints.values(), (stored) => ({
    organizationId: stored.organizationId,
    endpoint: currentEndpoint(stored, now)
  })),
  pipes: Array.from(store.pipes.values(), (stored) => currentPipe(store.pipes, stored, now)),
  roles: Array.from(store.roles.values()),
  keys: Array.from(store.keys.values()),
  tokens: Array.from(store.tokens.values()),
  dashboards: Array.from(store.dashboards.values()),
  connections: Array.from(store.connections.values()),
  sources: Array.from(store.sources.values()),
  savedSearches: Array.from(store.savedSearches.values()),
  webhooks: Array.from(store.webhooks.values()),
  alerts: Array.from(store.alerts.values())
})

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
      import: Effect.fn("MemorySnapshots.import")(function* (snapshot) {
        const rows = yield* snapshotRows(snapshot)
        const start = yield* pathStart
        const { due } = yield* stepTimes
        // No yield between the plan and `apply`, so no other fiber runs between them.
        const { apply, issues, summary } = planImport(store, rows, start, due)
        if (issues.length > 0) return yield* invalidRequest(issues)
        apply()
        return summary
      }, Effect.provideContext(crypto)),
      replace: Effect.fn("MemorySnapshots.replace")(function* (snapshot) {
        const rows = yield* snapshotRows(snapshot)
        const start = yield* pathStart
        const { due } = yield* stepTimes
        // An empty store has nothing that the rows could conflict with. No yield from here on, as in `import`.
        const { size } = store.pipes
        deletePipes(store, start.now, () => true)
        const removed = size + clear(store)
        // What they answer does not exist any more.
        store.answers.clear()
        const { apply, summary } = planImport(store, rows, start, due)
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
