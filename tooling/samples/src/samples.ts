import {
  type AlertCreate,
  AlertId,
  Alerts,
  type ApiKeyAddress,
  type ApiKeyCreate,
  ApiKeyId,
  ApiKeys,
  CdcScaling,
  type ApiKeyUpdate,
  type DashboardCreate,
  type ConnectionCreate,
  ConnectionId,
  Connections,
  DashboardId,
  Dashboards,
  type DashboardSourceCreate,
  DashboardSources,
  type DashboardUpdate,
  OrganizationId,
  Organizations,
  type PipeAddress,
  PipeCreate,
  PipeId,
  Pipes,
  PipeUpdate,
  type PortError,
  type RoleAddress,
  type RoleCreate,
  RoleId,
  Roles,
  type SavedSearchCreate,
  SavedSearchId,
  SavedSearches,
  type ScalingUpdate,
  type ReversePrivateEndpointAddress,
  type ReversePrivateEndpointCreate,
  ReversePrivateEndpointId,
  ReversePrivateEndpoints,
  type ReversePrivateEndpointUpdate,
  type ServiceAddress,
  ServiceDashboards,
  ServiceId,
  SourceId,
  Services,
  systemRoleIds,
  TileId,
  type WebhookCreate,
  WebhookId,
  Webhooks,
  type TileConfig
} from "@headgate/core"
import type { AnyOperation, Operations } from "@headgate/http-contract"
import * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { fullPipe } from "./fullPipe.ts"
import { answeredSource, changedSource, sentSource } from "./pipeSources.ts"

/** The ports that the operations of the contract belong to. */
export type Ports =
  | Alerts
  | ApiKeys
  | CdcScaling
  | Connections
  | Dashboards
  | DashboardSources
  | Organizations
  | Pipes
  | ReversePrivateEndpoints
  | Roles
  | SavedSearches
  | ServiceDashboards
  | Services
  | Webhooks

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

const organizationId = OrganizationId.make("11111111-1111-4111-8111-111111111111")

const serviceAddress: ServiceAddress = { organizationId, serviceId: ServiceId.make(fullPipe.serviceId) }
const pipeAddress: PipeAddress = {
  ...serviceAddress,
  pipeId: PipeId.make(fullPipe.id)
}

/** A pipe with every field of the contract, and every kind of source. */
const pipe = {
  ...fullPipe,
  source: answeredSource,
  destination: { ...fullPipe.destination, roles: ["writer"] },
  settings: { ...fullPipe.settings, kafka_read_committed: true }
}

const { fieldMappings, name } = fullPipe
const sent = { name, fieldMappings, destination: pipe.destination, settings: pipe.settings }
const pipeCreate = Schema.decodeUnknownSync(PipeCreate)({
  ...sent,
  source: sentSource,
  scaling: fullPipe.scaling,
  startPaused: false
})
const pipeUpdate = Schema.decodeUnknownSync(PipeUpdate)({ ...sent, source: changedSource })

const scaling: ScalingUpdate = { replicas: 2, replicaCpuMillicores: 250, replicaMemoryGb: 1.5, concurrency: 0 }
const settings = { ...fullPipe.settings, kafka_read_committed: true }

const ipAccessList = [{ source: "203.0.113.0/24", description: "office" }]
const keyCreate: ApiKeyCreate = {
  name: "ci",
  state: "enabled",
  roles: ["developer"],
  assignedRoleIds: [],
  ipAccessList,
  hashData: null,
  expireAt: DateTime.makeUnsafe("2099-12-31T00:00:00Z")
}
const key = {
  id: "55555555-5555-4555-8555-555555555555",
  name: "ci",
  state: "enabled",
  roles: ["developer"],
  assignedRoles: [{ roleId: systemRoleIds.developer, roleName: "developer", roleType: "system" }],
  keySuffix: "y-id",
  createdAt: "2026-01-02T03:04:05Z",
  expireAt: "2099-12-31T00:00:00Z",
  usedAt: "2026-01-02T03:04:00Z",
  ipAccessList
} as const

const replicaSize = { replicaCpuMillicores: 2000, replicaMemoryGb: 8 }
const endpointAddress: ReversePrivateEndpointAddress = {
  ...serviceAddress,
  reversePrivateEndpointId: ReversePrivateEndpointId.make("77777777-7777-4777-8777-777777777777")
}
const endpointUpdate: ReversePrivateEndpointUpdate = {
  customPrivateDnsMappings: [{ privateDnsName: "db.example.com", targetId: "rcfg-1" }]
}
const endpointCreate: ReversePrivateEndpointCreate = {
  description: "orders database",
  type: "VPC_RESOURCE",
  vpcEndpointServiceName: "com.amazonaws.vpce.eu-central-1.vpce-svc-1",
  vpcResourceConfigurationId: "rcfg-1",
  vpcResourceShareArn: "arn:aws:ram:eu-central-1:123456789012:resource-share/1",
  mskClusterArn: "arn:aws:kafka:eu-central-1:123456789012:cluster/c",
  mskAuthentication: "SASL_IAM",
  gcpServiceAttachment: "projects/p/regions/r/serviceAttachments/n",
  ...endpointUpdate
}
const endpoint = {
  ...endpointCreate,
  customPrivateDnsMappings: [{ privateDnsName: "db.example.com", targetId: "rcfg-1" }],
  id: endpointAddress.reversePrivateEndpointId,
  serviceId: fullPipe.serviceId,
  endpointId: "vpce-77777777777747778",
  dnsNames: ["vpce-77777777777747778.invalid"],
  privateDnsNames: ["db.example.com"],
  privateDnsMappings: [{ privateDnsName: "db.internal", internalDnsName: "vpce-77777777777747778.invalid" }],
  dnsTargets: [
    { id: "rcfg-1", kind: "RESOURCE_CONFIGURATION", internalDnsName: "vpce-77777777777747778.rcfg-1.invalid" }
  ],
  status: "Ready"
}

const organization = { id: organizationId, name: "Acme", createdAt: "2026-01-02T03:04:05Z" }
const service = {
  id: fullPipe.serviceId,
  name: "ingest",
  provider: "aws",
  region: "eu-central-1",
  state: "running",
  tier: "production",
  idleScaling: true,
  createdAt: "2026-01-02T03:04:05Z",
  endpoints: [{ protocol: "https", host: "ingest.example.com", port: 8443 }],
  ipAccessList,
  numReplicas: 3,
  minReplicaMemoryGb: 8,
  maxReplicaMemoryGb: 32
}

const keyAddress: ApiKeyAddress = { organizationId, keyId: ApiKeyId.make(key.id) }
const keyUpdate: ApiKeyUpdate = {
  name: "ci",
  state: "enabled",
  expireAt: keyCreate.expireAt ?? null,
  roles: ["developer"],
  assignedRoleIds: [systemRoleIds.developer],
  ipAccessList
}

const roleCreate: RoleCreate = {
  name: "auditor",
  actors: ["user/66666666-6666-4666-8666-666666666666"],
  policies: [
    {
      allowDeny: "ALLOW",
      permissions: ["control-plane:organization:view"],
      resources: ["instance/*"],
      tags: { grants: ["default"], roleV2: "sql-console-readonly" }
    }
  ]
}
const role = {
  id: "77777777-7777-4777-8777-777777777777",
  tenantId: `organization/${organizationId}`,
  ownerId: `organization/${organizationId}`,
  ...roleCreate,
  policies: roleCreate.policies.map((policy) => ({
    id: "88888888-8888-4888-8888-888888888888",
    roleId: "77777777-7777-4777-8777-777777777777",
    tenantId: `organization/${organizationId}`,
    ...policy
  })),
  type: "custom",
  createdAt: "2026-01-02T03:04:05Z",
  updatedAt: "2026-01-02T03:04:05Z"
} as const
const roleAddress: RoleAddress = { organizationId, roleId: RoleId.make(role.id) }

const series = {
  type: "time",
  dataSource: "metrics",
  aggFn: "sum",
  where: "level:error",
  whereLanguage: "lucene",
  groupBy: ["service"],
  sourceId: "65f0c0ffee0000000000abcd",
  field: "value",
  metricName: "errors",
  metricDataType: "sum"
} as const
// A service takes either `series` or `config`. The client passes on both.
const config: TileConfig = {
  displayType: "line",
  sourceId: series.sourceId,
  select: [{ aggFn: "sum", valueExpression: "value", where: "level:error", whereLanguage: "lucene" }]
}
const place = { x: 0, y: 0, w: 12, h: 4, containerId: "service", tabId: "errors" }
const tile = { name: "Errors per second", ...place, asRatio: false, series: [series], config }
const heatmap: TileConfig = {
  displayType: "heatmap",
  heatmapMode: "series",
  sourceId: series.sourceId,
  select: [{ aggFn: "max", valueExpression: "value", metricName: "errors", metricType: "gauge", periodAggFn: "delta" }],
  groupBy: "service"
}
const heatmapTile = { name: "Errors by service", ...place, y: 4, config: heatmap }
const numberQuery: TileConfig = {
  configType: "sql",
  displayType: "number",
  connectionId: "65f5e4a3b9e77c001a567890",
  sqlTemplate: "SELECT count() FROM otel_logs",
  colorRules: [{ operator: "gt", value: 10, color: "chart-red", label: "high" }]
}
const numberTile = { name: "All errors", ...place, y: 8, config: numberQuery }
const clickhouseFields: Pick<
  DashboardCreate,
  "savedQuery" | "savedQueryLanguage" | "savedFilterValues" | "containers" | "filters"
> = {
  savedQuery: "level:error",
  savedQueryLanguage: "lucene",
  savedFilterValues: [
    { type: "sql", condition: "service = 'shop'" },
    { type: "variable", name: "cluster", values: [], all: true }
  ],
  containers: [{ id: "service", title: "Service", collapsed: false, tabs: [{ id: "errors", title: "Errors" }] }],
  filters: [
    {
      id: "f1",
      type: "QUERY_EXPRESSION",
      name: "Host",
      expression: "host",
      sourceId: series.sourceId,
      maxSelections: 1
    },
    {
      id: "f2",
      type: "STATIC_LIST",
      name: "Tier",
      options: ["low", "high"],
      isBroadcastEnabled: false,
      isVariableEnabled: true,
      minSelections: 1,
      isGlobalRequirement: true
    },
    {
      id: "f3",
      type: "PROMETHEUS_LABEL",
      name: "Pod",
      sourceId: "65f5e4a3b9e77c001a567894",
      label: "pod",
      match: 'up{job="api"}',
      isBroadcastEnabled: false,
      isVariableEnabled: true
    },
    {
      id: "f4",
      type: "SOURCE_FILTER",
      name: "Cluster",
      sourceId: series.sourceId,
      expression: "cluster",
      variableName: "cluster",
      isBroadcastEnabled: true,
      isVariableEnabled: true
    }
  ]
}
const dashboardCreate: DashboardCreate = {
  name: "Errors",
  tiles: [tile, heatmapTile, numberTile],
  tags: ["ops"],
  ...clickhouseFields
}
const dashboardId = DashboardId.make("d1")
const storedTiles = [
  { id: TileId.make("t1"), ...tile },
  { id: TileId.make("t2"), ...heatmapTile },
  { id: TileId.make("t3"), ...numberTile }
]
const dashboardUpdate: DashboardUpdate = { ...dashboardCreate, tiles: storedTiles }
const dashboard = { id: "d1", name: "Errors", tiles: storedTiles, tags: ["ops"], ...clickhouseFields }

const connectionId = ConnectionId.make("65f5e4a3b9e77c001a567890")
const connectionFields = {
  name: "production",
  host: "https://db.example.com:8443",
  username: "dashboards",
  hyperdxSettingPrefix: "team_",
  prometheusEndpoint: "https://db.example.com:9363"
}
const connectionCreate: ConnectionCreate = { ...connectionFields, password: Redacted.make("SECRET-connection-pa55") }
const connection = { id: connectionId, ...connectionFields }

const sourceId = SourceId.make("65f5e4a3b9e77c001a567891")
const sourceCreate: DashboardSourceCreate = {
  name: "Logs",
  kind: "log",
  connection: connectionId,
  from: { databaseName: "default", tableName: "otel_logs" },
  timestampValueExpression: "Timestamp"
}
const source = { id: sourceId, ...sourceCreate }

const savedSearchId = SavedSearchId.make("65f5e4a3b9e77c001a567892")
const savedSearchCreate: SavedSearchCreate = {
  name: "Errors",
  sourceId,
  select: "Timestamp, Body",
  where: "level:error",
  whereLanguage: "lucene",
  orderBy: "Timestamp DESC",
  tags: ["ops"]
}
const savedSearch = { id: savedSearchId, ...savedSearchCreate }

const webhookId = WebhookId.make("65f5e4a3b9e77c001a567893")
const webhookFields = { name: "On call", service: "generic", description: "Night shift", body: "{{title}}" }
const webhookUrl = "https://hooks.example.com/SECRET-webhook-c0de"
const webhookCreate: WebhookCreate = {
  ...webhookFields,
  url: Redacted.make(webhookUrl),
  headers: Redacted.make({ authorization: "SECRET-header-c0de" }),
  queryParams: Redacted.make({ token: "SECRET-query-c0de" })
}
const webhook = { id: webhookId, ...webhookFields, url: webhookUrl }

const alertId = AlertId.make("65f5e4a3b9e77c001a567894")
const alertCreate: AlertCreate = {
  name: "Too many errors",
  source: "saved_search",
  savedSearchId,
  dashboardId: "65f5e4a3b9e77c001a567895",
  tileId: "t1",
  groupBy: "service",
  threshold: 0.5,
  thresholdType: "above",
  interval: "5m",
  message: "Errors",
  channel: { type: "webhook", webhookId }
}
const alert = { id: alertId, ...alertCreate }

/**
 * One sample for every operation of the contract. It does not compile while an operation has none, so everything that
 * is computed from it covers every operation.
 */
export const samples: Samples = {
  organization: {
    list: {
      params: {},
      payload: undefined,
      success: [organization],
      call: Organizations.use((organizations) => organizations.list())
    },
    get: {
      params: { organizationId },
      payload: undefined,
      success: organization,
      call: Organizations.use((organizations) => organizations.get({ organizationId }))
    },
    whoami: {
      params: {},
      payload: undefined,
      success: { organization, key: { id: key.id, name: key.name }, roles: key.roles },
      call: Organizations.use((organizations) => organizations.whoami())
    }
  },
  cdcScaling: {
    get: {
      params: serviceAddress,
      payload: undefined,
      success: replicaSize,
      call: CdcScaling.use((scaling) => scaling.get(serviceAddress))
    },
    update: {
      params: serviceAddress,
      payload: replicaSize,
      success: replicaSize,
      call: CdcScaling.use((scaling) => scaling.update(serviceAddress, replicaSize))
    }
  },
  endpoint: {
    list: {
      params: serviceAddress,
      payload: undefined,
      success: [endpoint],
      call: ReversePrivateEndpoints.use((endpoints) => endpoints.list(serviceAddress))
    },
    get: {
      params: endpointAddress,
      payload: undefined,
      success: endpoint,
      call: ReversePrivateEndpoints.use((endpoints) => endpoints.get(endpointAddress))
    },
    create: {
      params: serviceAddress,
      payload: endpointCreate,
      success: endpoint,
      call: ReversePrivateEndpoints.use((endpoints) => endpoints.create(serviceAddress, endpointCreate))
    },
    update: {
      params: endpointAddress,
      payload: endpointUpdate,
      success: endpoint,
      call: ReversePrivateEndpoints.use((endpoints) => endpoints.update(endpointAddress, endpointUpdate))
    },
    delete: {
      params: endpointAddress,
      payload: undefined,
      success: undefined,
      call: ReversePrivateEndpoints.use((endpoints) => endpoints.delete(endpointAddress))
    }
  },
  service: {
    list: {
      params: { organizationId },
      payload: undefined,
      success: [service],
      call: Services.use((services) => services.list({ organizationId }))
    },
    get: {
      params: serviceAddress,
      payload: undefined,
      success: service,
      call: Services.use((services) => services.get(serviceAddress))
    },
    setState: {
      params: serviceAddress,
      payload: { command: "awake" },
      success: { ...service, state: "awaking" },
      call: Services.use((services) => services.setState(serviceAddress, { command: "awake" }))
    }
  },
  pipe: {
    list: {
      params: serviceAddress,
      payload: undefined,
      success: [pipe],
      call: Pipes.use((pipes) => pipes.list(serviceAddress))
    },
    get: {
      params: pipeAddress,
      payload: undefined,
      success: pipe,
      call: Pipes.use((pipes) => pipes.get(pipeAddress))
    },
    delete: {
      params: pipeAddress,
      payload: undefined,
      success: undefined,
      call: Pipes.use((pipes) => pipes.delete(pipeAddress))
    },
    create: {
      params: serviceAddress,
      payload: pipeCreate,
      success: pipe,
      call: Pipes.use((pipes) => pipes.create(serviceAddress, pipeCreate))
    },
    update: {
      params: pipeAddress,
      payload: pipeUpdate,
      success: pipe,
      call: Pipes.use((pipes) => pipes.update(pipeAddress, pipeUpdate))
    },
    discoverSchema: {
      params: serviceAddress,
      payload: { source: pipeCreate.source },
      success: { fields: [{ name: "id", type: "String", optional: false }], meta: { format: "JSONEachRow" } },
      call: Pipes.use((pipes) => pipes.discoverSchema(serviceAddress, { source: pipeCreate.source }))
    },
    setState: {
      params: pipeAddress,
      payload: { command: "stop" },
      success: pipe,
      call: Pipes.use((pipes) => pipes.setState(pipeAddress, { command: "stop" }))
    },
    resume: {
      params: pipeAddress,
      payload: { from: "ledger", pending: null, acceptTable: null },
      success: pipe,
      call: Pipes.use((pipes) => pipes.resume(pipeAddress, { from: "ledger", pending: null, acceptTable: null }))
    },
    adopt: {
      params: pipeAddress,
      payload: undefined,
      success: pipe,
      call: Pipes.use((pipes) => pipes.adopt(pipeAddress))
    },
    scale: {
      params: pipeAddress,
      payload: scaling,
      success: pipe,
      call: Pipes.use((pipes) => pipes.scale(pipeAddress, scaling))
    },
    settings: {
      params: pipeAddress,
      payload: undefined,
      success: settings,
      call: Pipes.use((pipes) => pipes.settings(pipeAddress))
    },
    updateSettings: {
      params: pipeAddress,
      payload: settings,
      success: settings,
      call: Pipes.use((pipes) => pipes.updateSettings(pipeAddress, settings))
    },
    status: {
      params: pipeAddress,
      payload: undefined,
      success: {
        state: "Degraded",
        message: "the broker does not answer",
        since: "2026-01-02T03:04:05Z",
        next: null,
        due: null,
        simulated: false,
        warehouse: "*",
        guarantee: "exactly once",
        mover: "host-1:4711",
        rows: 990,
        bytes: 65536,
        rowsPerSecond: 120,
        bytesPerSecond: 8192,
        lag: 10,
        errors: 1,
        unknownFields: [{ name: "note", rows: 3 }],
        skippedKeys: 0,
        rejectedObjects: { count: 1, newest: ["logs/large.json"] },
        emptyObjects: { count: 0, newest: [] },
        listSeconds: 0.2,
        nextList: "2026-01-02T03:04:35Z",
        retainedLogBytes: 16_777_216,
        warnings: ["column note of orders is not copied"]
      },
      call: Pipes.use((pipes) => pipes.status(pipeAddress))
    },
    context: {
      params: serviceAddress,
      payload: undefined,
      success: { region: "eu-central-1" },
      call: Pipes.use((pipes) => pipes.context(serviceAddress))
    }
  },
  key: {
    create: {
      params: { organizationId },
      payload: keyCreate,
      success: { key, keyId: "new-key-id", keySecret: "SECRET-new-key-c0de" },
      call: ApiKeys.use((keys) => keys.create({ organizationId }, keyCreate))
    },
    list: {
      params: { organizationId },
      payload: undefined,
      success: [key],
      call: ApiKeys.use((keys) => keys.list({ organizationId }))
    },
    get: {
      params: keyAddress,
      payload: undefined,
      success: key,
      call: ApiKeys.use((keys) => keys.get(keyAddress))
    },
    update: {
      params: keyAddress,
      payload: keyUpdate,
      success: key,
      call: ApiKeys.use((keys) => keys.update(keyAddress, keyUpdate))
    },
    delete: {
      params: keyAddress,
      payload: undefined,
      success: undefined,
      call: ApiKeys.use((keys) => keys.delete(keyAddress))
    }
  },
  role: {
    list: {
      params: { organizationId },
      payload: undefined,
      success: [role],
      call: Roles.use((roles) => roles.list({ organizationId }))
    },
    create: {
      params: { organizationId },
      payload: roleCreate,
      success: role,
      call: Roles.use((roles) => roles.create({ organizationId }, roleCreate))
    },
    get: {
      params: roleAddress,
      payload: undefined,
      success: role,
      call: Roles.use((roles) => roles.get(roleAddress))
    },
    update: {
      params: roleAddress,
      payload: roleCreate,
      success: role,
      call: Roles.use((roles) => roles.update(roleAddress, roleCreate))
    },
    delete: {
      params: roleAddress,
      payload: undefined,
      success: undefined,
      call: Roles.use((roles) => roles.delete(roleAddress))
    }
  },
  dashboard: {
    create: {
      params: {},
      payload: dashboardCreate,
      success: dashboard,
      call: Dashboards.use((dashboards) => dashboards.create(dashboardCreate))
    },
    list: {
      params: {},
      payload: undefined,
      success: [dashboard],
      call: Dashboards.use((dashboards) => dashboards.list())
    },
    validate: {
      params: {},
      payload: dashboardCreate,
      success: { valid: false, errors: [{ path: "name", message: "Expected a name" }], normalized: null },
      call: Dashboards.use((dashboards) => dashboards.validate(dashboardCreate))
    },
    get: {
      params: { dashboardId },
      payload: undefined,
      success: dashboard,
      call: Dashboards.use((dashboards) => dashboards.get({ dashboardId }))
    },
    update: {
      params: { dashboardId },
      payload: dashboardUpdate,
      success: dashboard,
      call: Dashboards.use((dashboards) => dashboards.update({ dashboardId }, dashboardUpdate))
    },
    delete: {
      params: { dashboardId },
      payload: undefined,
      success: undefined,
      call: Dashboards.use((dashboards) => dashboards.delete({ dashboardId }))
    }
  },
  serviceDashboard: {
    create: {
      params: serviceAddress,
      payload: dashboardCreate,
      success: dashboard,
      call: ServiceDashboards.use((services) => services.of(serviceAddress).create(dashboardCreate))
    },
    list: {
      params: serviceAddress,
      payload: undefined,
      success: [dashboard],
      call: ServiceDashboards.use((services) => services.of(serviceAddress).list())
    },
    validate: {
      params: serviceAddress,
      payload: dashboardCreate,
      success: { valid: false, errors: [{ path: "name", message: "Expected a name" }], normalized: null },
      call: ServiceDashboards.use((services) => services.of(serviceAddress).validate(dashboardCreate))
    },
    get: {
      params: { ...serviceAddress, dashboardId },
      payload: undefined,
      success: dashboard,
      call: ServiceDashboards.use((services) => services.of(serviceAddress).get({ dashboardId }))
    },
    update: {
      params: { ...serviceAddress, dashboardId },
      payload: dashboardUpdate,
      success: dashboard,
      call: ServiceDashboards.use((services) => services.of(serviceAddress).update({ dashboardId }, dashboardUpdate))
    },
    delete: {
      params: { ...serviceAddress, dashboardId },
      payload: undefined,
      success: undefined,
      call: ServiceDashboards.use((services) => services.of(serviceAddress).delete({ dashboardId }))
    }
  },
  connection: {
    create: {
      params: {},
      payload: connectionCreate,
      success: connection,
      call: Connections.use((connections) => connections.create(connectionCreate))
    },
    list: {
      params: {},
      payload: undefined,
      success: [connection],
      call: Connections.use((connections) => connections.list())
    },
    get: {
      params: { connectionId },
      payload: undefined,
      success: connection,
      call: Connections.use((connections) => connections.get({ connectionId }))
    },
    update: {
      params: { connectionId },
      payload: connectionCreate,
      success: connection,
      call: Connections.use((connections) => connections.update({ connectionId }, connectionCreate))
    },
    delete: {
      params: { connectionId },
      payload: undefined,
      success: undefined,
      call: Connections.use((connections) => connections.delete({ connectionId }))
    }
  },
  source: {
    create: {
      params: {},
      payload: sourceCreate,
      success: source,
      call: DashboardSources.use((sources) => sources.create(sourceCreate))
    },
    list: {
      params: {},
      payload: undefined,
      success: [source],
      call: DashboardSources.use((sources) => sources.list())
    },
    get: {
      params: { sourceId },
      payload: undefined,
      success: source,
      call: DashboardSources.use((sources) => sources.get({ sourceId }))
    },
    update: {
      params: { sourceId },
      payload: sourceCreate,
      success: source,
      call: DashboardSources.use((sources) => sources.update({ sourceId }, sourceCreate))
    },
    delete: {
      params: { sourceId },
      payload: undefined,
      success: undefined,
      call: DashboardSources.use((sources) => sources.delete({ sourceId }))
    }
  },
  savedSearch: {
    create: {
      params: {},
      payload: savedSearchCreate,
      success: savedSearch,
      call: SavedSearches.use((searches) => searches.create(savedSearchCreate))
    },
    list: {
      params: {},
      payload: undefined,
      success: [savedSearch],
      call: SavedSearches.use((searches) => searches.list())
    },
    get: {
      params: { savedSearchId },
      payload: undefined,
      success: savedSearch,
      call: SavedSearches.use((searches) => searches.get({ savedSearchId }))
    },
    update: {
      params: { savedSearchId },
      payload: savedSearchCreate,
      success: savedSearch,
      call: SavedSearches.use((searches) => searches.update({ savedSearchId }, savedSearchCreate))
    },
    delete: {
      params: { savedSearchId },
      payload: undefined,
      success: undefined,
      call: SavedSearches.use((searches) => searches.delete({ savedSearchId }))
    }
  },
  webhook: {
    create: {
      params: {},
      payload: webhookCreate,
      success: webhook,
      call: Webhooks.use((webhooks) => webhooks.create(webhookCreate))
    },
    list: {
      params: {},
      payload: undefined,
      success: [webhook],
      call: Webhooks.use((webhooks) => webhooks.list())
    },
    get: {
      params: { webhookId },
      payload: undefined,
      success: webhook,
      call: Webhooks.use((webhooks) => webhooks.get({ webhookId }))
    },
    update: {
      params: { webhookId },
      payload: webhookCreate,
      success: webhook,
      call: Webhooks.use((webhooks) => webhooks.update({ webhookId }, webhookCreate))
    },
    delete: {
      params: { webhookId },
      payload: undefined,
      success: undefined,
      call: Webhooks.use((webhooks) => webhooks.delete({ webhookId }))
    }
  },
  alert: {
    create: {
      params: {},
      payload: alertCreate,
      success: alert,
      call: Alerts.use((alerts) => alerts.create(alertCreate))
    },
    list: {
      params: {},
      payload: undefined,
      success: [alert],
      call: Alerts.use((alerts) => alerts.list())
    },
    get: {
      params: { alertId },
      payload: undefined,
      success: alert,
      call: Alerts.use((alerts) => alerts.get({ alertId }))
    },
    update: {
      params: { alertId },
      payload: alertCreate,
      success: alert,
      call: Alerts.use((alerts) => alerts.update({ alertId }, alertCreate))
    },
    delete: {
      params: { alertId },
      payload: undefined,
      success: undefined,
      call: Alerts.use((alerts) => alerts.delete({ alertId }))
    }
  }
}
