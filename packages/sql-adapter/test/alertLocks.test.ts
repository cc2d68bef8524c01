import { assert, it } from "@effect/vitest"
import { AlertId, OrganizationId, SavedSearchId } from "@headgate/core"
import {
  OrganizationConnections,
  OrganizationDashboards,
  OrganizationDocuments,
  OrganizationSources
} from "@headgate/core/adapter"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as SqlClient from "effect/sql/SqlClient"
import { SqlAdapter, type SqlPorts } from "../src/index.ts"
import { importOrganizations } from "./support/importOrganizations.ts"
import { describePostgres, noTimeouts, sealingKey } from "./support/postgres.ts"

const organizationId = OrganizationId.make("0a0b0c0d-0000-4000-8000-000000000001")

/** Two alerts, one on a saved search and one on a tile, and another saved search. */
const prepare = Effect.gen(function* () {
  yield* importOrganizations(organizationId)
  const { alerts, savedSearches, webhooks } = (yield* OrganizationDocuments).of(organizationId)
  const connections = (yield* OrganizationConnections).of(organizationId)
  const sources = (yield* OrganizationSources).of(organizationId)
  const dashboards = (yield* OrganizationDashboards).of(organizationId)
  const connection = yield* connections.create({ name: "x", host: "https://db.example.com" })
  const source = yield* sources.create({ name: "x", kind: "log", connection: connection.id })
  const search = yield* savedSearches.create({ name: "x", sourceId: source.id })
  const other = yield* savedSearches.create({ name: "other", sourceId: source.id })
  const url = Redacted.make("https://hooks.example.com")
  const webhook = yield* webhooks.create({ name: "x", service: "generic", url })
  const dashboard = yield* dashboards.create({ name: "x", tiles: [{ name: "x", x: 0, y: 0, w: 1, h: 1, series: [] }] })
  const common = {
    threshold: 1,
    thresholdType: "above",
    interval: "5m",
    channel: { type: "webhook", webhookId: webhook.id }
  } as const
  const ofSearch = yield* alerts.create({ ...common, savedSearchId: search.id })
  const tileId = String(dashboard.tiles?.[0]?.id)
  const ofTile = yield* alerts.create({ ...common, source: "tile", dashboardId: dashboard.id, tileId })
  return { dashboardId: dashboard.id, ofSearch: ofSearch.id, ofTile: ofTile.id, other: other.id, search: search.id }
})

type Prepared = Effect.Success<typeof prepare>

/** What deletes alerts, and one of them. */
const deletions: Readonly<
  Record<
    string,
    {
      readonly alert: (prepared: Prepared) => string
      readonly remove: (prepared: Prepared) => Effect.Effect<unknown, unknown, SqlPorts>
    }
  >
> = {
  "a deletion of a saved search": {
    alert: ({ ofSearch }) => ofSearch,
    remove: ({ search }) =>
      OrganizationDocuments.use((documents) =>
        documents.of(organizationId).savedSearches.delete({ savedSearchId: SavedSearchId.make(search) })
      )
  },
  "a deletion of a dashboard": {
    alert: ({ ofTile }) => ofTile,
    remove: ({ dashboardId }) =>
      OrganizationDashboards.use((dashboards) => dashboards.of(organizationId).delete({ dashboardId }))
  },
  "a dashboard that is replaced without a tile": {
    alert: ({ ofTile }) => ofTile,
    remove: ({ dashboardId }) =>
      OrganizationDashboards.use((dashboards) => dashboards.of(organizationId).update({ dashboardId }, { name: "x" }))
  }
}

describePostgres("alerts that go with what they name, over Postgres", (postgres) => {
  for (const [name, { alert, remove }] of Object.entries(deletions)) {
    it.live(`${name} waits for a change of an alert, which stays if it names something else then`, () =>
      Effect.gen(function* () {
        const { lendDatabase } = yield* postgres
        const layer = SqlAdapter.layerPostgres({ ...noTimeouts, url: yield* lendDatabase, sealingKey })
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const prepared = yield* prepare
          const id = alert(prepared)
          const isLocked = yield* Deferred.make<void>()
          const isWaiting = yield* Deferred.make<void>()
          // As a request to replace the alert does it.
          const change = Effect.gen(function* () {
            const [row] = yield* sql<{ readonly document: string }>`
              SELECT document FROM alert WHERE id = ${id} FOR UPDATE`
            yield* Deferred.succeed(isLocked, undefined)
            yield* Deferred.await(isWaiting)
            const { dashboardId: _, tileId: __, ...document } = JSON.parse(row?.document ?? "{}")
            const moved = JSON.stringify({ ...document, source: "saved_search", savedSearchId: prepared.other })
            yield* sql`UPDATE alert SET document = ${moved} WHERE id = ${id}`
          })
          const changing = yield* Effect.forkChild(sql.withTransaction(change))
          yield* Deferred.await(isLocked)
          const removing = yield* Effect.forkChild(Effect.asVoid(remove(prepared)))
          const waits = Effect.map(
            sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
            (waiting) => waiting.length > 0
          )
          yield* Effect.race(
            Effect.repeat(waits, { until: (some) => some, schedule: Schedule.spaced("20 millis") }),
            Effect.as(Fiber.await(removing), true)
          )
          yield* Deferred.succeed(isWaiting, undefined)
          assert.deepStrictEqual([yield* Fiber.await(changing), yield* Fiber.await(removing)], [Exit.void, Exit.void])
          const { alerts } = (yield* OrganizationDocuments).of(organizationId)
          const kept = yield* alerts.get({ alertId: AlertId.make(id) })
          assert.strictEqual(kept.savedSearchId, prepared.other)
        }).pipe(Effect.provide(Layer.fresh(layer)))
      }).pipe(Effect.scoped)
    )
  }
})
