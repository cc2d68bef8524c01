import { assert, describe, it } from "@effect/vitest"
import type { KafkaSource } from "@headgate/core"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { kafkaOptionsOf } from "../src/index.ts"

const source: KafkaSource = {
  type: "kafka",
  format: "JSONEachRow",
  brokers: "a.test:9092, [::1]:9093",
  topics: "orders,clicks"
}
const credentials = Redacted.make({ username: "alice", password: "the-password" })

describe("kafkaOptionsOf", () => {
  it.effect("reads the lists, and begins at the first messages", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* kafkaOptionsOf(source, { isReadCommitted: true }), {
        brokers: ["a.test:9092", "[::1]:9093"],
        topics: ["orders", "clicks"],
        start: "earliest",
        isReadCommitted: true,
        virtualColumns: []
      })
    })
  )

  it.effect("adds the virtual columns among the fields that the pipe wants", () =>
    Effect.gen(function* () {
      const options = yield* kafkaOptionsOf(source, { isReadCommitted: true, fields: ["_offset", "id", "_key"] })
      assert.deepStrictEqual(options.virtualColumns, ["_key", "_offset"])
    })
  )

  it.effect("takes each strategy", () =>
    Effect.gen(function* () {
      const startOf = (offset: NonNullable<KafkaSource["offset"]>) =>
        Effect.map(kafkaOptionsOf({ ...source, offset }, { isReadCommitted: false }), ({ start }) => start)
      assert.strictEqual(yield* startOf({ strategy: "from_beginning" }), "earliest")
      assert.strictEqual(yield* startOf({ strategy: "from_latest" }), "latest")
      const time = yield* startOf({ strategy: "from_timestamp", timestamp: "2026-01-02T03:04" })
      assert.isTrue(DateTime.isDateTime(time) && DateTime.toEpochMillis(time) === Date.UTC(2026, 0, 2, 3, 4))
    })
  )

  it.effect("encrypts when it authenticates or has a CA, and not otherwise", () =>
    Effect.gen(function* () {
      const more = { credentials, isReadCommitted: false }
      const login = yield* kafkaOptionsOf({ ...source, authentication: "SCRAM-SHA-512" }, more)
      assert.deepStrictEqual(login.tls, {})
      assert.deepInclude(login.login, { mechanism: "SCRAM-SHA-512", username: "alice" })
      assert.notInclude(JSON.stringify(login), "the-password")
      const ca = yield* kafkaOptionsOf({ ...source, caCertificate: "-----BEGIN" }, more)
      assert.deepStrictEqual([ca.tls, ca.login], [{ ca: "-----BEGIN" }, undefined])
      assert.isUndefined((yield* kafkaOptionsOf(source, more)).tls)
    })
  )

  const refused: ReadonlyArray<readonly [string, Partial<KafkaSource>]> = [
    ["format", { format: "Avro" }],
    ["authentication", { authentication: "IAM_ROLE" }],
    ["authentication", { authentication: "MUTUAL_TLS" }],
    ["credentials", { authentication: "PLAIN" }],
    ["schemaRegistry", { schemaRegistry: { url: "https://registry.test" } }],
    ["tombstoneMode", { tombstoneMode: "soft_delete" }],
    ["brokers", { brokers: " , " }],
    ["brokers", { brokers: "http://a.test:9092" }],
    ["brokers", { brokers: "user:password@a.test:9092" }],
    ["topics", { topics: "" }],
    ["offset.timestamp", { offset: { strategy: "from_timestamp", timestamp: "yesterday" } }],
    ["offset.timestamp", { offset: { strategy: "from_timestamp", timestamp: "2026-13-01T00:00" } }],
    ["offset.strategy", { offset: { strategy: "from_now" } }]
  ]
  for (const [field, change] of refused) {
    it.effect(`refuses ${JSON.stringify(change)} and names ${field}`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(kafkaOptionsOf({ ...source, ...change }, { isReadCommitted: false }))
        assert.strictEqual(error.path, `source.kafka.${field}`)
        assert.isAbove(error.message.length, 10)
      })
    )
  }
})
