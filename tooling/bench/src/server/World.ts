import { createHash } from "node:crypto"

/** What a caller of one organization sends. */
export interface Organization {
  readonly id: string
  readonly serviceId: string
  readonly keyId: string
  readonly keySecret: string
  readonly token: string
}

/** base64(sha256(value)): how a snapshot writes a secret, and how every contestant keeps one. */
export const credentialHash = (value: string): string => createHash("sha256").update(value).digest("base64")

/** A UUID that is the same in every process: the contestants and the load are told of no ids. */
const uuid = (group: number, index: number): string =>
  `${group.toString(16).padStart(8, "0")}-0000-4000-8000-${index.toString(16).padStart(12, "0")}`

/** As many as the keys that a contestant creates within one round want, 99 each beside its own. */
const organizationCount = 3000

export const organizations: ReadonlyArray<Organization> = Array.from({ length: organizationCount }, (_, index) => ({
  id: uuid(1, index),
  serviceId: uuid(2, index),
  keyId: `benchkey${String(index).padStart(12, "0")}`,
  keySecret: `hgs_bench${String(index).padStart(35, "0")}`,
  token: `hgt_bench${String(index).padStart(35, "0")}`
}))

// There are thousands: the first is there.
export const first = organizations[0] as Organization

const columns = ["order_id", "customer_id", "amount", "currency", "country", "channel", "created_at", "updated_at"]

const certificate =
  "-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUQmVzdCBlZmZvcnQgc2FtcGxlIG9ubHkwCgYIKoZIzj0E\nAwIwFDESMBAGA1UEAwwJaGVhZGdhdGUwHhcNMjYwMTAxMDAwMDAwWhcNMzYwMTAx\n-----END CERTIFICATE-----\n"

/** A pipe as it is on the wire, with every field that the contract shows for a Kafka source: about 3 KB. */
export const pipeOf = (id: string, serviceId: string) => ({
  id,
  serviceId,
  name: "orders",
  state: "Running",
  createdAt: "2026-03-02T08:15:30Z",
  updatedAt: "2026-10-18T17:42:05.250Z",
  destination: {
    database: "analytics",
    table: "orders",
    managedTable: true,
    columns: columns.map((name) => ({ name, type: "LowCardinality(Nullable(String))" })),
    tableDefinition: {
      engine: { columnIds: ["order_id"], versionColumnId: "updated_at" },
      partitionBy: "toYYYYMM(created_at)",
      primaryKey: "order_id",
      sortingKey: ["order_id", "created_at"]
    }
  },
  fieldMappings: columns.map((name) => ({ sourceField: `payload.after.${name}`, destinationField: name })),
  scaling: { concurrency: 2, replicas: 3, replicaCpuMillicores: 250, replicaMemoryGb: 0.5 },
  settings: {
    db_max_download_threads: 4,
    db_max_insert_threads: 2,
    db_max_threads: 8,
    db_min_insert_block_size_bytes: 268435456,
    db_parallel_distributed_insert_select: 2,
    db_parallel_view_processing: true,
    object_storage_concurrency: 1,
    object_storage_max_file_count: 100,
    object_storage_max_insert_bytes: 10737418240,
    object_storage_polling_interval_ms: 30000,
    object_storage_use_cluster_function: false,
    streaming_max_insert_wait_ms: 5000
  },
  source: {
    kafka: {
      brokers: "broker-1.example.com:9092,broker-2.example.com:9092,broker-3.example.com:9092",
      topics: "orders,returns",
      consumerGroup: "headgate-orders",
      caCertificate: certificate,
      iamRole: "arn:aws:iam::123456789012:role/ingest-orders",
      offset: { timestamp: "2026-03-01T00:00" },
      reversePrivateEndpointIds: ["2f6c9b1e-4d3a-4c87-9e50-b1a7d8f3c624"],
      schemaRegistry: { url: "https://registry.example.com", authentication: "PLAIN", caCertificate: certificate }
    }
  }
})

export const pipeId = uuid(3, 0)
export const pipe = pipeOf(pipeId, first.serviceId)

/** The bodies that are posted. */
export const keyBody = {
  name: "deploy from CI",
  roles: ["developer"],
  expireAt: "2099-01-01T00:00:00Z",
  ipAccessList: [{ source: "192.0.2.0/24", description: "office" }]
}

const tile = (name: string, x: number, type: string) => ({
  name,
  x,
  y: 0,
  w: 12,
  h: 4,
  asRatio: false,
  series: [
    {
      type,
      dataSource: "events",
      aggFn: "count",
      where: "service:checkout level:error",
      whereLanguage: "lucene",
      groupBy: ["country"],
      sourceId: "events"
    }
  ]
})

export const dashboardBody = {
  name: "Orders at a glance",
  tags: ["orders", "checkout"],
  tiles: [tile("Orders per minute", 0, "time"), tile("By country", 12, "table"), tile("Today", 24, "number")]
}

/** The world as a document for `headgate-server --import`. Pipes and dashboards beside these are up to who measures. */
export const snapshot = (
  more: { readonly pipes?: ReadonlyArray<object>; readonly dashboards?: ReadonlyArray<object> } = {}
): string =>
  JSON.stringify({
    organizations: organizations.map((organization, index) => ({
      id: organization.id,
      name: `bench ${index}`,
      services: [
        { id: organization.serviceId, name: "service", pipes: index === 0 ? [pipe, ...(more.pipes ?? [])] : [] }
      ],
      keys: [
        {
          name: "bench",
          roles: ["admin"],
          hashData: {
            keyIdHash: credentialHash(organization.keyId),
            keyIdSuffix: organization.keyId.slice(-4),
            keySecretHash: credentialHash(organization.keySecret)
          }
        }
      ],
      tokens: [{ name: "bench", tokenHash: credentialHash(organization.token) }],
      dashboards: index === 0 ? (more.dashboards ?? []) : []
    }))
  })
