import { assert, describe, it } from "@effect/vitest"
import { fieldIssues, Pipe } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { clickhouse, dialectNames, dialects, neutral, pipeCodec, renameSetting } from "../../src/index.ts"
import { pipeDocuments } from "../documents.ts"

const settingsOf = (document: Schema.JsonObject) => document["settings"]

describe.each(dialectNames.map((name) => ({ name })))("a pipe in the $name dialect", ({ name }) => {
  const OnWire = pipeCodec(dialects[name])
  const document = pipeDocuments[name]

  it.effect("decodes and encodes to an equal document, settings that are new to us too", () =>
    Effect.gen(function* () {
      const pipe = yield* Schema.decodeUnknownEffect(OnWire)(document)
      assert.deepStrictEqual<unknown>(yield* Schema.encodeEffect(OnWire)(pipe), document)
    })
  )

  it.effect("decodes to the neutral names", () =>
    Effect.gen(function* () {
      const pipe = yield* Schema.decodeUnknownEffect(OnWire)(document)
      assert.deepStrictEqual<unknown>(pipe.settings, settingsOf(pipeDocuments.neutral))
      assert.isTrue(Schema.is(Pipe)(pipe))
    })
  )

  it.effect("keeps settings that are absent, null or empty as they are", () =>
    Effect.gen(function* () {
      const { settings: _settings, ...without } = document
      for (const variant of [without, { ...document, settings: null }, { ...document, settings: {} }]) {
        const pipe = yield* Schema.decodeUnknownEffect(OnWire)(variant)
        assert.deepStrictEqual<unknown>(yield* Schema.encodeEffect(OnWire)(pipe), variant)
      }
    })
  )

  it.effect("keeps both of two settings whose names a dialect could confuse", () =>
    Effect.gen(function* () {
      const settings = { db_max_threads: 1, clickhouse_max_threads: 2, db_db_x: 3, clickhouse_db_x: 4 }
      const pipe = yield* Schema.decodeUnknownEffect(OnWire)({ ...document, settings })
      assert.deepInclude(yield* Schema.encodeEffect(OnWire)(pipe), { settings })
    })
  )

  it.effect("names a wrong setting with the name in the document", () =>
    Effect.gen(function* () {
      const maxThreads = renameSetting(dialects[name], "db_max_threads")
      const parallel = renameSetting(dialects[name], "db_parallel_view_processing")
      const settings = { [maxThreads]: "eight", [parallel]: 1, object_storage_concurrency: 1.5 }
      const error = yield* Effect.flip(Schema.decodeUnknownEffect(OnWire)({ ...document, settings }, { errors: "all" }))
      assert.sameMembers(
        fieldIssues(error).map(({ path }) => path),
        [`settings.${maxThreads}`, `settings.${parallel}`, "settings.object_storage_concurrency"]
      )
    })
  )

  it.effect("decodes the connection string to Redacted", () =>
    Effect.gen(function* () {
      const pipe = yield* Schema.decodeUnknownEffect(OnWire)(document)
      assert.notInclude(JSON.stringify(pipe), "AccountKey")
    })
  )
})

describe("the dialects of a pipe", () => {
  it("are the domain's own schema where no name differs", () => {
    assert.strictEqual<unknown>(pipeCodec(neutral), Pipe)
  })

  // Whatever the pipe: apart from the names of its settings, the dialects write the same.
  it.effect.prop("differ in the names of settings and in nothing else", [Pipe], ([pipe]) =>
    Effect.gen(function* () {
      const encoded = yield* Effect.result(Schema.encodeEffect(Pipe)(pipe))
      if (Result.isFailure(encoded)) return
      const { settings, ...rest } = encoded.success
      const renamed =
        settings === undefined || settings === null
          ? settings
          : Record.mapKeys(settings, (name) => renameSetting(clickhouse, name))
      const expected = { ...rest, ...(settings === undefined ? {} : { settings: renamed }) }
      assert.deepStrictEqual<unknown>(yield* Schema.encodeEffect(pipeCodec(clickhouse))(pipe), expected)

      const decoded = yield* Schema.decodeUnknownEffect(pipeCodec(clickhouse))(expected)
      assert.isTrue(Schema.toEquivalence(Pipe)(decoded, pipe))
    })
  )
})
