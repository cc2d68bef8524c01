import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { fieldIssues } from "../../src/error/FieldIssue.ts"
import type { ContractFields, ContractType } from "./ContractField.ts"
import { fieldPaths, removeAt, replaceAt, withUnknownFields } from "./wireDocument.ts"

interface Wrong {
  readonly value: Schema.Json
  /** Where, below the field, the value is wrong. */
  readonly at?: string
}

const wrong: Readonly<Record<ContractType, ReadonlyArray<Wrong>>> = {
  string: [{ value: 7 }, { value: true }, { value: {} }, { value: ["a"] }],
  uuid: [{ value: 7 }, { value: "not-a-uuid" }, { value: "" }],
  "date-time": [{ value: 7 }, { value: "yesterday" }, { value: "2026-01-31" }],
  integer: [{ value: "7" }, { value: 1.5 }, { value: true }, { value: {} }],
  number: [{ value: "7" }, { value: true }, { value: [] }],
  boolean: [{ value: "true" }, { value: 1 }, { value: {} }],
  strings: [{ value: "a" }, { value: {} }, { value: [7], at: "[0]" }, { value: [null], at: "[0]" }],
  object: [{ value: "a" }, { value: 7 }, { value: [] }],
  objects: [{ value: "a" }, { value: {} }, { value: ["a"], at: "[0]" }],
  anything: [],
  list: [{ value: "a" }, { value: {} }]
}

/** The paths of all that a schema finds wrong with a document. */
export const refusedPaths = Effect.fnUntraced(function* <S extends Schema.ConstraintDecoder<unknown>>(
  schema: S,
  document: unknown
) {
  const error = yield* Effect.flip(Schema.decodeUnknownEffect(schema)(document, { errors: "all" }))
  return fieldIssues(error).map(({ path }) => path)
})

const roundTrip = Effect.fnUntraced(function* <T, E>(schema: Schema.Codec<T, E>, document: Schema.Json) {
  return yield* Schema.encodeEffect(schema)(yield* Schema.decodeUnknownEffect(schema)(document))
})

/** What a schema must hold of one document in which every field of the contract is filled. */
export const holdsContract = <T, E>(options: {
  readonly schema: Schema.Codec<T, E>
  readonly fields: ContractFields
  readonly document: Schema.Json
  /** The fields a reader cannot do without. All others may be absent or null. */
  readonly required: ReadonlyArray<string>
}) => {
  const { document, fields, required, schema } = options
  const optional = Object.keys(fields).filter((path) => !required.includes(path))

  it("is held by a document that fills every field", () => {
    assert.sameMembers([...fieldPaths(document)], Object.keys(fields))
  })

  it.effect("decodes and encodes to an equal document", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual<unknown>(yield* roundTrip(schema, document), document)
    })
  )

  it.effect("keeps unknown fields at every depth", () =>
    Effect.gen(function* () {
      const extended = withUnknownFields(document)
      assert.deepStrictEqual<unknown>(yield* roundTrip(schema, extended), extended)
    })
  )

  describe("each field", () => {
    for (const [path, type] of Object.entries(fields)) {
      if (type === "anything") continue
      it.effect(`${path}: another type than ${type} is rejected with its path`, () =>
        Effect.gen(function* () {
          for (const { at = "", value } of wrong[type]) {
            assert.deepStrictEqual(yield* refusedPaths(schema, replaceAt(document, path, value)), [path + at])
          }
        })
      )
    }

    for (const path of optional) {
      it.effect(`${path}: null stays null, absent stays absent`, () =>
        Effect.gen(function* () {
          for (const variant of [replaceAt(document, path, null), removeAt(document, path)]) {
            assert.deepStrictEqual<unknown>(yield* roundTrip(schema, variant), variant)
          }
        })
      )
    }

    for (const path of required) {
      it.effect(`${path}: is required`, () =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* refusedPaths(schema, removeAt(document, path)), [path])
          assert.deepStrictEqual(yield* refusedPaths(schema, replaceAt(document, path, null)), [path])
        })
      )
    }
  })
}
