import { assert, describe, it } from "@effect/vitest"
import { type Alert, AlertCreate, AlertId, Alerts } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { fixtureDashboards } from "../fixtures/dashboards.ts"
import { fixtureDocuments } from "../fixtures/documents.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { fixtureConnections, fixtureSources } from "../fixtures/sources.ts"
import { asJson } from "../internal/documents.ts"
import { failsWith } from "../internal/failsWith.ts"
import type { LawsOptions } from "../LawsOptions.ts"
import { documentLaws } from "./documentLaws.ts"

const { acme } = fixtureIds.organizations

/** Fields that are not in the contract are dropped. */
const unknownFields = { futureLevel: [0.5, { a: true }] }

const [search] = fixtureDocuments.savedSearches.acme
const [webhook, other] = fixtureDocuments.webhooks.acme
const [dashboard] = fixtureDashboards.acme
const tile = { id: "tile-1", name: "Errors by service" }
const channel = { type: "webhook", webhookId: webhook.id } as const
const minimal = {
  savedSearchId: search.id,
  threshold: -0.5,
  thresholdType: "above",
  interval: "5m",
  channel
} as const
const ofTile = {
  source: "tile",
  dashboardId: dashboard.id,
  tileId: tile.id,
  threshold: 1,
  thresholdType: "below",
  interval: "1h",
  channel
} as const
const full = {
  name: "new",
  displayName: "größe 🚰",
  source: "saved_search",
  savedSearchId: search.id,
  groupBy: "service",
  threshold: 50,
  thresholdMax: 200,
  thresholdType: "between",
  interval: "15m",
  scheduleOffsetMinutes: 14,
  numConsecutiveWindows: 3,
  channels: [channel, { type: "email", emailRecipients: ["a@example.com"] }, { ...channel, webhookId: other.id }],
  message: "Too many",
  note: "größe 🚰",
  tags: ["a"]
} as const
const filled = { state: "OK", teamId: acme }
const nothing = { name: null, message: null, note: null, numConsecutiveWindows: null }
const day = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString()
const wrong: ReadonlyArray<readonly [path: string, request: AlertCreate]> = [
  ["name", { ...minimal, name: "" }],
  ["name", { ...minimal, name: "x".repeat(513) }],
  ["note", { ...minimal, note: "x".repeat(4097) }],
  ["threshold", { ...minimal, threshold: JSON.parse('"7"') }],
  ["thresholdType", { ...minimal, thresholdType: JSON.parse('"over"') }],
  ["thresholdMax", { ...minimal, thresholdType: "between" }],
  ["thresholdMax", { ...minimal, thresholdType: "not_between", threshold: 100, thresholdMax: 50 }],
  ["interval", { ...minimal, interval: JSON.parse('"2m"') }],
  ["numConsecutiveWindows", { ...minimal, numConsecutiveWindows: 0 }],
  ["scheduleOffsetMinutes", { ...minimal, scheduleOffsetMinutes: 5 }],
  ["scheduleOffsetMinutes", { ...minimal, scheduleOffsetMinutes: 2, scheduleStartAt: inDays(0) }],
  ["scheduleStartAt", { ...minimal, scheduleStartAt: inDays(366) }],
  ["scheduleStartAt", { ...minimal, scheduleStartAt: inDays(-3660) }],
  ["scheduleStartAt", { ...minimal, scheduleStartAt: "tomorrow" }],
  // Generated clients read the answer by the format "date-time", and fail at anything else.
  ["scheduleStartAt", { ...minimal, scheduleStartAt: inDays(0).slice(0, 10) }],
  ["scheduleStartAt", { ...minimal, scheduleStartAt: inDays(0).replace("T", " ") }],
  ["scheduleStartAt", { ...minimal, scheduleStartAt: `${new Date().getUTCFullYear()}-02-30T00:00:00Z` }],
  ["source", { ...minimal, source: JSON.parse('"logs"') }],
  ["savedSearchId", { ...minimal, savedSearchId: null }],
  ["dashboardId", { ...ofTile, dashboardId: "" }],
  ["tileId", { ...ofTile, tileId: null }],
  ["chartConfig", { ...minimal, chartConfig: {} }],
  ["chartConfig.displayType", { ...minimal, source: "inline", chartConfig: { displayType: "spiral" } }],
  ["channel", { ...minimal, channel: null }],
  ["channel", { ...minimal, channels: [{ ...channel, webhookId: other.id }] }],
  ["channel.type", { ...minimal, channel: { type: JSON.parse('"pager"') } }],
  ["channel.webhookId", { ...minimal, channel: { type: "webhook" } }],
  ["channel.emailRecipients", { ...minimal, channel: { type: "email", emailRecipients: [] } }],
  ["channels", { ...minimal, channel: null, channels: [] }],
  ["channels[1]", { ...minimal, channels: [channel, channel] }]
]

const refused: ReadonlyArray<readonly [message: string, request: AlertCreate]> = [
  ...[fixtureDocuments.webhooks.globex[0].id, "none"].map(
    (webhookId) => ["Webhook not found", { ...minimal, channel: { type: "webhook", webhookId } }] as const
  ),
  ...[fixtureDocuments.savedSearches.globex[0].id, "none"].map(
    (savedSearchId) => ["Saved search not found", { ...minimal, savedSearchId }] as const
  ),
  ...[fixtureDashboards.globex[0].id, "none"].map(
    (dashboardId) => ["Dashboard not found", { ...ofTile, dashboardId }] as const
  ),
  ["Tile not found", { ...ofTile, tileId: "none" }]
]

const watchedLaws = (options: LawsOptions<Alerts>): void => {
  describe(`${options.name}: laws of what alerts watch`, () => {
    const law = (title: string, body: Effect.Effect<unknown, unknown, Alerts>) =>
      it.live(title, () =>
        Effect.flatMap(fixtureSnapshot, (snapshot) =>
          Effect.asVoid(Effect.provide(body, options.layer(snapshot, acme)))
        )
      )

    law(
      "an alert on a tile has the name of the tile and the tags of the dashboard, and its answer is a valid request",
      Effect.gen(function* () {
        const alerts = yield* Alerts
        const alert = yield* alerts.create(ofTile)
        assert.deepStrictEqual([alert.displayName, alert.tags], [tile.name, dashboard.tags])
        const { createdAt: _, updatedAt: __, ...sent } = alert
        const request = yield* Schema.decodeUnknownEffect(AlertCreate)(asJson(sent))
        const { updatedAt: ___, ...again } = yield* alerts.update({ alertId: alert.id }, request)
        assert.deepStrictEqual(asJson(again), asJson({ ...sent, createdAt: alert.createdAt }))
      })
    )

    law(
      "an alert with a chart of its own names a source, or the connection of its SQL",
      Effect.gen(function* () {
        const alerts = yield* Alerts
        const inline = { ...minimal, savedSearchId: null, source: "inline" } as const
        const sourceId = fixtureSources.acme[0].id
        const chart = { displayType: "line", sourceId, select: [{ aggFn: "count" }], name: "Rows", where: "a:b" }
        const { chartConfig, displayName, tags } = yield* alerts.create({ ...inline, chartConfig: chart })
        assert.deepStrictEqual([asJson(chartConfig), displayName, tags], [chart, "Rows", []])
        const query = { configType: "sql", displayType: "line", connectionId: fixtureConnections.acme[0].id }
        const sqlTemplate = "SELECT $__timeInterval(ts), count() FROM t GROUP BY 1"
        yield* alerts.create({ ...inline, chartConfig: { ...query, sqlTemplate } })
        for (const [message, bad] of [
          ["Source not found", { ...chart, sourceId: fixtureSources.globex[0].id }],
          ["displayType", { ...chart, displayType: "pie" }],
          ["interval parameter", { ...query, sqlTemplate: "SELECT 1" }],
          ["Connection not found", { ...query, sqlTemplate, connectionId: fixtureConnections.globex[0].id }],
          ["does not belong", { ...query, sqlTemplate, sourceId: fixtureSources.acme[1].id }],
          ["chartConfig.where", { ...query, sqlTemplate, where: "a" }]
        ] as const) {
          const refused = yield* failsWith(alerts.create({ ...inline, chartConfig: bad }), "InvalidRequest")
          assert.include(refused.message, message)
        }
      })
    )
  })
}

/** The laws of the `Alerts` port, as `connectionsLaws`. */
export const alertsLaws = (options: LawsOptions<Alerts>): void => {
  documentLaws<Alerts, { readonly alertId: AlertId }, AlertCreate, Alert>(
    {
      port: Alerts.useSync((alerts) => alerts),
      title: "Alerts",
      fixture: fixtureDocuments.alerts,
      hasTimes: true,
      addressOf: (id) => ({ alertId: AlertId.make(id) }),
      notFound: "AlertNotFound",
      full: [
        { ...full, dashboardId: "none", ...unknownFields },
        { ...full, channel, ...filled }
      ],
      minimal: [
        { ...minimal, name: null, thresholdMax: 7 },
        {
          ...minimal,
          ...nothing,
          source: "saved_search",
          displayName: search.name,
          tags: search.tags,
          channels: [channel],
          ...filled
        }
      ],
      wrong,
      refused
    },
    options
  )
  watchedLaws(options)
}
