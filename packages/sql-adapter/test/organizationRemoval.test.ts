import { assert, describe, it } from "@effect/vitest"
import { pipeRequests } from "@headgate/conformance/fixtures"
import {
  ApiKeys,
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
  decodeRequest,
  IdempotentCreations,
  OrganizationConnections,
  OrganizationDashboards,
  OrganizationSources,
  StoredServices,
  Tokens
} from "@headgate/core/adapter"
import { ConnectionId } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { SqlAdapter } from "../src/index.ts"
import { describePostgres, sealingKey } from "./support/postgres.ts"

const removed = OrganizationId.make("0a0b0c0d-0000-4000-8000-000000000001")
const kept = OrganizationId.make("0a0b0c0d-0000-4000-8000-000000000002")
const serviceOf = (id: OrganizationId) => ServiceId.make(id.replace("0a0b0c0d", "5e000000"))

const organizations: Snapshot = {
  organizations: [removed, kept].map((id) => ({ id, name: "x", services: [{ id: serviceOf(id), name: "x" }] }))
}

/** Creates one of everything that an organization can have. */
const createEverything = Effect.fnUntraced(function* (organizationId: OrganizationId) {
  const address = { organizationId, serviceId: serviceOf(organizationId) }
  const host = "https://db.example.com"
  const pipe = yield* decodeRequest(PipeCreate)(pipeRequests.kafka)
  yield* Pipes.use((pipes) => pipes.create(address, pipe))
  yield* ReversePrivateEndpoints.use((endpoints) =>
    endpoints.create(address, { description: "x", type: "VPC_ENDPOINT_SERVICE", vpcEndpointServiceName: "vpce-svc" })
  )
  yield* ApiKeys.use((keys) => keys.create(organizationId, { name: "x", roles: ["admin"] }))
  yield* Roles.use((roles) => roles.create(organizationId, { name: "x", actors: [], policies: [] }))
  yield* Tokens.use((tokens) => tokens.create(organizationId, "x"))
  yield* OrganizationDashboards.use((dashboards) => dashboards.of(organizationId).create({ name: "x" }))
  yield* OrganizationConnections.use((connections) =>
    connections.of(organizationId).create({ name: "x", host, password: Redacted.make("secret") })
  )
  const connection = ConnectionId.make("c0000000000000000000000a")
  yield* OrganizationSources.use((sources) => sources.of(organizationId).create({ name: "x", kind: "log", connection }))
  const creation = { organizationId, scope: `${organizationId} POST /keys`, key: "k-1", body: "{}" }
  yield* IdempotentCreations.use(({ once }) => once(creation, Effect.succeed({ text: "{}" })))
})

/** Every table of the database, and the rows in which an organization or its service occurs. */
const rowsOf = Effect.fnUntraced(function* (organizationId: OrganizationId) {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql.onDialectOrElse({
    pg: () =>
      sql<{ readonly name: string }>`SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()`,
    orElse: () => sql<{ readonly name: string }>`SELECT name FROM sqlite_master WHERE type = 'table'`
  })
  const found: Record<string, ReadonlyArray<string>> = {}
  for (const { name } of tables) {
    const rows = (yield* sql`SELECT * FROM ${sql(name)}`).map((row) => Object.values(row).join(" "))
    found[name] = rows.filter((row) => row.includes(organizationId) || row.includes(serviceOf(organizationId)))
  }
  return found
})

/** The tables with rows. */
const filled = (rows: Readonly<Record<string, ReadonlyArray<string>>>) =>
  Object.keys(rows).filter((name) => rows[name]?.length !== 0)

/** The tables that belong to the whole store. */
const ofStore = ["headgate_migrations", "sealing_key", "store_setting", "sqlite_sequence", "rate_window"]

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

describe("an organization that is removed", () => {
  it.live("leaves no row in any table, and the other organization keeps all of its own", () =>
    Effect.provide(removal, SqlAdapter.layerSqlite({ filename: ":memory:" }))
  )
})

describePostgres("an organization that is removed, over Postgres", (postgres) => {
  it.live("leaves no row in any table, and the other organization keeps all of its own", () =>
    Effect.gen(function* () {
      const { lendDatabase } = yield* postgres
      const url = yield* lendDatabase
      yield* Effect.provide(removal, Layer.fresh(SqlAdapter.layerPostgres({ url, sealingKey })))
    }).pipe(Effect.scoped)
  )
})
