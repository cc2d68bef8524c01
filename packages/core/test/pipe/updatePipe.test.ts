import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { decodeRequest } from "../../src/error/validate.ts"
import { Pipe } from "../../src/pipe/Pipe.ts"
import { PipeUpdate } from "../../src/pipe/PipeUpdate.ts"
import { splitCredentials } from "../../src/pipe/credentialFields.ts"
import type { PipeRecord } from "../../src/pipe/lifecycle.ts"
import { unknownFieldsPath } from "../../src/pipe/unknownFields.ts"
import { updateChange } from "../../src/pipe/updatePipe.ts"

const start = { now: Date.UTC(2026, 10, 22), stepLength: Duration.seconds(1) }

const decodePipe = Schema.decodeUnknownSync(Pipe)
const encodePipe = Schema.encodeSync(Pipe)

/** A stored pipe with this source, whose credentials are split off. */
const held = (source: unknown, more: object = {}): PipeRecord => {
  const pipe = decodePipe({
    id: "6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f",
    serviceId: "0b9a8c7d-1e2f-4a3b-9c4d-5e6f7a8b9c0d",
    name: "orders",
    state: "Paused",
    source,
    ...more
  })
  const split = splitCredentials(pipe.source ?? {})
  return { pipe: { ...pipe, source: split.source }, credentials: split.credentials }
}

const login = { username: "u", password: "p" }
const kafka = {
  type: "kafka",
  format: "JSONEachRow",
  brokers: "b:9092",
  topics: "orders",
  authentication: "PLAIN",
  credentials: login
}
const table = (name: string) => ({ sourceSchemaName: "public", sourceTable: name, targetTable: name })
const postgres = {
  host: "db.example.com",
  port: 5432,
  database: "shop",
  authentication: "basic",
  credentials: login,
  settings: { replicationMode: "cdc", syncIntervalSeconds: 10 },
  tableMappings: [table("orders"), table("customers")]
}

const read = decodeRequest(PipeUpdate)
const update = Effect.fnUntraced(function* (stored: PipeRecord, request: unknown) {
  const change = yield* updateChange(yield* read(request))
  return yield* Effect.fromResult(change(stored, start))
})

/** The source after an update, with the credentials that are kept. */
const sourceAfter = Effect.fnUntraced(function* (stored: PipeRecord, request: unknown) {
  const { credentials = {}, pipe } = yield* update(stored, request)
  const values = Object.entries(credentials).map(([path, value]) => [path, Redacted.value(value)])
  return { source: encodePipe(pipe).source, credentials: Object.fromEntries(values) }
})

/** What an update is refused with. */
const refusal = (stored: PipeRecord, request: unknown) =>
  Effect.map(Effect.flip(update(stored, request)), ({ message }) => message)

const { credentials: _, ...kafkaAnswered } = kafka
const { credentials: __, ...postgresAnswered } = postgres

describe("an update of a pipe", () => {
  it.effect("that changes nothing returns the stored value", () =>
    Effect.gen(function* () {
      const stored = held({ kafka }, { destination: { database: "d", columns: [] }, settings: { db_max_threads: 4 } })
      const same = [
        {},
        { name: null, source: null, destination: null, fieldMappings: null, settings: null, owner: null },
        { source: { kafka: {} } },
        { source: { kafka: { topics: "orders", credentials: null }, kinesis: null } },
        { id: "x", createdAt: "x", updatedAt: "x", state: "Running", serviceId: "x" },
        encodePipe(stored.pipe)
      ]
      for (const request of same) assert.strictEqual(yield* update(stored, request), stored, JSON.stringify(request))
    })
  )

  it.effect("replaces members of the source whole, removes those that are null, and keeps credentials", () =>
    Effect.gen(function* () {
      const stored = held({ kafka: { ...kafka, consumerGroup: "g", offset: { strategy: "from_latest", future: 1 } } })
      const changes = {
        topics: "refunds",
        consumerGroup: null,
        offset: { strategy: "from_beginning" },
        credentials: null
      }
      assert.deepStrictEqual<unknown>(yield* sourceAfter(stored, { source: { kafka: changes } }), {
        source: { kafka: { ...kafkaAnswered, topics: "refunds", offset: { strategy: "from_beginning" } } },
        // No answer has shown it, so the request cannot have it.
        credentials: { "kafka.credentials": login, [unknownFieldsPath]: [[["kafka", "offset", "future"], 1]] }
      })
    })
  )

  it.effect("takes new credentials, and never answers them", () =>
    Effect.gen(function* () {
      const credentials = { username: "u", password: "other" }
      assert.deepStrictEqual<unknown>(yield* sourceAfter(held({ kafka }), { source: { kafka: { credentials } } }), {
        source: { kafka: kafkaAnswered },
        credentials: { "kafka.credentials": credentials }
      })
    })
  )

  it.effect("of the authentication needs its credentials, and drops those of the old method", () =>
    Effect.gen(function* () {
      const scram = { authentication: "SCRAM-SHA-256" }
      assert.strictEqual(
        yield* refusal(held({ kafka }), { source: { kafka: scram } }),
        "source.kafka.credentials.username: Missing: it is required with authentication SCRAM-SHA-256; " +
          "source.kafka.credentials.password: Missing: it is required with authentication SCRAM-SHA-256"
      )
      const withRole = { type: "msk", authentication: "IAM_ROLE", iamRole: "arn:aws:iam::1:role/msk" }
      const { credentials } = yield* sourceAfter(held({ kafka }), { source: { kafka: withRole } })
      assert.deepStrictEqual(credentials, {})
    })
  )

  it.effect("keeps the credentials of a schema registry that changes without its method", () =>
    Effect.gen(function* () {
      const schemaRegistry = { url: "https://r.example.com", authentication: "PLAIN", credentials: login }
      const stored = held({ kafka: { ...kafka, schemaRegistry } })
      const moved = { url: "https://other.example.com", authentication: "PLAIN" }
      const after = yield* sourceAfter(stored, { source: { kafka: { schemaRegistry: moved } } })
      assert.deepStrictEqual(after.credentials["kafka.schemaRegistry.credentials"], login)
      const removed = yield* sourceAfter(stored, { source: { kafka: { schemaRegistry: null } } })
      assert.deepStrictEqual(Object.keys(removed.credentials), ["kafka.credentials"])
    })
  )

  it.effect("merges the settings of the pipe and of its source", () =>
    Effect.gen(function* () {
      const stored = held({ postgres }, { settings: { db_max_threads: 4, streaming_max_insert_wait_ms: 1000 } })
      const { pipe } = yield* update(stored, {
        settings: { db_max_threads: 8, streaming_max_insert_wait_ms: null },
        source: { postgres: { settings: { syncIntervalSeconds: 20 } } }
      })
      assert.deepStrictEqual<unknown>(pipe.settings, { db_max_threads: 8 })
      assert.deepStrictEqual<unknown>(pipe.source?.postgres?.settings, {
        replicationMode: "cdc",
        syncIntervalSeconds: 20
      })
    })
  )

  it.effect("keeps unknown fields, and changes the columns of the destination alone", () =>
    Effect.gen(function* () {
      const stored = held({ kafka }, { destination: { database: "d", table: "t" }, owner: "a" })
      const columns = [{ name: "id", type: "UInt64" }]
      const { pipe } = yield* update(stored, { destination: { database: "d", columns }, owner: "b" })
      assert.deepStrictEqual<unknown>(pipe.destination, { database: "d", table: "t", columns })
      assert.strictEqual(pipe["owner"], "b")
      assert.match(yield* refusal(stored, { destination: { table: "u" } }), /^destination.table: Expected no change/)
      assert.match(yield* refusal(stored, { scaling: { replicas: 2 } }), /^scaling.replicas: Expected no change/)
    })
  )

  it.effect("is refused with the path of the field that breaks a rule", () =>
    Effect.gen(function* () {
      const stored = held({ kafka: { ...kafka, exactlyOnce: true } })
      const refusals = {
        name: { name: "" },
        "source.kafka.topics": { source: { kafka: { topics: "" } } },
        "source.kafka.format": { source: { kafka: { format: null } } },
        "source.kafka.exactlyOnce": { source: { kafka: { exactlyOnce: false } } },
        "source.kafka.tombstoneMode": { source: { kafka: { tombstoneMode: "soft_delete" } } },
        "source.postgres": { source: { postgres: { host: "h" } } },
        "fieldMappings[0].sourceField": { fieldMappings: [{ destinationField: "id" }] },
        "destination.columns[0].name": { destination: { columns: [{ type: "UInt64" }] } },
        "settings.db_max_threads": { settings: { db_max_threads: 65 } }
      }
      for (const [path, request] of Object.entries(refusals)) {
        assert.isTrue((yield* refusal(stored, request)).startsWith(`${path}: `), path)
      }
    })
  )

  it.effect("does not judge what was there before it, as in an imported pipe", () =>
    Effect.gen(function* () {
      const stored = held({ kafka: { topics: "orders" } })
      const { pipe } = yield* update(stored, { name: "new", source: { kafka: { topics: "refunds" } } })
      assert.strictEqual(pipe.source?.kafka?.topics, "refunds")
    })
  )

  it.effect("adds and removes tables of a paused pipe, which goes on by itself", () =>
    Effect.gen(function* () {
      const changes = { tableMappingsToRemove: [table("orders")], tableMappingsToAdd: [table("refunds")] }
      const { pipe, progress } = yield* update(held({ postgres }), { source: { postgres: changes } })
      assert.deepStrictEqual<unknown>(pipe.source?.postgres?.tableMappings, [table("customers"), table("refunds")])
      assert.strictEqual(pipe.state, "Modifying")
      assert.deepStrictEqual(
        progress?.steps.map(({ next }) => next),
        ["Running"]
      )
      assert.notProperty(pipe.source?.postgres, "tableMappingsToAdd")
    })
  )

  it.effect("refuses a table that is there already, one that is not, and any while the pipe runs", () =>
    Effect.gen(function* () {
      const changes = { tableMappingsToRemove: [table("refunds")], tableMappingsToAdd: [table("orders")] }
      assert.strictEqual(
        yield* refusal(held({ postgres }), { source: { postgres: changes } }),
        "source.postgres.tableMappingsToRemove[0]: the pipe has no table public.refunds; " +
          "source.postgres.tableMappingsToAdd[0]: the pipe has the table public.orders already"
      )
      const running = held({ postgres }, { state: "Running" })
      const added = { source: { postgres: { tableMappingsToAdd: [table("refunds")] } } }
      assert.strictEqual(yield* refusal(running, added), "pipe must be paused to edit")
      const empty = { source: { postgres: { tableMappingsToAdd: [], tableMappingsToRemove: [] } } }
      assert.strictEqual(yield* update(running, empty), running)
      const hosted = yield* update(running, { source: { postgres: { host: "other.example.com" } } })
      assert.strictEqual(hosted.pipe.state, "Running")
    })
  )

  it.effect("answers what was sent but for the credentials", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual<unknown>(encodePipe((yield* update(held({ postgres }), { name: "x" })).pipe).source, {
        postgres: postgresAnswered
      })
    })
  )
})
