import { fullPipe } from "./fullPipe.ts"

const credentials = { username: "headgate", password: "SECRET-pipe-password-c0de" }
const accessKey = { accessKeyId: "AKIA", secretKey: "SECRET-access-key-c0de" }
const serviceAccountFile = "SECRET-service-account-c0de"

const { kafka, kinesis, objectStorage, postgres } = fullPipe.source

const connection = { tlsHost: "db.example.com", caCertificate: "", disableTls: false, skipCertVerification: false }
const target = { targetTable: "orders", tableEngine: "ReplacingMergeTree" }
const columns = { excludedColumns: ["email"], sortingKeys: ["id"], useCustomSortingKey: true }
const [table] = postgres.tableMappings
const postgresTable = { ...table, ...target, partitionKey: "id", partitionByExpr: "toYYYYMM(at)" }
const server = {
  ...connection,
  host: "db.example.com",
  database: "shop",
  authentication: "basic",
  iamRole: ""
}
const glueRegistry = {
  type: "glue",
  glueRegion: "eu-central-1",
  glueRegistryName: "orders",
  glueRoleArn: "arn:aws:iam::123456789012:role/registry"
}
const structuredIngestion = {
  enabled: true,
  dropUnexpectedValues: false,
  columns: [{ name: "id", type: "UUID" }],
  excludedColumns: ["email"],
  sortingKeys: ["id"],
  partitionByExpr: "toYYYYMM(at)"
}
const replication = { ...postgres.settings, deleteOnMerge: false }

/** Every kind of source with every field, as an answer has them, as JSON. */
export const answeredSource = {
  kafka: { ...kafka, exactlyOnce: true, tombstoneMode: "soft_delete" },
  kinesis: { ...kinesis, schemaRegistry: glueRegistry },
  objectStorage: { ...objectStorage, skipInitialLoad: false, startAfter: "" },
  postgres: { ...postgres, ...server, port: 5432, settings: replication, tableMappings: [postgresTable] },
  mysql: {
    ...server,
    type: "mysql",
    port: 3306,
    serverId: 7,
    settings: { ...replication, replicationMechanism: "GTID", useCompression: true },
    tableMappings: [{ sourceSchemaName: "shop", sourceTable: "orders", ...target, ...columns, partitionKey: "id" }]
  },
  mongodb: {
    ...connection,
    uri: "mongodb://db.example.com",
    readPreference: "primary",
    settings: { ...replication, useJsonNativeFormat: true },
    tableMappings: [{ sourceDatabaseName: "shop", sourceCollection: "orders", ...target, structuredIngestion }]
  },
  bigquery: {
    snapshotStagingPath: "gs://bucket/staging/",
    settings: {
      ...replication,
      replicationMethod: "query_based",
      queryCdcPullSyncParallelism: 2,
      syncDelaySeconds: 10,
      pullWindowSizeSeconds: 3600,
      syncCron: "0 * * * *"
    },
    tableMappings: [
      {
        sourceDatasetName: "shop",
        sourceTable: "orders",
        ...target,
        ...columns,
        queryCdcWatermarkColumn: "updated_at",
        eventsFunction: "changes"
      }
    ]
  },
  pubsub: {
    format: "JSONEachRow",
    projectId: "acme",
    topic: "orders",
    authentication: "SERVICE_ACCOUNT",
    seekType: "timestamp",
    seekTimestamp: "2026-01-01T00:00:00Z",
    filter: "",
    enableOrdering: true,
    ackDeadline: 60
  },
  validateSamples: true
}

/** {@link answeredSource} with its credentials, as a request has them. */
export const sentSource = {
  ...answeredSource,
  kafka: {
    ...answeredSource.kafka,
    schemaRegistry: { ...kafka.schemaRegistry, credentials },
    credentials: {
      ...credentials,
      ...accessKey,
      connectionString: "SECRET-event-hub-c0de",
      certificate: "-----BEGIN CERTIFICATE-----",
      privateKey: "SECRET-private-key-c0de"
    }
  },
  kinesis: {
    ...answeredSource.kinesis,
    accessKey,
    protobufSchema: "SECRET-protobuf-schema-c0de",
    timestampText: "1769860800"
  },
  objectStorage: { ...answeredSource.objectStorage, accessKey, serviceAccountKey: serviceAccountFile },
  postgres: { ...answeredSource.postgres, credentials },
  mysql: { ...answeredSource.mysql, credentials },
  mongodb: { ...answeredSource.mongodb, credentials },
  bigquery: { ...answeredSource.bigquery, credentials: { serviceAccountFile } },
  pubsub: { ...answeredSource.pubsub, serviceAccountKey: { serviceAccountFile } }
}

/** {@link sentSource} with changes of tables. */
export const changedSource = {
  ...sentSource,
  postgres: { ...sentSource.postgres, tableMappingsToAdd: [postgresTable], tableMappingsToRemove: [] }
}
