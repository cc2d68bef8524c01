import { assert, describe, it } from "@effect/vitest"
import { PipeId, type PostgresSource } from "@headgate/core"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { copyOptionsOf, postgresOptionsOf } from "../src/index.ts"

const pipeId = PipeId.make("b1be0000-0000-4000-8000-0000000000d9")
const credentials = Redacted.make({ username: "alice", password: "the-secret" })

const mapping = { sourceSchemaName: "public", sourceTable: "users", targetTable: "users" }

const source: PostgresSource = {
  type: "postgres",
  host: "db.example.com",
  port: 5432,
  database: "shop",
  settings: { replicationMode: "cdc" },
  tableMappings: [mapping]
}

const options = (change: Partial<PostgresSource> = {}) =>
  postgresOptionsOf({ ...source, ...change }, { pipeId, credentials })

describe("the options of a source", () => {
  it.effect("encrypt and verify unless the source says otherwise, and name the slot after the pipe", () =>
    Effect.gen(function* () {
      const plain = yield* options()
      assert.deepStrictEqual(plain.tls, { isVerified: true })
      assert.deepStrictEqual(plain.slot, {
        name: `headgate_${pipeId.replaceAll("-", "")}`,
        isOwn: true,
        isFailover: false
      })
      assert.notInclude(JSON.stringify(plain), "the-secret")
      const tls = (yield* options({ caCertificate: "PEM", tlsHost: "inside", skipCertVerification: true })).tls
      assert.deepStrictEqual(tls, { ca: "PEM", host: "inside", isVerified: false })
      assert.isUndefined((yield* options({ disableTls: true })).tls)
      const named = yield* options({
        settings: { replicationMode: "cdc_only", replicationSlotName: "s", publicationName: "p" }
      })
      assert.deepStrictEqual(
        [named.mode, named.slot.isOwn, named.publication],
        ["changes", false, { name: "p", isOwn: false }]
      )
    })
  )

  it("are copied as the settings say, within what the server allows", () => {
    const most = { inFlight: 4, limits: { rows: 100_000, bytes: 1000, wait: Duration.seconds(5) } }
    const copied = (settings: NonNullable<PostgresSource["settings"]>) => copyOptionsOf({ ...source, settings }, most)
    assert.deepStrictEqual(copied({ replicationMode: "cdc" }), { ...most, partsAtOnce: 4, tablesAtOnce: 4 })
    assert.deepStrictEqual(
      copied({
        pullBatchSize: 500,
        syncIntervalSeconds: 60,
        initialLoadParallelism: 2,
        snapshotNumberOfParallelTables: 1
      }),
      {
        inFlight: 4,
        limits: { rows: 500, bytes: 1000, wait: Duration.minutes(1) },
        partsAtOnce: 2,
        tablesAtOnce: 1
      }
    )
    assert.deepStrictEqual(
      copied({
        pullBatchSize: 1_000_000,
        syncIntervalSeconds: Number.MAX_SAFE_INTEGER,
        initialLoadParallelism: 100,
        snapshotNumberOfParallelTables: 100
      }),
      { ...most, limits: { ...most.limits, wait: Duration.hours(1) }, partsAtOnce: 4, tablesAtOnce: 4 }
    )
  })

  const refused: ReadonlyArray<readonly [field: string, change: Partial<PostgresSource>]> = [
    ["authentication", { authentication: "IAM_ROLE" }],
    ["iamRole", { iamRole: "arn:aws:iam::1:role/r" }],
    ["host", { host: "/var/run/postgresql" }],
    ["host", { host: "a,b" }],
    ["host", { host: "db?host=/tmp" }],
    ["database", { database: "" }],
    ["settings.deleteOnMerge", { settings: { replicationMode: "cdc", deleteOnMerge: true } }],
    ["tableMappings", { tableMappings: [] }],
    ["tableMappings[0].tableEngine", { tableMappings: [{ ...mapping, tableEngine: "Null" }] }],
    ["tableMappings[0].sourceTable", { tableMappings: [{ ...mapping, sourceTable: "x".repeat(64) }] }],
    ["tableMappings[1]", { tableMappings: [mapping, { ...mapping, targetTable: "again" }] }],
    ["tableMappings[1].targetTable", { tableMappings: [mapping, { ...mapping, sourceTable: "orders" }] }]
  ]
  for (const [field, change] of refused) {
    it.effect(`refuse ${JSON.stringify(change).slice(0, 60)} by the name of the field`, () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* Effect.flip(options(change))).path, `source.postgres.${field}`)
      })
    )
  }
})
