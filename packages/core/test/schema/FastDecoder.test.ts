import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { Dashboard } from "../../src/dashboard/Dashboard.ts"
import { DashboardCreate } from "../../src/dashboard/DashboardCreate.ts"
import { fieldIssues } from "../../src/error/FieldIssue.ts"
import { ApiKey, CreatedApiKey } from "../../src/key/ApiKey.ts"
import { ApiKeyCreate } from "../../src/key/ApiKeyCreate.ts"
import { Pipe } from "../../src/pipe/Pipe.ts"
import { fastEncoder } from "../../src/schema/FastDecoder.ts"
import { jsonEncoder } from "../../src/schema/jsonEncoder.ts"
import { looseStruct, nullish, withIdentifier } from "../../src/schema/LooseStruct.ts"
import { Timestamp } from "../../src/schema/Timestamp.ts"
import { fieldPaths, removeAt, replaceAt, withUnknownFields } from "../contract/wireDocument.ts"
import { dashboardDocument } from "../dashboard/dashboardDocuments.ts"
import { pipeDocuments } from "../pipe/pipeDocuments.ts"
import { propertyRuns } from "./propertyRuns.ts"

const NeverFromNull = Schema.Null.pipe(
  Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transform<string, null>({ decode: () => "never", encode: () => null })
  )
)

const Point = looseStruct({
  x: Schema.Finite,
  label: nullish(Schema.String, "A label."),
  at: nullish(Timestamp, "A time."),
  inner: nullish(looseStruct({ tags: Schema.Array(Schema.NonEmptyString) }), "A struct."),
  closed: Schema.optionalKey(Schema.Struct({ kept: Schema.Boolean })),
  pair: Schema.optionalKey(Schema.Tuple([Schema.Int, Schema.String])),
  either: Schema.optionalKey(Schema.Union([Schema.Literals(["a", "b"]), Schema.Int, Timestamp])),
  rest: Schema.optionalKey(
    Schema.StructWithRest(Schema.Struct({ a: Schema.Int }), [Schema.Record(Schema.String, Schema.Int)])
  ),
  never: Schema.optionalKey(Schema.Union([NeverFromNull, Schema.Null]))
}).pipe(withIdentifier("Point", "A point."))

const Renamed = looseStruct({
  address: Schema.Struct({ id: Schema.NonEmptyString, kept: Schema.String }).pipe(Schema.encodeKeys({ id: "pointId" }))
})

/** What each of both ways makes of an input: a value, or what is wrong with it. */
const bothWays = (
  schema: Schema.Codec<unknown, unknown>,
  input: unknown,
  options: SchemaAST.ParseOptions = { errors: "all" }
) => {
  const outcome = (schema: Schema.Codec<unknown, unknown>) =>
    Result.mapError(Schema.decodeUnknownResult(schema)(input, options), fieldIssues)
  // An annotated schema is another one, which has no decoder of its own.
  return { direct: outcome(schema), interpreted: outcome(schema.annotate({})) }
}

const agrees = (schema: Schema.Codec<unknown, unknown>, input: unknown, options?: SchemaAST.ParseOptions) => {
  const { direct, interpreted } = bothWays(schema, input, options)
  assert.deepStrictEqual(direct, interpreted)
  return Result.isSuccess(direct)
}

const values: ReadonlyArray<Schema.Json> = [null, "", "a", "2026-02-30T00:00:00Z", 7, 1.5, true, [], ["a"], [7], {}]

/** Any JSON in the fields of a schema, and in others. */
const anyDocument = ({ ast }: Schema.Top) => {
  const names = SchemaAST.isObjects(ast) ? ast.propertySignatures.map(({ name }) => String(name)) : []
  const value = Schema.optionalKey(Schema.Union([Schema.Literals([1, "a"]), Schema.Null, Schema.Json]))
  return Schema.Struct(Object.fromEntries([...names, "unnamed"].map((name) => [name, value])))
}

describe("a loose struct's own decoder", () => {
  const schemas: Readonly<Record<string, Schema.Codec<unknown, unknown>>> = {
    Point,
    Renamed,
    Pipe,
    ApiKey,
    CreatedApiKey,
    ApiKeyCreate,
    Dashboard,
    DashboardCreate
  }

  for (const [name, schema] of Object.entries(schemas)) {
    it.effect.prop(
      `decodes what ${name} encodes as the interpreter does`,
      [Arbitrary.schema(schema)],
      ([value]) =>
        Effect.gen(function* () {
          const encoded = yield* Effect.result(Schema.encodeEffect(schema)(value))
          if (Result.isSuccess(encoded)) assert.isTrue(agrees(schema, encoded.success))
        }),
      propertyRuns
    )
  }

  for (const [name, schema] of Object.entries(schemas)) {
    it.effect.prop(
      `makes of any document what the interpreter makes of it, as ${name}`,
      [Arbitrary.schema(anyDocument(schema))],
      ([document]) => Effect.sync(() => void agrees(schema, document)),
      propertyRuns
    )
  }

  const documents: ReadonlyArray<readonly [Schema.Codec<unknown, unknown>, Schema.Json]> = [
    [Pipe, withUnknownFields(pipeDocuments.kafka)],
    [Pipe, withUnknownFields(pipeDocuments.objectStorage)],
    [Pipe, withUnknownFields(pipeDocuments.postgres)],
    [Dashboard, withUnknownFields(dashboardDocument)]
  ]

  it("rejects what the interpreter rejects, for every field and every value", () => {
    const outcomes = documents.flatMap(([schema, document]) =>
      fieldPaths(document).flatMap((path) => [
        ...values.map((value) => agrees(schema, replaceAt(document, path, value))),
        agrees(schema, removeAt(document, path))
      ])
    )
    assert.include(outcomes, true)
    assert.include(outcomes, false)
  })

  it("agrees with the interpreter on objects with a prototype", () => {
    class Inherited {
      get x() {
        return 1
      }
    }
    const inputs = [
      undefined,
      null,
      "text",
      [{ x: 1 }],
      new Inherited(),
      Object.assign(Object.create(null), { x: 1 }),
      Object.create({ x: 1 }),
      { x: 1, label: undefined },
      { x: 1, other: undefined },
      { x: undefined },
      { x: Number.NaN },
      { x: 1, pair: [1, "a"] },
      { x: 1, pair: [1] },
      { x: 1, closed: { kept: true, dropped: 1 } },
      { x: 1, rest: { a: 1, b: 2 } },
      { x: 1, rest: { a: 1, b: "no" } },
      { x: 1, either: "b" },
      { x: 1, either: 7 },
      { x: 1, either: "2026-01-31T12:00:00Z" },
      { x: 1, either: "c" },
      { x: 1, inner: { tags: ["", "a"], more: { a: 1 } } },
      { x: 1, never: null },
      JSON.parse('{"x":1,"__proto__":{"y":1}}'),
      Object.defineProperty({ label: "a" }, "x", { value: 1 }),
      Object.defineProperty({ x: 1 }, "label", { value: "a" }),
      Object.defineProperty({ x: 1 }, "label", { value: 7 }),
      Object.defineProperty({ x: 1 }, "unnamed", { value: 7 }),
      {
        x: 1,
        get label() {
          return "a"
        },
        get unnamed() {
          return 7
        }
      },
      {
        x: 1,
        get label() {
          return 7
        }
      },
      new Proxy({ x: 1, unnamed: 2 }, {}),
      Object.freeze({ x: 1 })
    ]
    const outcomes = inputs.map((input) => agrees(Point, input))
    assert.include(outcomes, true)
    assert.include(outcomes, false)
  })

  it("agrees with the interpreter on a field that has a default", () => {
    const Filled = looseStruct({ name: Schema.String.pipe(Schema.withDecodingDefaultKey(Effect.succeed("nobody"))) })
    for (const input of [{}, { name: "a" }, { name: undefined }, { name: null }, { name: 1 }]) {
      const { direct, interpreted } = bothWays(Filled, input)
      assert.deepStrictEqual(direct, interpreted)
    }
  })

  it("agrees with the interpreter on a field named like a property of Object.prototype", () => {
    const odd: ReadonlyArray<Schema.Codec<unknown, unknown>> = [
      looseStruct({ toString: Schema.optionalKey(Schema.String), constructor: nullish(Schema.Int, "A field.") }),
      looseStruct({ toString: Schema.optionalKey(Schema.Unknown), constructor: nullish(Schema.Unknown, "A field.") }),
      looseStruct({ toString: Schema.Unknown }),
      looseStruct({ ["__proto__"]: Schema.Unknown })
    ]
    for (const schema of odd) {
      for (const text of ["{}", '{"toString":"a"}', '{"toString":"a","constructor":1}', '{"__proto__":1}']) {
        agrees(schema, JSON.parse(text))
        assert.strictEqual(Schema.is(schema)(JSON.parse(text)), Schema.is(schema.annotate({}))(JSON.parse(text)))
      }
    }
  })

  it("returns what it checked, even if a getter returns something else the next time", () => {
    const changing = (...said: ReadonlyArray<unknown>) => {
      let nth = 0
      return {
        get x() {
          return said[Math.min(nth++, said.length - 1)]
        }
      }
    }
    assert.deepStrictEqual(Schema.decodeUnknownSync(Point)(changing(1, "bad")), { x: 1 })
    assert.deepStrictEqual(Schema.decodeUnknownSync(Point)(changing(1, 1, "bad")), { x: 1 })
  })

  it("agrees with the interpreter on every option of parsing", () => {
    const options: ReadonlyArray<SchemaAST.ParseOptions> = [
      {},
      { errors: "first" },
      { errors: "all" },
      { onExcessProperty: "error" },
      { onExcessProperty: "ignore" },
      { disableChecks: true },
      { errors: "all", disableChecks: true, onExcessProperty: "error" },
      { concurrency: "unbounded" }
    ]
    const inputs = [
      { x: 1, unnamed: 2 },
      { x: Number.NaN },
      { x: 1, closed: { kept: true, dropped: 1 } },
      { x: 1, inner: { tags: [""], more: 1 } },
      { x: 1, either: 1.5 }
    ]
    const outcomes = options.flatMap((options) => inputs.map((input) => agrees(Point, input, options)))
    assert.include(outcomes, true)
    assert.include(outcomes, false)
  })

  it("renames the fields of a struct of texts as the interpreter does, and drops others", () => {
    const addresses = [
      { pointId: "a", kept: "b", id: "dropped" },
      { pointId: "", kept: "b" },
      { id: "a", kept: "b" },
      { pointId: 1, kept: "b" }
    ]
    const outcomes = addresses.map((address) => agrees(Renamed, { address }))
    assert.deepStrictEqual(outcomes, [true, false, false, false])
    // The field before `address` shows that the interpreter was not needed: it would put the named one first.
    const document = { unknown: 1, address: { pointId: "a", kept: "b" } }
    const decoded = Schema.decodeUnknownSync(Renamed)(document)
    assert.deepStrictEqual<unknown>(decoded, { unknown: 1, address: { id: "a", kept: "b" } })
    assert.deepStrictEqual(Object.keys(decoded), ["unknown", "address"])
    assert.deepStrictEqual(fastEncoder(Renamed)(decoded), document)
  })

  it("returns a value that shares only unknown fields with the document", () => {
    const inner = { tags: ["a"] }
    const document = { x: 1, inner, unknown: {} }
    const decoded = Schema.decodeUnknownSync(Point)(document)
    assert.notStrictEqual<unknown>(decoded, document)
    assert.notStrictEqual<unknown>(decoded.inner, inner)
    assert.notStrictEqual<unknown>(decoded.inner?.tags, inner.tags)
    assert.strictEqual(decoded["unknown"], document.unknown)
  })

  // What tells the two apart: the interpreter puts the named fields first.
  it("is what decodes, alone and within another schema", () => {
    const document = { unknown: 1, x: 1 }
    const fields = Object.keys(document)
    assert.deepStrictEqual(Object.keys(Schema.decodeUnknownSync(Point)(document)), fields)
    assert.deepStrictEqual(Object.keys(Schema.decodeUnknownSync(Schema.Array(Point))([document])[0] ?? {}), fields)
    assert.deepStrictEqual(Object.keys(Schema.decodeUnknownSync(Point.annotate({}))(document)), ["x", "unknown"])
  })

  // What no JSON has: the interpreter drops it, and encoding does.
  it("keeps a field whose name is a symbol", () => {
    const mark = Symbol("mark")
    const decoded = Schema.decodeUnknownSync(Point)({ x: 1, [mark]: 2 })
    assert.deepStrictEqual<unknown>(decoded, { x: 1, [mark]: 2 })
    assert.deepStrictEqual<unknown>(Schema.encodeSync(Point)(decoded), { x: 1 })
  })

  it("decodes without checks, too", () => {
    const decoded = Schema.decodeUnknownSync(Point)({ x: Number.NaN }, { disableChecks: true })
    assert.isNaN(decoded.x)
  })
})

const toJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe("the fast encoder", () => {
  const schemas = { Point, Renamed, Pipe, ApiKey, CreatedApiKey, Dashboard }

  for (const [name, schema] of Object.entries<Schema.Codec<unknown, unknown>>(schemas)) {
    it.effect.prop(
      `writes a value as the interpreter does, as ${name}`,
      [Arbitrary.schema(schema)],
      ([value]) =>
        Effect.gen(function* () {
          const interpreted = yield* Effect.option(Schema.encodeEffect(schema.annotate({}))(value))
          const text = yield* Effect.exit(jsonEncoder(schema)(value))
          assert.deepStrictEqual(
            Exit.map(text, (text): unknown => JSON.parse(text)),
            Option.match(interpreted, { onNone: () => text, onSome: (json) => Exit.succeed(toJson(json)) })
          )
          assert.strictEqual(Exit.isSuccess(text), Option.isSome(interpreted))
        }),
      propertyRuns
    )
  }

  const document = withUnknownFields(pipeDocuments.kafka)

  it("needs no interpreter for a document that was decoded, and writes it as it was", () => {
    assert.deepStrictEqual(fastEncoder(Pipe)(Schema.decodeUnknownSync(Pipe)(document)), document)
  })

  it("refuses what the interpreter refuses", () => {
    const pipe = Schema.decodeUnknownSync(Pipe)(document)
    const tooLate = DateTime.makeUnsafe("+010000-01-01T00:00:00Z")
    for (const wrong of [
      { ...pipe, id: "no-uuid" },
      { ...pipe, createdAt: "2026-01-01T00:00:00Z" },
      { ...pipe, createdAt: tooLate }
    ]) {
      assert.isUndefined(fastEncoder(Pipe)(wrong))
      assert.isTrue(Exit.hasDies(Effect.runSyncExit(jsonEncoder(Pipe)(wrong))))
    }
  })
})
