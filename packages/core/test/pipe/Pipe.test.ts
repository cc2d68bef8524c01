import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Pipe, pipeStates } from "../../src/pipe/Pipe.ts"
import { PipeSource, pipeSourceKinds } from "../../src/pipe/PipeSource.ts"
import { holdsContract, refusedPaths } from "../contract/holdsContract.ts"
import { namedFields } from "../contract/namedFields.ts"
import { replaceAt } from "../contract/wireDocument.ts"
import { allPipeFields, fieldsOfKind } from "./pipeContract.ts"
import { pipeDocuments } from "./pipeDocuments.ts"

const required = ["id", "serviceId", "name", "state"]
const decode = Schema.decodeUnknownEffect(Pipe)

describe("Pipe", () => {
  it("names the fields of the contract, each with its type, and no others", () => {
    assert.deepStrictEqual(namedFields(Pipe), allPipeFields)
  })

  for (const kind of pipeSourceKinds) {
    describe(`from ${kind}`, () => {
      holdsContract({ schema: Pipe, fields: fieldsOfKind(kind), document: pipeDocuments[kind], required })

      it.effect("returns the kind", () =>
        Effect.gen(function* () {
          const pipe = yield* decode(pipeDocuments[kind])
          assert.strictEqual(PipeSource.kind(pipe.source), kind)
        })
      )
    })
  }

  it.effect("needs id, serviceId, name and state, and nothing else", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* refusedPaths(Pipe, {}), required)
      const { id, name, serviceId, state } = pipeDocuments.kafka
      const least = { id, serviceId, name, state }
      assert.deepStrictEqual<unknown>(yield* decode(least), least)
    })
  )

  it.effect("reports every wrong field at once", () =>
    Effect.gen(function* () {
      const wrong = ["scaling.replicas", "settings.db_max_threads", "destination.columns[1].type"].reduce(
        (document, path) => replaceAt(document, path, []),
        replaceAt(pipeDocuments.postgres, "source.postgres.tableMappings[0].sortingKeys", ["id", 2])
      )
      assert.sameMembers(
        [...(yield* refusedPaths(Pipe, wrong))],
        [
          "scaling.replicas",
          "settings.db_max_threads",
          "destination.columns[1].type",
          "source.postgres.tableMappings[0].sortingKeys[1]"
        ]
      )
    })
  )

  it.effect("does not take undefined for absent", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* refusedPaths(Pipe, { ...pipeDocuments.kafka, createdAt: undefined }), ["createdAt"])
    })
  )

  it.effect("decodes times to instants, except those of the source", () =>
    Effect.gen(function* () {
      const pipe = yield* decode(pipeDocuments.kafka)
      const updatedAt = Option.map(Option.fromNullishOr(pipe.updatedAt), DateTime.toEpochMillis)
      assert.deepStrictEqual(updatedAt, Option.some(Date.UTC(2026, 0, 31, 10, 0, 0, 123)))
      assert.strictEqual(pipe.source?.kafka?.offset?.timestamp, "2026-01-31T12:00")
      const kinesis = yield* decode(pipeDocuments.kinesis)
      assert.strictEqual(kinesis.source?.kinesis?.timestamp, 1_769_860_800)
    })
  )

  it.effect("keeps a field whose name means something to JavaScript", () =>
    Effect.gen(function* () {
      const { id, name, serviceId, state } = pipeDocuments.kafka
      const text = JSON.stringify({ id, name, serviceId, state }).replace(
        "{",
        '{"__proto__":{"polluted":true},"constructor":1,"toString":"text",'
      )
      const pipe = yield* decode(JSON.parse(text))
      assert.notProperty({}, "polluted")
      assert.deepStrictEqual(JSON.parse(JSON.stringify(yield* Schema.encodeEffect(Pipe)(pipe))), JSON.parse(text))
    })
  )

  describe("strings with known values", () => {
    const open = [
      { path: "state", document: pipeDocuments.kafka, known: pipeStates },
      { path: "source.kafka.schemaRegistry.authentication", document: pipeDocuments.kafka, known: ["PLAIN"] },
      {
        path: "source.objectStorage.compression",
        document: pipeDocuments.objectStorage,
        known: ["none", "gzip", "gz", "brotli", "br", "xz", "LZMA", "zstd", "auto"]
      }
    ]
    it.effect.each(open)("$path takes its known values and any other", ({ document, known, path }) =>
      Effect.gen(function* () {
        for (const value of [...known, "NewInTheService", ""]) {
          const variant = replaceAt(document, path, value)
          const encoded = yield* Schema.encodeEffect(Pipe)(yield* decode(variant))
          assert.deepStrictEqual<unknown>(encoded, variant)
        }
      })
    )
  })
})

describe("PipeSource.kind", () => {
  it("is none without a member, and several with more than one", () => {
    assert.strictEqual(PipeSource.kind(undefined), "none")
    assert.strictEqual(PipeSource.kind(null), "none")
    assert.strictEqual(PipeSource.kind({}), "none")
    assert.strictEqual(PipeSource.kind({ kafka: null, postgres: null }), "none")
    assert.strictEqual(PipeSource.kind({ newInTheService: { host: "db.example.com" } }), "none")
    assert.strictEqual(PipeSource.kind({ kafka: {}, kinesis: {} }), "several")
    assert.strictEqual(PipeSource.kind({ kafka: {}, kinesis: {}, objectStorage: {}, postgres: {} }), "several")
  })

  it("is the one member that is present, even if it is empty or the others are null", () => {
    for (const kind of pipeSourceKinds) {
      assert.strictEqual(PipeSource.kind({ [kind]: {} }), kind)
      assert.strictEqual(
        PipeSource.kind({ kafka: null, kinesis: null, objectStorage: null, postgres: null, [kind]: {} }),
        kind
      )
    }
  })
})
