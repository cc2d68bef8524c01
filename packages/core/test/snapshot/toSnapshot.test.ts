import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import {
  AlertId,
  ConnectionId,
  DashboardId,
  DashboardRoleId,
  SavedSearchId,
  SourceId,
  WebhookId
} from "../../src/id/dashboard.ts"
import { Snapshot } from "../../src/snapshot/Snapshot.ts"
import type { SnapshotContent } from "../../src/snapshot/SnapshotContent.ts"
import { snapshotRows, toSnapshot } from "../../src/snapshot/snapshotRows.ts"
import { webCrypto } from "../webCrypto.ts"

/** The rows of a snapshot without where they stood: what a store would hold after its import. */
const contentOf = Effect.fnUntraced(function* (snapshot: Snapshot) {
  const rows = yield* snapshotRows(snapshot)
  const content: SnapshotContent = {
    organizations: rows.organizations.map(({ value }) => value),
    services: rows.services.map(({ value }) => value),
    endpoints: rows.endpoints.map(({ value }) => value),
    pipes: rows.pipes.map(({ value }) => value),
    roles: rows.roles.map(({ value }) => value),
    keys: rows.keys.map(({ value }) => value),
    tokens: rows.tokens.map(({ value }) => value),
    dashboards: rows.dashboards.map(({ value }) => value),
    connections: rows.connections.map(({ value }) => value),
    sources: rows.sources.map(({ value }) => value),
    savedSearches: rows.savedSearches.map(({ value }) => value),
    webhooks: rows.webhooks.map(({ value }) => value),
    alerts: rows.alerts.map(({ value }) => value),
    dashboardRoles: rows.dashboardRoles.map(({ value }) => value)
  }
  return content
}, Effect.provide(webCrypto))

/** A generated snapshot, every pipe of which names the service it stands in, and no two documents of a kind share an id. */
const consistent = (snapshot: Snapshot): Snapshot => ({
  organizations: snapshot.organizations.map((organization, o) => ({
    ...organization,
    keys: (organization.keys ?? []).map(({ assignedRoleIds: _assignedRoleIds, ...key }) => key),
    dashboards: (organization.dashboards ?? []).map((dashboard, d) => ({
      ...dashboard,
      id: DashboardId.make(`${o}-${d}`)
    })),
    connections: (organization.connections ?? []).map((connection, c) => ({
      ...connection,
      id: ConnectionId.make(`${o}-${c}`)
    })),
    sources: (organization.sources ?? []).map((source, s) => ({ ...source, id: SourceId.make(`${o}-${s}`) })),
    savedSearches: (organization.savedSearches ?? []).map((one, s) => ({
      ...one,
      id: SavedSearchId.make(`${o}-${s}`)
    })),
    webhooks: (organization.webhooks ?? []).map((one, w) => ({ ...one, id: WebhookId.make(`${o}-${w}`) })),
    alerts: (organization.alerts ?? []).map((one, a) => ({ ...one, id: AlertId.make(`${o}-${a}`) })),
    dashboardRoles: (organization.dashboardRoles ?? []).map((one, r) => ({
      ...one,
      id: DashboardRoleId.make(`${o}-${r}`)
    })),
    services: (organization.services ?? []).map((service) => ({
      ...service,
      reversePrivateEndpoints: (service.reversePrivateEndpoints ?? []).map((endpoint) => ({
        ...endpoint,
        serviceId: service.id
      })),
      pipes: (service.pipes ?? []).map((pipe) => ({ ...pipe, serviceId: service.id }))
    }))
  }))
})

describe("toSnapshot", () => {
  it.effect.prop(
    "is the inverse of snapshotRows: what was exported and imported is exported the same again",
    [Schema.toType(Snapshot)],
    ([any]) =>
      Effect.gen(function* () {
        const exported = toSnapshot(yield* contentOf(consistent(any)))
        const again = toSnapshot(yield* contentOf(exported))
        assert.deepStrictEqual(again, exported)
        assert.deepStrictEqual(
          exported.organizations.map(({ id, name }) => ({ id, name })),
          any.organizations.map(({ id, name }) => ({ id: id.toLowerCase(), name }))
        )
      })
  )
})
