import { assert, it } from "@effect/vitest"
import { PipeSource, Snapshot } from "@headgate/core"
import { hashCredential } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Digest from "effect/crypto/Digest"
import {
  fixtureCredentials,
  fixtureDashboards,
  fixtureDocument,
  fixturePipes,
  fixtureSnapshot
} from "../src/fixtures/index.ts"

/** Every field of docs/wire-contract.md#fields-of-a-pipe, and those that the service always sends beside them. */
const pipeFields = `
id name serviceId state createdAt updatedAt
destination.database destination.table destination.managedTable destination.columns[].name destination.columns[].type
destination.tableDefinition.engine.type destination.tableDefinition.engine.columnIds[] destination.tableDefinition.engine.versionColumnId
destination.tableDefinition.partitionBy destination.tableDefinition.primaryKey destination.tableDefinition.sortingKey[]
fieldMappings[].sourceField fieldMappings[].destinationField
scaling.concurrency scaling.replicas scaling.replicaCpuMillicores scaling.replicaMemoryGb
settings.db_max_download_threads settings.db_max_insert_threads settings.db_max_threads
settings.db_min_insert_block_size_bytes settings.db_parallel_distributed_insert_select
settings.db_parallel_view_processing settings.object_storage_concurrency settings.object_storage_max_file_count
settings.object_storage_max_insert_bytes settings.object_storage_polling_interval_ms
settings.object_storage_use_cluster_function settings.streaming_max_insert_wait_ms`

const sourceFields: Record<"kafka" | "kinesis" | "objectStorage" | "postgres", string> = {
  kafka: `type format authentication offset.strategy brokers topics consumerGroup caCertificate iamRole offset.timestamp reversePrivateEndpointIds[]
    schemaRegistry.url schemaRegistry.authentication schemaRegistry.caCertificate`,
  kinesis: "format iteratorType authentication streamName region iamRole timestamp useEnhancedFanOut",
  objectStorage: `type format authentication url path azureContainerName connectionString iamRole queueUrl compression delimiter isContinuous`,
  postgres: `type authentication settings.replicationMode host port database
    settings.allowNullableColumns settings.enableFailoverSlots settings.initialLoadParallelism settings.publicationName
    settings.pullBatchSize settings.replicationSlotName settings.snapshotNumRowsPerPartition
    settings.snapshotNumberOfParallelTables settings.syncIntervalSeconds
    tableMappings[].sourceSchemaName tableMappings[].sourceTable tableMappings[].targetTable
    tableMappings[].excludedColumns[] tableMappings[].sortingKeys[] tableMappings[].useCustomSortingKey`
}

/** Every field of docs/wire-contract.md#fields-of-a-dashboard. */
const dashboardFields = `
id name tags[] tiles[].id tiles[].name tiles[].x tiles[].y tiles[].w tiles[].h tiles[].asRatio
tiles[].series[].type tiles[].series[].dataSource tiles[].series[].aggFn tiles[].series[].where
tiles[].series[].whereLanguage tiles[].series[].groupBy[] tiles[].series[].sourceId tiles[].series[].field
tiles[].series[].metricName tiles[].series[].metricDataType`

const words = (text: string) => text.trim().split(/\s+/)

/** The paths of all leaves that are not null. */
const leaves = (value: unknown, path = ""): ReadonlyArray<string> => {
  if (value === null) return []
  if (Array.isArray(value)) return value.flatMap((item) => leaves(item, `${path}[]`))
  if (!Predicate.isObject(value)) return [path]
  return Object.entries(value).flatMap(([key, item]) => leaves(item, path === "" ? key : `${path}.${key}`))
}

const missing = (fields: ReadonlyArray<string>, document: unknown) => {
  const present = new Set(leaves(document))
  return fields.filter((field) => !present.has(field))
}

it.each(["kafka", "kinesis", "objectStorage", "postgres"] as const)("the pipe %s has every field", (kind) => {
  const fields = [...words(pipeFields), ...words(sourceFields[kind]).map((field) => `source.${kind}.${field}`)]
  assert.deepStrictEqual(missing(fields, fixturePipes[kind]), [])
  assert.strictEqual(PipeSource.kind(Schema.decodeUnknownSync(PipeSource)(fixturePipes[kind].source)), kind)
})

it("a dashboard has every field", () => {
  assert.deepStrictEqual(missing(words(dashboardFields), fixtureDashboards.acme[0]), [])
})

it.effect("the snapshot is the document", () =>
  Effect.gen(function* () {
    const encoded = yield* Schema.encodeEffect(Snapshot)(yield* fixtureSnapshot)
    assert.deepStrictEqual(encoded, yield* fixtureDocument)
  })
)

it.effect("the credentials are in the document as hashes only", () =>
  Effect.gen(function* () {
    const text = JSON.stringify(yield* fixtureDocument)
    const secrets = [
      ...Object.values(fixtureCredentials.keys).flatMap(({ keyId, keySecret }) => [keyId, Redacted.value(keySecret)]),
      ...Object.values(fixtureCredentials.tokens).map(({ token }) => Redacted.value(token))
    ]
    assert.strictEqual(new Set(secrets).size, secrets.length)
    for (const secret of secrets) {
      assert.notInclude(text, secret)
      assert.include(text, yield* hashCredential(secret))
    }
  }).pipe(Effect.provide(Digest.layerWebCrypto))
)
