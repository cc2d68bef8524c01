import { assert, describe, it } from "@effect/vitest"
import {
  type AlertCreate,
  AlertId,
  Alerts,
  DashboardId,
  Dashboards,
  type PortError,
  SavedSearches,
  SavedSearchId,
  TileId,
  WebhookId,
  Webhooks
} from "@headgate/core"
import * as Effect from "effect/Effect"
import { fixtureDashboards } from "../fixtures/dashboards.ts"
import { fixtureDocuments } from "../fixtures/documents.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { failsWith } from "../internal/failsWith.ts"
import type { LawsOptions } from "../LawsOptions.ts"

type Ports = Alerts | Dashboards | SavedSearches | Webhooks

const { acme } = fixtureIds.organizations
const [search] = fixtureDocuments.savedSearches.acme
const [webhook] = fixtureDocuments.webhooks.acme
const [dashboard] = fixtureDashboards.acme
const [first, second] = [{ id: "tile-1" }, { id: "tile-2" }] as const
const dashboardId = DashboardId.make(dashboard.id)

const channel = { type: "webhook", webhookId: webhook.id } as const
const condition = { threshold: 1, thresholdType: "above", interval: "5m", channel } as const

const tileOf = (id: string) => ({ id: TileId.make(id), x: 0, y: 0, w: 1, h: 1, series: [] })

/** Every kind that an alert may watch: a saved search, two tiles of a dashboard, and a chart of its own. */
const requests: ReadonlyArray<AlertCreate> = [
  { ...condition, name: "search", savedSearchId: search.id },
  { ...condition, name: "first", source: "tile", dashboardId, tileId: first.id },
  { ...condition, name: "second", source: "tile", dashboardId, tileId: second.id },
  {
    ...condition,
    name: "inline",
    source: "inline",
    chartConfig: { displayType: "number", sourceId: search.sourceId, select: [{ aggFn: "count" }] }
  }
]

/** The laws of what is deleted with what an alert watches. */
export const alertDeletionLaws = ({ layer, name }: LawsOptions<Ports>): void => {
  const law = (title: string, left: ReadonlyArray<string>, change: Effect.Effect<unknown, PortError, Ports>) =>
    it.live(title, () =>
      Effect.flatMap(fixtureSnapshot, (snapshot) =>
        Effect.gen(function* () {
          const alerts = yield* Alerts
          // Another alert of the fixture watches the search, and one nothing.
          const [watching, idle] = fixtureDocuments.alerts.acme
          for (const request of requests) yield* alerts.create(request)
          yield* change
          const names = (yield* alerts.list()).map(({ id, name }) => name ?? id)
          const kept = left.includes("search") ? [watching.name] : []
          assert.deepStrictEqual(names.toSorted(), [...left, ...kept, idle.id].toSorted())
        }).pipe(Effect.provide(layer(snapshot, acme)))
      )
    )

  describe(`${name}: laws of the deletion of alerts`, () => {
    law(
      "a dashboard that is replaced with its tiles keeps their alerts",
      ["search", "first", "second", "inline"],
      Dashboards.use(({ update }) =>
        update({ dashboardId }, { name: "x", tiles: [tileOf(first.id), tileOf(second.id)] })
      )
    )

    law(
      "a tile that is removed takes its alerts along",
      ["search", "second", "inline"],
      Dashboards.use(({ update }) => update({ dashboardId }, { name: "x", tiles: [tileOf(second.id)] }))
    )

    law(
      "a dashboard that is deleted takes the alerts of its tiles along",
      ["search", "inline"],
      Dashboards.use((dashboards) => dashboards.delete({ dashboardId }))
    )

    law(
      "a saved search that is deleted takes its alerts along",
      ["first", "second", "inline"],
      SavedSearches.use((searches) => searches.delete({ savedSearchId: SavedSearchId.make(search.id) }))
    )

    law(
      "a webhook stays while an alert is sent to it, and is deleted after that",
      [],
      Effect.gen(function* () {
        const alerts = yield* Alerts
        const webhooks = yield* Webhooks
        const address = { webhookId: WebhookId.make(webhook.id) }
        for (const { id, name } of yield* alerts.list()) {
          if (name === fixtureDocuments.alerts.acme[0].name || id === AlertId.make(fixtureDocuments.alerts.acme[1].id))
            continue
          yield* failsWith(webhooks.delete(address), "Conflict")
          yield* alerts.delete({ alertId: id })
        }
        yield* webhooks.delete(address)
        yield* alerts.delete({ alertId: AlertId.make(fixtureDocuments.alerts.acme[0].id) })
      })
    )

    law(
      "of a concurrent deletion and new alerts on the same tile, none is left without it",
      ["search", "inline"],
      Effect.gen(function* () {
        const alerts = yield* Alerts
        const port = yield* Dashboards
        const [, request] = requests
        assert.isDefined(request)
        const creations = Array.from({ length: 5 }, () => Effect.ignore(alerts.create(request)))
        yield* Effect.all([...creations, port.delete({ dashboardId }), ...creations], { concurrency: "unbounded" })
      })
    )
  })
}
