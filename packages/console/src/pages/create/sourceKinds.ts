import type { NodeDraft } from "../../parts/schemaForm/nodeDraft.ts"
import type { ObjectNode } from "../../parts/schemaForm/schemaNode.ts"

/** What the page knows of a kind of source beside its schema. */
interface SourceKind {
  readonly title: string
  /** Whether it is a stream or files, whose fields can be discovered and become columns. A database has columns of its own. */
  readonly hasFields: boolean
  /** The fields that are shown at once: what is required, and what most people need. */
  readonly first: ReadonlyArray<string>
  /** What stands in the fields at first. */
  readonly preset: NodeDraft
}

const login = ["credentials", "credentials.username", "credentials.password"]
const accessKey = ["accessKey", "accessKey.accessKeyId", "accessKey.secretKey"]
const tables = ["tableMappings", "tableMappings.sourceTable", "tableMappings.targetTable"]
const database = ["type", "host", "port", ...login, "settings", "settings.replicationMode"]

/** The kinds of sources by name, as the request has them. One that is not here is shown as its schema describes it. */
export const sourceKinds: Readonly<Record<string, SourceKind>> = {
  kafka: {
    title: "Kafka",
    hasFields: true,
    first: ["type", "format", "brokers", "topics", "authentication", ...login, "offset", "offset.strategy"],
    preset: { type: "kafka", format: "JSONEachRow", offset: { strategy: "from_beginning" } }
  },
  kinesis: {
    title: "Kinesis",
    hasFields: true,
    first: ["format", "streamName", "region", "iteratorType", "authentication", "iamRole", ...accessKey],
    preset: { format: "JSONEachRow", iteratorType: "TRIM_HORIZON" }
  },
  objectStorage: {
    title: "Object storage",
    hasFields: true,
    first: ["type", "format", "url", "azureContainerName", "isContinuous", "authentication", ...accessKey],
    preset: { type: "s3", format: "JSONEachRow" }
  },
  postgres: {
    title: "Postgres",
    hasFields: false,
    first: [...database, "database", ...tables, "tableMappings.sourceSchemaName"],
    preset: {
      type: "postgres",
      port: "5432",
      settings: { replicationMode: "cdc" },
      tableMappings: [{ sourceSchemaName: "public" }]
    }
  },
  mysql: {
    title: "MySQL or MariaDB",
    hasFields: false,
    first: [...database, ...tables, "tableMappings.sourceSchemaName"],
    preset: { type: "mysql", port: "3306", settings: { replicationMode: "cdc" }, tableMappings: [{}] }
  },
  mongodb: {
    title: "MongoDB",
    hasFields: false,
    first: [
      "uri",
      "readPreference",
      ...login,
      "settings",
      "settings.replicationMode",
      "tableMappings",
      "tableMappings.sourceDatabaseName",
      "tableMappings.sourceCollection",
      "tableMappings.targetTable"
    ],
    preset: { readPreference: "primary", settings: { replicationMode: "cdc" }, tableMappings: [{}] }
  },
  bigquery: {
    title: "BigQuery",
    hasFields: false,
    first: [
      "snapshotStagingPath",
      "projectId",
      "credentials",
      "credentials.serviceAccountFile",
      "settings",
      "settings.replicationMode",
      ...tables,
      "tableMappings.sourceDatasetName"
    ],
    preset: { settings: { replicationMode: "snapshot" }, tableMappings: [{}] }
  },
  pubsub: {
    title: "Pub/Sub",
    hasFields: true,
    first: [
      "format",
      "projectId",
      "topic",
      "authentication",
      "serviceAccountKey",
      "serviceAccountKey.serviceAccountFile",
      "seekType"
    ],
    preset: { format: "JSONEachRow", authentication: "SERVICE_ACCOUNT", seekType: "latest" }
  }
}

/** Whether a field of a source is shown at once; `path` is that of the request. */
export const isFirstOfSource = (kind: string, path: string): boolean => {
  const known = sourceKinds[kind]
  return known === undefined || known.first.includes(path.replace(`source.${kind}.`, "").replaceAll(/\[\d+\]/g, ""))
}

/** A kind of source that the server knows. */
export interface OfferedKind {
  readonly kind: string
  readonly title: string
  readonly description: string
  readonly node: ObjectNode
}

/** The kinds of sources in the schema of a source: its members that are objects. */
export const offeredKinds = (source: ObjectNode): ReadonlyArray<OfferedKind> =>
  source.members.flatMap(({ description, label, name, node }) =>
    node.kind === "object" ? [{ kind: name, title: sourceKinds[name]?.title ?? label, description, node }] : []
  )
