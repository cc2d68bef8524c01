import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import type { AlertNotFound } from "../error/NotFound.ts"
import { AlertId } from "../id/dashboard.ts"
import { knownString } from "../schema/fieldSchemas.ts"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { anyText, boundedText, oneOf, requestedTags, setTime } from "./documentFields.ts"
import type { OwnedDocuments } from "./OwnedDocuments.ts"

const sources = ["saved_search", "tile", "inline"] as const
const intervals = ["30s", "1m", "5m", "15m", "30m", "1h", "6h", "12h", "1d"] as const
const thresholdTypes = [
  "above",
  "below",
  "above_exclusive",
  "below_or_equal",
  "equal",
  "not_equal",
  "between",
  "not_between"
] as const
const channelTypes = ["webhook", "email"] as const

const channelFields = {
  webhookId: anyText("The id of the webhook, for `webhook`."),
  emailRecipients: nullish(Schema.Array(Schema.String), "Who gets the mail, for `email`."),
  webhookService: anyText("The service of the webhook."),
  slackChannelId: anyText("The id of the channel, for a webhook of Slack.")
}

const severities = ["critical", "error", "warning", "info"] as const

const AlertChannel = looseStruct({
  type: nullish(knownString(channelTypes), "What is notified."),
  ...channelFields,
  severity: nullish(knownString(severities), "The severity, for a webhook of PagerDuty.")
}).pipe(withIdentifier("AlertChannel", "Where an alert is sent."))

const AlertChannelCreate = looseStruct({
  type: oneOf(channelTypes).annotate({ description: "What is notified." }),
  ...channelFields,
  severity: nullish(oneOf(severities), "The severity, for a webhook of PagerDuty.")
}).pipe(withIdentifier("AlertChannelCreate", "Where an alert is to be sent."))

const AlertSilenced = looseStruct({
  by: anyText("Who has silenced it."),
  at: anyText("When it was silenced."),
  until: anyText("Until when it is silenced.")
}).pipe(withIdentifier("AlertSilenced", "That an alert is silenced."))

const AlertError = looseStruct({
  timestamp: anyText("When it happened."),
  type: anyText("What failed, such as `QUERY_ERROR`."),
  message: anyText("What went wrong.")
}).pipe(withIdentifier("AlertError", "A failed evaluation of an alert."))

/** The chart of an alert: a `TileConfig` that shows lines, bars over time or a number. */
const chartConfig = nullish(
  looseStruct({
    displayType: anyText("The shape of the chart: `line`, `stacked_bar`, `stacked_line` or `number`."),
    name: anyText("The name of the chart."),
    where: anyText("The condition on all rows. Not for a chart of an SQL query."),
    whereLanguage: anyText("The language of `where`.")
  }).pipe(withIdentifier("AlertChartConfig", "The chart of an alert, with the fields that a tile of a dashboard has.")),
  "The chart that the alert watches, for `inline`."
)

const watched = {
  savedSearchId: anyText("The id of the saved search, for `saved_search`."),
  groupBy: anyText("The expression that rows are grouped by, for `saved_search`."),
  dashboardId: anyText("The id of the dashboard, for `tile`."),
  tileId: anyText("The id of the tile, for `tile`."),
  chartConfig
}

const thresholdMax = nullish(Schema.Finite, "The upper bound, for `between` and `not_between`.")
const scheduleStartAt = setTime("The time that the intervals are counted from.")

/**
 * An alert. Unknown fields are kept; nothing is evaluated. Contract:
 * docs/wire-contract.md#saved-searches-webhooks-and-alerts.
 */
export const Alert = looseStruct({
  id: AlertId,
  name: anyText("The template of the title."),
  displayName: anyText("The name in lists: by default that of what the alert watches."),
  source: nullish(knownString(sources), "What the alert watches."),
  ...watched,
  threshold: nullish(Schema.Finite, "The value that it compares with."),
  thresholdType: nullish(knownString(thresholdTypes), "The comparison with the threshold that raises it."),
  thresholdMax,
  interval: nullish(knownString(intervals), "How often it is evaluated."),
  scheduleOffsetMinutes: nullish(Schema.Finite, "How many minutes after the start of an interval it is evaluated."),
  scheduleStartAt,
  numConsecutiveWindows: nullish(Schema.Finite, "How many intervals in a row raise it. Null: one."),
  channel: nullish(AlertChannel, "Where it is sent: the first of `channels`."),
  channels: nullish(Schema.Array(AlertChannel), "Where it is sent."),
  message: anyText("The template of the message."),
  note: anyText("A note on the alert."),
  tags: nullish(Schema.Array(Schema.String), "The tags: by default those of the saved search or the dashboard."),
  state: nullish(
    knownString(["OK", "ALERT", "INSUFFICIENT_DATA", "DISABLED", "PENDING"]),
    "The state. Nothing is evaluated here: a new alert is `OK`, and stays so."
  ),
  silenced: nullish(AlertSilenced, "Since when and until when it is silenced. Nothing silences an alert here."),
  executionErrors: nullish(Schema.Array(AlertError), "The errors of its last evaluation."),
  teamId: anyText("The id of the organization."),
  createdAt: setTime("When it was created."),
  updatedAt: setTime("When it was last replaced.")
}).pipe(withIdentifier("Alert", "An alert."))
export type Alert = typeof Alert.Type

/**
 * The request for an alert, and to replace one: what it watches, the threshold, and where it is sent, in `channel` or in
 * `channels`. What it names must be there. Unknown fields are dropped. Contract:
 * docs/wire-contract.md#saved-searches-webhooks-and-alerts.
 *
 * @example
 * ```ts
 * import type { AlertCreate } from "@headgate/core"
 *
 * export const request: AlertCreate = {
 *   source: "saved_search",
 *   savedSearchId: "65f5e4a3b9e77c001a567892",
 *   threshold: 100,
 *   thresholdType: "above",
 *   interval: "5m",
 *   channel: { type: "webhook", webhookId: "65f5e4a3b9e77c001a567893" }
 * }
 * ```
 */
export const AlertCreate = looseStruct({
  name: nullish(boundedText(512, "The template of the title"), "The template of the title: 1 to 512 characters."),
  displayName: nullish(boundedText(512, "The name in lists"), "The name in lists: 1 to 512 characters."),
  source: nullish(oneOf(sources), "What the alert watches: `saved_search` if it is absent."),
  ...watched,
  threshold: Schema.Finite.annotate({ description: "The value that it compares with." }),
  thresholdType: oneOf(thresholdTypes).annotate({ description: "The comparison with the threshold that raises it." }),
  thresholdMax,
  interval: oneOf(intervals).annotate({ description: "How often it is evaluated." }),
  scheduleOffsetMinutes: nullish(
    Schema.Int.check(
      Schema.isBetween({ minimum: 0, maximum: 1439 }, { message: "Expected an integer from 0 to 1439" })
    ),
    "How many minutes after the start of an interval it is evaluated: fewer than the interval has. Not with `scheduleStartAt`."
  ),
  scheduleStartAt,
  numConsecutiveWindows: nullish(
    Schema.Int.check(Schema.isGreaterThanOrEqualTo(1, { message: "Expected an integer of at least 1" })),
    "How many intervals in a row raise it."
  ),
  channel: nullish(AlertChannelCreate, "Where it is sent."),
  channels: nullish(
    Schema.Array(AlertChannelCreate).check(
      Schema.isMinLength(1, { message: "Expected 1 to 10 channels" }),
      Schema.isMaxLength(10, { message: "Expected 1 to 10 channels" })
    ),
    "Where it is sent: 1 to 10 channels, none of them twice. Instead of `channel`."
  ),
  message: nullish(
    boundedText(4096, "The template of the message"),
    "The template of the message: 1 to 4,096 characters."
  ),
  note: nullish(boundedText(4096, "A note on the alert"), "A note on the alert: 1 to 4,096 characters."),
  tags: requestedTags
}).pipe(withIdentifier("AlertCreate", "The request for an alert."))
export type AlertCreate = typeof AlertCreate.Type

/**
 * The port to the alerts of one organization, as `Connections` is to its connections. `create` and `update` fail with
 * `InvalidRequest` if something that the alert names is not there. An alert is deleted with its saved search, its dashboard or its tile.
 *
 * @example
 * ```ts
 * import { Alerts } from "@headgate/core"
 * import * as Effect from "effect/Effect"
 *
 * export const names = Alerts.use((alerts) => Effect.map(alerts.list(), (all) => all.map(({ name }) => name)))
 * ```
 */
export class Alerts extends Context.Service<
  Alerts,
  OwnedDocuments<{ readonly alertId: AlertId }, AlertCreate, Alert, AlertNotFound>
>()("@headgate/core/dashboard/Alerts") {}
