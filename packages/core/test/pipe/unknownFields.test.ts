import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { SecureRandom, layerWebCrypto } from "effect/crypto/SecureRandom"
import { OrganizationId } from "../../src/id/organization.ts"
import { InvalidRequest } from "../../src/error/CallError.ts"
import { decodeRequest } from "../../src/error/validate.ts"
import { joinCredentials, splitCredentials } from "../../src/pipe/credentialFields.ts"
import { ServiceId } from "../../src/id/service.ts"
import type { PipeRecord } from "../../src/pipe/lifecycle.ts"
import { makePipe } from "../../src/pipe/makePipe.ts"
import { Pipe } from "../../src/pipe/Pipe.ts"
import { PipeCreate } from "../../src/pipe/PipeCreate.ts"
import { PipeUpdate } from "../../src/pipe/PipeUpdate.ts"
import { refusedFields, UnknownFields, unknownFieldsPath } from "../../src/pipe/unknownFields.ts"
import { updateChange } from "../../src/pipe/updatePipe.ts"

const start = { now: Date.UTC(2026, 10, 22), stepLength: Duration.seconds(1) }
const address = {
  organizationId: OrganizationId.make("1c9f6a0e-3b7d-4f2a-8e5c-7d4b6a9f0e21"),
  serviceId: ServiceId.make("0b9a8c7d-1e2f-4a3b-9c4d-5e6f7a8b9c0d")
}

const secret = { u: "user", p: "SECRET" }
const login = { username: "u", password: "SECRET" }
const kafka = {
  type: "kafka",
  format: "JSONEachRow",
  brokers: "b:9092",
  topics: "orders",
  authentication: "PLAIN",
  credentials: login
}
const destination = {
  database: "analytics",
  table: "events",
  managedTable: true,
  columns: [{ name: "id", type: "UInt64" }]
}
const table = (name: string, more = {}) => ({
  sourceSchemaName: "public",
  sourceTable: name,
  targetTable: name,
  ...more
})
const postgres = {
  host: "db.example.com",
  port: 5432,
  database: "shop",
  credentials: login,
  settings: { replicationMode: "cdc" }
}

const keep = Effect.provideService(UnknownFields, "keep")

const create = Effect.fnUntraced(function* (source: object) {
  const sent = { name: "orders", source, destination: "postgres" in source ? { database: "analytics" } : destination }
  const request = yield* decodeRequest(PipeCreate)(sent)
  const random = yield* SecureRandom
  return yield* Effect.provideService(makePipe(address, request, start), SecureRandom, random)
}, Effect.provide(layerWebCrypto))

const update = Effect.fnUntraced(function* (stored: PipeRecord, source: object) {
  const change = yield* updateChange(yield* decodeRequest(PipeUpdate)({ source }))
  return yield* Effect.fromResult(change({ ...stored, pipe: { ...stored.pipe, state: "Paused" } }, start))
})

const issuesOf = <A, E, R>(call: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(call), (error) => {
    assert.instanceOf(error, InvalidRequest)
    if (!(error instanceof InvalidRequest)) return { issues: [], refused: [], message: "" }
    const { issues, message } = error
    return { message, refused: refusedFields(error), issues: issues.map(({ message, path }) => `${path}: ${message}`) }
  })

const encode = Schema.encodeEffect(Schema.fromJsonString(Pipe))

/** The unknown fields that a pipe keeps. */
const keptOf = ({ credentials = {} }: PipeRecord): unknown => {
  const kept = credentials[unknownFieldsPath]
  return kept === undefined ? [] : Redacted.value(kept)
}

describe("unknown fields of a source", () => {
  it.effect("are refused with the known name, at every depth, and the value is not repeated", () =>
    Effect.gen(function* () {
      const { credentials: _, ...withoutLogin } = kafka
      const misspelt = yield* issuesOf(create({ kafka: { ...withoutLogin, credentails: secret } }))
      assert.include(misspelt.issues, "source.kafka.credentails: Unknown field: did you mean credentials?")
      assert.deepStrictEqual(misspelt.refused, ["source.kafka.credentails"])

      const cases: ReadonlyArray<readonly [source: object, issue: string]> = [
        [{ kafka: { ...kafka, auth: secret } }, "source.kafka.auth: Unknown field"],
        [
          { kafka: { ...kafka, schemaRegistry: { url: "https://r.test", credential: secret } } },
          "source.kafka.schemaRegistry.credential: Unknown field: did you mean credentials?"
        ],
        [
          { kafka: { ...kafka, offset: { strategy: "from_latest", extra: { a: secret } } } },
          "source.kafka.offset.extra: Unknown field"
        ],
        [
          { kafka: { ...kafka, credentials: { ...login, pasword: "SECRET" } } },
          "source.kafka.credentials.pasword: Unknown field: did you mean password?"
        ],
        [{ kafka, kafkaa: secret }, "source.kafkaa: Unknown field: did you mean kafka?"],
        [{ kafka, [unknownFieldsPath]: [[["kafka", "topics"], "x"]] }, `source.${unknownFieldsPath}: Unknown field`],
        [
          { postgres: { ...postgres, tableMappings: [table("a"), table("b", { password: "SECRET" })] } },
          "source.postgres.tableMappings[1].password: Unknown field"
        ]
      ]
      for (const [source, issue] of cases) {
        const { issues, message } = yield* issuesOf(create(source))
        assert.deepStrictEqual(issues, [issue])
        assert.notInclude(message, "SECRET")
      }
    })
  )

  it.effect("are refused by the hundred thousand without much work, and 20 are named", () =>
    Effect.gen(function* () {
      const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`credentails${n}`, n]))
      const { issues, refused } = yield* issuesOf(create({ kafka: { ...kafka, ...many, ["x".repeat(1000)]: 1 } }))
      assert.lengthOf(issues, 21)
      assert.lengthOf(refused, 20)
      const made = yield* keep(create({ kafka: { ...kafka, ...many } }))
      assert.strictEqual(Object(keptOf(made)).length, 100_000)
      assert.strictEqual(yield* Effect.map(keep(update(made, { kafka: {} })), keptOf), keptOf(made))
    })
  )

  it.effect("are kept as a secret with `keep`, and are in no document", () =>
    Effect.gen(function* () {
      const source = {
        kafka: { ...kafka, auth: secret, "a.b": 1, offset: { strategy: "from_latest", extra: [secret] } },
        kafak: { a: "SECRET" }
      }
      const made = yield* keep(create(source))
      assert.notInclude(yield* encode(made.pipe), "SECRET")
      assert.notInclude(JSON.stringify(made), "SECRET")
      assert.deepStrictEqual(keptOf(made), [
        [["kafak"], { a: "SECRET" }],
        [["kafka", "a.b"], 1],
        [["kafka", "auth"], secret],
        [["kafka", "offset", "extra"], [secret]]
      ])
      const joined = JSON.stringify(joinCredentials(made.pipe.source ?? {}, made.credentials ?? {}))
      assert.deepStrictEqual<unknown>(JSON.parse(joined), {
        ...source,
        kafka: { ...source.kafka, credentials: "<redacted:credentials>" }
      })
    })
  )

  it.effect("of an import are split off, and a field of the name of their secret is one of them", () =>
    Effect.gen(function* () {
      const source = yield* Schema.decodeUnknownEffect(Pipe.schema.fields.source)({
        kafka: { ...kafka, credentails: secret },
        [unknownFieldsPath]: "SECRET"
      })
      const split = splitCredentials(source ?? {})
      assert.notInclude(JSON.stringify(split), "SECRET")
      assert.sameMembers(Object.keys(split.credentials), ["kafka.credentials", unknownFieldsPath])
    })
  )

  it.effect("that a stored pipe has are taken in a change, others are refused", () =>
    Effect.gen(function* () {
      const made = yield* keep(create({ kafka: { ...kafka, auth: secret } }))
      const changed = yield* update(made, { kafka: { topics: "x", auth: { p: "SECRET-2" } } })
      assert.deepStrictEqual(keptOf(changed), [[["kafka", "auth"], { p: "SECRET-2" }]])
      assert.notInclude(yield* encode(changed.pipe), "SECRET")
      const { issues } = yield* issuesOf(update(made, { kafka: { auth: secret, athu: secret } }))
      assert.deepStrictEqual(issues, ["source.kafka.athu: Unknown field"])
      const { issues: deeper } = yield* issuesOf(update(made, { auth: secret, kafka: { offset: { auth: 1 } } }))
      assert.sameMembers(deeper.slice(0, 2), ["source.auth: Unknown field", "source.kafka.offset.auth: Unknown field"])
    })
  )

  it.effect("stay in a change that does not name them, and go where it removes them or their place", () =>
    Effect.gen(function* () {
      const offset = { strategy: "from_latest", extra: 1 }
      const made = yield* keep(create({ kafka: { ...kafka, auth: secret, offset }, other: 2 }))
      const all = [
        [["kafka", "auth"], secret],
        [["kafka", "offset", "extra"], 1],
        [["other"], 2]
      ]
      assert.deepStrictEqual(keptOf(made), all)
      const after = (source: object) => Effect.map(keep(update(made, source)), keptOf)
      assert.deepStrictEqual(yield* after({ kafka: { topics: "x", offset: { strategy: "from_beginning" } } }), all)
      assert.deepStrictEqual(yield* after({ kafka: { auth: null } }), all.slice(1))
      assert.deepStrictEqual(yield* after({ kafka: { offset: null } }), [all[0], all[2]])
      assert.deepStrictEqual(yield* after({ other: null }), all.slice(0, 2))
      assert.deepStrictEqual(yield* after({ other: 3 }), [all[0], all[1], [["other"], 3]])
    })
  )

  it.effect("of a table stay with their table", () =>
    Effect.gen(function* () {
      const tableMappings = [table("a"), table("b", { extra: 1 })]
      const made = yield* keep(create({ postgres: { ...postgres, tableMappings } }))
      const after = (changes: object) => Effect.map(keep(update(made, { postgres: changes })), keptOf)
      const at = (index: number) => [[["postgres", "tableMappings", index, "extra"], 1]]
      assert.deepStrictEqual(keptOf(made), at(1))
      assert.deepStrictEqual(yield* after({ tableMappings: [table("a"), table("b")] }), at(1))
      assert.deepStrictEqual(yield* after({ tableMappings: [table("a"), table("c")] }), [])
      assert.deepStrictEqual(yield* after({ tableMappingsToRemove: [table("a")] }), at(0))
      assert.deepStrictEqual(yield* after({ tableMappingsToRemove: [table("b")] }), [])
      const added = yield* update(made, { postgres: { tableMappingsToAdd: [table("c", { extra: 2 })] } })
      assert.deepStrictEqual(keptOf(added), [...at(1), [["postgres", "tableMappings", 2, "extra"], 2]])
      const { issues } = yield* issuesOf(update(made, { postgres: { tableMappingsToAdd: [table("c", { exrta: 2 })] } }))
      assert.deepStrictEqual(issues, ["source.postgres.tableMappingsToAdd[0].exrta: Unknown field"])
    })
  )

  it.effect("do not count as a change when they are sent again", () =>
    Effect.gen(function* () {
      const made = yield* keep(create({ kafka: { ...kafka, auth: secret, offset: { strategy: "from_latest", z: 1 } } }))
      const stored = { ...made, pipe: { ...made.pipe, state: "Paused" } }
      const same = { kafka: { auth: secret, offset: { strategy: "from_latest", z: 1 } } }
      const change = yield* updateChange(yield* decodeRequest(PipeUpdate)({ source: same }))
      assert.strictEqual(yield* Effect.fromResult(change(stored, start)), stored)
    })
  )
})
