import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as adapter from "../../src/adapter.ts"
import * as core from "../../src/index.ts"
import * as destination from "../../src/pipe/Destination.ts"
import * as pipeSource from "../../src/pipe/PipeSource.ts"
import { propertyRuns } from "./propertyRuns.ts"

const isCodec = (value: unknown): value is Schema.Codec<unknown> => Schema.isSchema(value)

// Those of both entry points, and the parts of a pipe that have no public name.
const schemas = Object.entries<unknown>({ ...destination, ...pipeSource, ...adapter, ...core }).flatMap(
  ([name, value]) => (isCodec(value) ? [{ name, schema: value }] : [])
)

// Random text names no network, so nothing would be left to check.
const arbitraryOf = (schema: Schema.Codec<unknown>): Arbitrary.Arbitrary<unknown> =>
  schema === core.IpAccessListEntryCreate
    ? Arbitrary.map(Arbitrary.schema(Schema.String), (description) => ({ source: "192.0.2.0/24", description }))
    : Arbitrary.schema(schema)

const references = (json: unknown): ReadonlyArray<string> =>
  Array.from(JSON.stringify(json).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g), ([, name = ""]) =>
    name.replaceAll("~1", "/").replaceAll("~0", "~")
  )

describe("the schemas of the domain", () => {
  it("include the main ones", () => {
    assert.isAbove(schemas.length, 50)
    assert.includeMembers(
      schemas.map(({ name }) => name),
      ["Pipe", "PipeSource", "ApiKey", "ApiKeyCreate", "CreatedApiKey", "Dashboard", "DashboardCreate", "Snapshot"]
    )
  })

  describe.each(schemas)("$name", ({ schema }) => {
    // An instant beyond the year 9999 has no spelling: such values are refused on encode, not written wrong.
    it.effect.prop(
      "decodes what it encodes to an equal value, as a codec and as a Standard Schema",
      [arbitraryOf(schema)],
      ([value]) =>
        Effect.gen(function* () {
          const encoded = yield* Effect.result(Schema.encodeEffect(schema)(value))
          if (Result.isFailure(encoded)) return
          const equals = Schema.toEquivalence(schema)
          assert.isTrue(equals(yield* Schema.decodeUnknownEffect(schema)(encoded.success), value))

          const validated = yield* Effect.promise(async () =>
            Schema.toStandardSchemaV1(schema)["~standard"].validate(encoded.success)
          )
          assert.isTrue("value" in validated && equals(validated.value, value))
        }),
      propertyRuns
    )

    it.effect("is a Standard Schema, which names its vendor and reports issues", () =>
      Effect.gen(function* () {
        const { "~standard": standard } = Schema.toStandardSchemaV1(schema)
        assert.strictEqual(standard.version, 1)
        assert.strictEqual(standard.vendor, "effect")
        const refused = yield* Effect.promise(async () => standard.validate(Symbol("no JSON")))
        assert.isNotEmpty(refused.issues)
      })
    )

    it("is a complete JSON Schema", () => {
      const document = Schema.toJsonSchemaDocument(schema)
      assert.strictEqual(document.dialect, "draft-2020-12")
      assert.isNotEmpty(document.schema)
      assert.includeMembers(Object.keys(document.definitions), [...references(document)])
    })
  })
})

describe("a Standard Schema of the domain", () => {
  it("returns the decoded value, and every issue with its path", () => {
    const { "~standard": standard } = Schema.toStandardSchemaV1(core.ApiKeyCreate)
    assert.deepStrictEqual(standard.validate({ name: "ci", roles: ["developer"] }), {
      value: { name: "ci", roles: ["developer"] }
    })
    assert.deepStrictEqual(standard.validate({ name: 1, roles: ["owner"] }), {
      issues: [
        { path: ["name"], message: "Expected string" },
        { path: ["roles", 0], message: 'Expected "admin" | "developer" | "query_endpoints"' }
      ]
    })
  })
})

describe("a JSON Schema of the domain", () => {
  const definition = (schema: Schema.Constraint, name: string) => Schema.toJsonSchemaDocument(schema).definitions[name]

  it("has the required fields and the limits", () => {
    assert.deepStrictEqual(definition(core.Pipe, "Pipe")?.["required"], ["id", "serviceId", "name", "state"])
    assert.deepStrictEqual(definition(core.ApiKeyCreate, "ApiKeyCreate")?.["required"], ["name"])
    assert.nestedInclude(definition(core.ApiKeyCreate, "ApiKeyCreate"), {
      "properties.name.minLength": 1,
      "properties.name.maxLength": 255,
      "properties.roles.minItems": 1
    })
    assert.deepStrictEqual(definition(core.DashboardCreate, "TileCreate")?.["required"], ["x", "y", "w", "h"])
    assert.nestedInclude(definition(core.DashboardCreate, "TileCreate"), {
      "properties.x.minimum": 0,
      "properties.w.exclusiveMinimum": 0
    })
  })

  it("lets unknown fields through", () => {
    assert.notMatch(
      JSON.stringify(Schema.toJsonSchemaDocument(core.Pipe)),
      /"(additional|unevaluated)Properties":false|"propertyNames"/
    )
  })

  it("lists the known values of a string that takes any value", () => {
    assert.deepStrictEqual(Schema.toJsonSchemaDocument(core.PipeState).schema, {
      anyOf: [{ type: "string", enum: [...core.pipeStates] }, { type: "string" }]
    })
  })

  it("lists the values of a closed set", () => {
    assert.deepStrictEqual(Schema.toJsonSchemaDocument(core.ApiKeyState).schema, {
      type: "string",
      enum: ["enabled", "disabled"]
    })
    assert.deepStrictEqual(Schema.toJsonSchemaDocument(core.SystemRole).schema, {
      type: "string",
      enum: ["admin", "developer", "query_endpoints"]
    })
  })
})
