import { assert, describe, it } from "@effect/vitest"
import { pipeRequests } from "@headgate/conformance/fixtures"
import {
  ApiKeys,
  type CallError,
  OrganizationId,
  PipeCreate,
  Pipes,
  ReversePrivateEndpoints,
  Roles,
  ServiceId,
  type Snapshot,
  Snapshots
} from "@headgate/core"
import {
  CallingKey,
  ConsoleSessions,
  decodeRequest,
  IdempotentCreations,
  OrganizationConnections,
  OrganizationDashboards,
  OrganizationDocuments,
  OrganizationSources,
  PipeTables,
  StoredServices,
  Tokens
} from "@headgate/core/adapter"
import { Leases, Ledger } from "@headgate/mover"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as SqlClient from "effect/sql/SqlClient"
import { SqlAdapter, type SqlPorts } from "../src/index.ts"
import { SqlLeases, SqlLedger } from "../src/mover/index.ts"
import { describePostgres, sealingKey } from "./support/postgres.ts"

const removed = OrganizationId.make("0a0b0c0d-0000-4000-8000-000000000001")
const kept = OrganizationId.make("0a0b0c0d-0000-4000-8000-000000000002")
const serviceOf = (id: OrganizationId) => ServiceId.make(id.replace("0a0b0c0d", "5e000000"))

const organizations: Snapshot = {
  organizations: [removed, kept].map((id) => ({ id, name: "x", services: [{ id: serviceOf(id), name: "x" }] }))
}

const host = "https://db.example.com"

/** The ids of the pipes and of some keys of each organization, also of those that are gone. */
const idsOf = new Map<OrganizationId, ReadonlyArray<string>>()

const noteId = (organizationId: OrganizationId, id: string) =>
  void idsOf.set(organizationId, [...(idsOf.get(organizationId) ?? []), id])

const createPipe = Effect.fnUntraced(function* (organizationId: OrganizationId) {
  const request = yield* decodeRequest(PipeCreate)(pipeRequests.kafka)
  const address = { organizationId, serviceId: serviceOf(organizationId) }
  const pipe = yield* Pipes.use((pipes) => pipes.create(address, request))
  noteId(organizationId, pipe.id)
  return pipe
})

/** Makes what opens the console, for a new key. */
const createForKey = (make: keyof ConsoleSessions["Service"]) =>
  Effect.fnUntraced(function* (organizationId: OrganizationId) {
    const { key } = yield* ApiKeys.use((keys) => keys.create({ organizationId }, { name: "x", roles: ["admin"] }))
    noteId(organizationId, key.id)
    return yield* Effect.provideService(
      ConsoleSessions.use((sessions): Effect.Effect<unknown, CallError> => sessions[make]({ organizationId })),
      CallingKey,
      key.id
    )
  })

const createConnection = (organizationId: OrganizationId) =>
  OrganizationConnections.use((connections) =>
    connections.of(organizationId).create({ name: "x", host, password: Redacted.make("secret") })
  )

const createSource = Effect.fnUntraced(function* (organizationId: OrganizationId) {
  const connection = (yield* createConnection(organizationId)).id
  return yield* (yield* OrganizationSources).of(organizationId).create({ name: "x", kind: "log", connection })
})

const createSearch = Effect.fnUntraced(function* (organizationId: OrganizationId) {
  const sourceId = (yield* createSource(organizationId)).id
  return yield* (yield* OrganizationDocuments).of(organizationId).savedSearches.create({ name: "x", sourceId })
})

let webhooks = 0

const createWebhook = (organizationId: OrganizationId) =>
  OrganizationDocuments.use(({ of }) =>
    of(organizationId).webhooks.create({
      name: `x${(webhooks += 1)}`,
      service: "generic",
      url: Redacted.make("https://x.test")
    })
  )

/**
 * The creation of one of everything that an organization can have, by its table. One that commits by itself runs `written` before it
 * does.
 */
const creations: Readonly<
  Record<
    string,
    (
      organizationId: OrganizationId,
      written?: Effect.Effect<void>
    ) => Effect.Effect<unknown, unknown, SqlPorts | SqlClient.SqlClient>
  >
> = {
  pipe: createPipe,
  // It fills the tables of the owner, the position, the pending ranges, the objects and the history of a pipe.
  mover_range: Effect.fnUntraced(function* (organizationId: OrganizationId) {
    const { id: pipeId } = yield* createPipe(organizationId)
    const ledger = yield* Effect.provide(Ledger, SqlLedger.layer)
    const owner = yield* ledger.take(pipeId)
    const current = { generation: 1, source: organizationId }
    yield* ledger.begin(owner, { ...current, starts: new Map([[organizationId, "0"]]) })
    const range = { pipeId, ...current, partition: organizationId, from: "0", to: "5" }
    yield* ledger.record(owner, range)
    yield* ledger.markDone(owner, range, { rows: 5, rejected: 0, bytes: 5, objects: [{ key: "a", etag: "1" }] })
    yield* ledger.record(owner, { ...range, from: "5", to: "6" })
    const leases = yield* Effect.provide(Leases, SqlLeases.layer())
    const name = organizationId === removed ? "one" : "another"
    yield* leases.share({ id: name, serves: "*" }, new Set([pipeId]))
    yield* leases.saveMetrics(name, new Map([[pipeId, organizationId]]))
    const sql = yield* SqlClient.SqlClient
    yield* sql`INSERT INTO packed_history (pipe_seq, step, begins, ends, spans) SELECT seq, 1, 1, 1, ${Uint8Array.of(2, 1)} FROM history_pipe WHERE pipe_id = ${pipeId}`
  }),
  pipe_table: Effect.fnUntraced(function* (organizationId: OrganizationId) {
    const { id: pipeId, serviceId } = yield* createPipe(organizationId)
    const names = { warehouse: "events", database: "default", table: "clicks", knownBy: "1" }
    const table = { organizationId, serviceId, pipeId, ...names, isCreated: true, isVersioned: false }
    yield* PipeTables.use(({ opened }) => opened([table]))
  }),
  reverse_private_endpoint: (organizationId: OrganizationId) =>
    ReversePrivateEndpoints.use((endpoints) =>
      endpoints.create(
        { organizationId, serviceId: serviceOf(organizationId) },
        { description: "x", type: "VPC_ENDPOINT_SERVICE", vpcEndpointServiceName: "vpce-svc" }
      )
    ),
  api_key: (organizationId: OrganizationId) =>
    ApiKeys.use((keys) => keys.create({ organizationId }, { name: "x", roles: ["admin"] })),
  console_session: createForKey("createSession"),
  console_code: createForKey("createCode"),
  custom_role: (organizationId: OrganizationId) =>
    Roles.use((roles) => roles.create({ organizationId }, { name: "x", actors: [], policies: [] })),
  token: (organizationId: OrganizationId) => Tokens.use((tokens) => tokens.create(organizationId, "x")),
  dashboard: (organizationId: OrganizationId) =>
    OrganizationDashboards.use((dashboards) => dashboards.of(organizationId).create({ name: "x" })),
  connection: createConnection,
  dashboard_source: createSource,
  saved_search: createSearch,
  webhook: createWebhook,
  alert: Effect.fnUntraced(function* (organizationId: OrganizationId) {
    const savedSearchId = (yield* createSearch(organizationId)).id
    const channel = { type: "webhook", webhookId: (yield* createWebhook(organizationId)).id } as const
    const { alerts } = (yield* OrganizationDocuments).of(organizationId)
    yield* alerts.create({ savedSearchId, threshold: 1, thresholdType: "above", interval: "5m", channel })
  }),
  dashboard_role: (organizationId: OrganizationId) =>
    OrganizationDocuments.use(({ of }) => of(organizationId).dashboardRoles.create({ name: "x", permissions: [] })),
  idempotent_creation: Effect.fnUntraced(function* (organizationId: OrganizationId, written = Effect.void) {
    const creation = { organizationId, scope: `${organizationId} POST /keys`, key: "k-1", body: "{}" }
    const keys = yield* ApiKeys
    const key = Effect.tap(keys.create({ organizationId }, { name: "x", roles: ["admin"] }), () => written)
    const create = Effect.as(key, { text: "{}" })
    yield* IdempotentCreations.use(({ once }) => once(creation, create))
  })
}

const createEverything = (organizationId: OrganizationId) =>
  Effect.forEach(Object.values(creations), (create) => Effect.asVoid(create(organizationId)))

/** Every table of the database, and the rows in which an organization, its service or something of it occurs. */
const rowsOf = Effect.fnUntraced(function* (organizationId: OrganizationId) {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql.onDialectOrElse({
    pg: () =>
      sql<{ readonly name: string }>`SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()`,
    orElse: () => sql<{ readonly name: string }>`SELECT name FROM sqlite_master WHERE type = 'table'`
  })
  const found: Record<string, ReadonlyArray<string>> = {}
  for (const { name } of tables) {
    // A number names the pipe of a packed history.
    const table =
      name === "packed_history"
        ? sql`(SELECT packed_history.*, pipe_id FROM packed_history JOIN history_pipe ON history_pipe.seq = pipe_seq)`
        : sql(name)
    // As text: the driver reads no ids of transactions. By a name that no table has as a column.
    const rows = yield* sql.onDialectOrElse({
      pg: () =>
        Effect.map(sql<{ readonly row: string }>`SELECT CAST(one_row AS TEXT) AS row FROM ${table} AS one_row`, (all) =>
          all.map(({ row }) => row)
        ),
      orElse: () => Effect.map(sql`SELECT * FROM ${table}`, (all) => all.map((row) => Object.values(row).join(" ")))
    })
    const ids = [organizationId, serviceOf(organizationId), ...(idsOf.get(organizationId) ?? [])]
    found[name] = rows.filter((row) => ids.some((id) => row.includes(id)))
  }
  return found
})

/** The tables with rows. */
const filled = (rows: Readonly<Record<string, ReadonlyArray<string>>>) =>
  Object.keys(rows).filter((name) => rows[name]?.length !== 0)

/** The tables that belong to the whole store. */
const ofStore = [
  "headgate_migrations",
  "sealing_key",
  "pipe_changes",
  "store_setting",
  "sqlite_sequence",
  "rate_window",
  "deleted_pipe",
  "mover_session",
  // Empty since leases belong to sessions: servers of the version before still ask them.
  "mover_process",
  "mover_lease",
  "history_mover"
]

const removal = Effect.gen(function* () {
  yield* Snapshots.use((snapshots) => snapshots.import(organizations))
  for (const id of [removed, kept]) yield* createEverything(id)
  const before = yield* rowsOf(removed)
  const others = yield* rowsOf(kept)
  // A table that is added later must be filled here, or named above.
  const owned = Object.keys(before).filter((name) => !ofStore.includes(name))
  assert.sameMembers(filled(before), owned)
  yield* StoredServices.use((stored) => stored.removeOrganization(removed))
  assert.deepStrictEqual(filled(yield* rowsOf(removed)), [])
  assert.deepStrictEqual(yield* rowsOf(kept), others)
  yield* Snapshots.use((snapshots) => snapshots.replace({ organizations: [] }))
  assert.deepStrictEqual(filled(yield* rowsOf(kept)), [])
})

/** Creations whose caller was authenticated before the organization was removed. */
const laterCreations = Effect.gen(function* () {
  yield* Snapshots.use((snapshots) => snapshots.import(organizations))
  yield* StoredServices.use((stored) => stored.removeOrganization(removed))
  for (const [table, create] of Object.entries(creations)) {
    assert.isTrue(Exit.isFailure(yield* Effect.exit(Effect.asVoid(create(removed)))), table)
  }
  const refused = yield* Effect.flip(
    OrganizationDashboards.use((dashboards) => dashboards.of(removed).create({ name: "x" }))
  )
  assert.deepStrictEqual([refused._tag, refused.message], ["Forbidden", `there is no organization ${removed}`])
  assert.deepStrictEqual(filled(yield* rowsOf(removed)), [])
})

describe("an organization that is removed", () => {
  const sqlite = Layer.fresh(SqlAdapter.layerSqlite({ filename: ":memory:" }))

  it.live("leaves no row in any table, and the other organization keeps all of its own", () =>
    Effect.provide(removal, sqlite)
  )

  it.live("takes no creation afterwards", () => Effect.provide(laterCreations, sqlite))
})

describePostgres("an organization that is removed, over Postgres", (postgres) => {
  const inServer = <A, E>(effect: Effect.Effect<A, E, SqlPorts | SqlClient.SqlClient>) =>
    Effect.gen(function* () {
      const { lendDatabase } = yield* postgres
      const url = yield* lendDatabase
      return yield* Effect.provide(effect, Layer.fresh(SqlAdapter.layerPostgres({ url, sealingKey })))
    }).pipe(Effect.scoped)

  it.live("leaves no row in any table, and the other organization keeps all of its own", () => inServer(removal))

  it.live("takes no creation afterwards", () => inServer(laterCreations))

  for (const [table, create] of Object.entries(creations)) {
    it.live(`waits for a creation in flight of ${table}, and removes what it created`, () =>
      inServer(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* Snapshots.use((snapshots) => snapshots.import(organizations))
          const created = yield* Deferred.make<void>()
          const isWaiting = yield* Deferred.make<void>()
          const written = Effect.andThen(Deferred.succeed(created, undefined), Deferred.await(isWaiting))
          const unfinished =
            table === "idempotent_creation"
              ? create(removed, written)
              : sql.withTransaction(Effect.andThen(create(removed), written))
          const creation = yield* Effect.forkChild(Effect.asVoid(unfinished))
          yield* Deferred.await(created)
          const remove = yield* Effect.forkChild(StoredServices.use((stored) => stored.removeOrganization(removed)))
          const waits = Effect.map(
            sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
            (waiting) => waiting.length > 0
          )
          const ends = Effect.as(Fiber.await(remove), true)
          yield* Effect.race(
            Effect.repeat(waits, { until: (some) => some, schedule: Schedule.spaced("20 millis") }),
            ends
          )
          yield* Deferred.succeed(isWaiting, undefined)
          assert.deepStrictEqual([yield* Fiber.await(creation), yield* Fiber.await(remove)], [Exit.void, Exit.void])
          assert.deepStrictEqual(filled(yield* rowsOf(removed)), [])
        })
      )
    )
  }
})
