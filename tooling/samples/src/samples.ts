import { type PortError, ServiceAddress } from "@headgate/core"
import { exampleIds, examples, type ManagementPort, type ObservabilityPort, ports } from "@headgate/core/adapter"
import {
  type AnyOperation,
  type Example,
  neutral,
  noPayload,
  type Operations,
  operations,
  takesAddress
} from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import { fullDashboards } from "./fullDashboard.ts"
import { fullPipe } from "./fullPipe.ts"
import { answeredSource, changedSource, sentSource } from "./pipeSources.ts"

/** The ports that the operations of the contract belong to. */
export type Ports = ManagementPort | ObservabilityPort

/** One call of an operation, and the documents of its request and its answer. */
export interface Sample<Row extends AnyOperation> {
  readonly params: Row["params"]["Type"]
  readonly payload: Row["payload"]["Type"]
  /** What the envelope of the answer holds, as JSON in the neutral dialect. */
  readonly success: Row["success"]["Encoded"]
  /** The port method with these params and this payload. */
  readonly call: Effect.Effect<Row["success"]["Type"], PortError, Ports>
}

type Samples = {
  readonly [Noun in keyof Operations]: {
    readonly [Name in keyof Operations[Noun]]: Operations[Noun][Name] extends AnyOperation
      ? Sample<Operations[Noun][Name]>
      : never
  }
}

/** A port, as far as a sample calls it: the compiler holds its methods to the rows in `http-adapter`. */
type Port = Readonly<Record<string, (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, PortError>>>

const isBelowService = (port: object): port is { readonly of: (address: unknown) => object } =>
  Predicate.hasProperty(port, "of")

const portOf = (noun: keyof Operations): Effect.Effect<object, never, Ports> =>
  ({ ...ports.management, ...ports.observability })[noun]

const pipe = {
  ...fullPipe,
  id: exampleIds.pipeId,
  serviceId: exampleIds.serviceId,
  source: answeredSource,
  destination: { ...fullPipe.destination, roles: ["writer"] },
  settings: { ...fullPipe.settings, kafka_read_committed: true }
}
const { destination, fieldMappings, name, scaling, settings } = pipe
const sent = { name, fieldMappings, destination, settings }

const endpointRequest = {
  ...examples.endpoint.create.payload,
  vpcEndpointServiceName: "com.amazonaws.vpce.eu-central-1.vpce-svc-1",
  mskClusterArn: "arn:aws:kafka:eu-central-1:123456789012:cluster/c",
  mskAuthentication: "SASL_IAM",
  gcpServiceAttachment: "projects/p/regions/r/serviceAttachments/n"
}
const endpoint = { ...examples.endpoint.get.success, ...endpointRequest }
const allRoles = { assignedRoleIds: ["701e0000-0000-4000-8000-000000000002"] }
const keyRequest = { ...examples.key.create.payload, ...allRoles, hashData: null }
const alertChannel = {
  type: "webhook",
  webhookId: exampleIds.webhookId,
  emailRecipients: ["a@example.com"],
  webhookService: "slack",
  slackChannelId: "C1",
  severity: "error"
}
const alertRequest = {
  ...examples.alert.create.payload,
  dashboardId: exampleIds.dashboardId,
  tileId: "t1",
  chartConfig: { displayType: "line", name: "Errors", where: "level:error", whereLanguage: "lucene" },
  displayName: "Errors",
  thresholdMax: 200,
  scheduleOffsetMinutes: 1,
  scheduleStartAt: "2026-01-01T00:00:00Z",
  numConsecutiveWindows: 2,
  channel: alertChannel,
  channels: [alertChannel],
  note: "A note",
  tags: ["ops"]
}
const alert = {
  ...examples.alert.get.success,
  ...alertRequest,
  silenced: { by: "u", at: "2026-01-01T00:00:00Z", until: "2026-01-01T00:30:00Z" },
  executionErrors: [{ timestamp: "2026-01-01T00:00:00Z", type: "QUERY_ERROR", message: "failed" }]
}
const searchRequest = {
  ...examples.savedSearch.create.payload,
  filters: [{ type: "sql", condition: "ServiceName IN ('checkout')" }]
}
const search = { ...examples.savedSearch.get.success, ...searchRequest }
const searches = {
  ...examples.savedSearch,
  create: { payload: searchRequest, success: search },
  list: { success: [search] },
  get: { success: search },
  update: { payload: searchRequest, success: search }
}
const alerts = {
  ...examples.alert,
  create: { payload: alertRequest, success: alert },
  list: { success: [alert] },
  get: { success: alert },
  update: { payload: alertRequest, success: alert }
}
const chartRequest = {
  ...examples.chart.query.payload,
  // A tile has the fields of one kind: here those of all, which the documents of each keep.
  tile: {
    ...examples.chart.query.payload.tile,
    config: { displayType: "markdown", markdown: "" },
    pipeId: exampleIds.pipeId,
    table: "orders"
  },
  filters: [{ ...examples.chart.query.payload.filters[0], notIn: ["us"], between: [0, 1.5] }]
}
const chartAnswer = {
  ...examples.chart.query.success,
  columns: examples.chart.query.success.columns.map((column) => ({
    ...column,
    numberFormat: {
      output: "number",
      mantissa: 2,
      thousandSeparated: true,
      average: false,
      decimalBytes: false,
      factor: 1,
      numericUnit: "bytes_iec",
      currencySymbol: "$",
      unit: "rows"
    },
    isPrevious: false
  }))
}
const charts = { ...examples.chart, query: { payload: chartRequest, success: chartAnswer } }
const pipeAfter = { success: pipe }

/** The examples of core with every field, a pipe with every kind of source, and tiles and filters of every kind. */
const documents: { readonly [Noun in keyof Operations]: { readonly [Name in keyof Operations[Noun]]: Example } } = {
  ...examples,
  pipe: {
    ...examples.pipe,
    list: { success: [pipe] },
    get: { success: pipe },
    create: { payload: { ...sent, source: sentSource, scaling, startPaused: false }, success: pipe },
    update: { payload: { ...sent, source: changedSource }, success: pipe },
    discoverSchema: { ...examples.pipe.discoverSchema, payload: { source: sentSource } },
    setState: { ...examples.pipe.setState, ...pipeAfter },
    resume: { payload: { from: "ledger", pending: null, acceptTable: null }, ...pipeAfter },
    adopt: pipeAfter,
    scale: { payload: scaling, ...pipeAfter },
    settings: { success: settings },
    updateSettings: { payload: settings, success: settings }
  },
  endpoint: {
    ...examples.endpoint,
    list: { success: [endpoint] },
    get: { success: endpoint },
    create: { payload: endpointRequest, success: endpoint },
    update: { ...examples.endpoint.update, success: endpoint }
  },
  key: {
    ...examples.key,
    create: { ...examples.key.create, payload: keyRequest },
    update: { ...examples.key.update, payload: { ...examples.key.update.payload, ...allRoles } }
  },
  alert: alerts,
  serviceAlert: alerts,
  savedSearch: searches,
  serviceSavedSearch: searches,
  chart: charts,
  serviceChart: charts,
  dashboard: fullDashboards,
  serviceDashboard: fullDashboards
}

const sampleOf = (noun: keyof Operations, name: string, row: AnyOperation, example: Example): Sample<AnyOperation> => {
  const ids: Readonly<Record<string, string>> = { ...exampleIds, dbPipeId: exampleIds.pipeId }
  const inPath = Array.from(row.path.matchAll(/:(\w+)/g), ([, param = ""]) => [param, ids[param]])
  const params: unknown = Schema.decodeUnknownSync(row.params)(Object.fromEntries(inPath))
  const payload: unknown = Schema.decodeUnknownSync(row.payload)(example.payload)
  const call = Effect.flatMap(portOf(noun), (port) => {
    const isBelow = isBelowService(port)
    const hasAddress = takesAddress(row, isBelow ? ServiceAddress.fields : {})
    const args = [...(hasAddress ? [params] : []), ...(row.payload === noPayload ? [] : [payload])]
    const method = ((isBelow ? port.of(params) : port) as Port)[name] // the rows are those of the ports
    return method === undefined ? Effect.die(new Error(`no port has ${noun}.${name}`)) : method(...args)
  })
  return { params, payload, success: example.success, call }
}

/** One sample for every operation of the contract: everything that is computed from it covers every operation. */
export const samples: Samples = Record.map(operations(neutral), (rows, noun) => {
  const of: Readonly<Record<string, Example>> = documents[noun]
  return Record.map<string, AnyOperation, Sample<AnyOperation>>(rows, (row, name) =>
    sampleOf(noun, name, row, of[name] ?? {})
  )
}) as unknown as Samples // the same nouns and names as the tables
