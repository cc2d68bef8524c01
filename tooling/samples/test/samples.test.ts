import { successDecoder } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import { assert, describe, it } from "vitest"
import { fullPipe, type OperationName, sampleCallOf, sampleCalls } from "../src/index.ts"

/** The names of all fields of a schema's JSON, at any depth. */
const fieldsOfSchema = (ast: SchemaAST.AST, names = new Set<string>()): Set<string> => {
  if (ast._tag === "Union") for (const type of ast.types) fieldsOfSchema(type, names)
  if (ast._tag === "Arrays") for (const type of [...ast.elements, ...ast.rest]) fieldsOfSchema(type, names)
  if (ast._tag === "Objects") {
    for (const { name, type } of ast.propertySignatures) {
      names.add(String(name))
      fieldsOfSchema(type, names)
    }
  }
  return names
}

/** The names of all fields of a JSON document, at any depth. */
const fieldsOfDocument = (document: unknown): ReadonlyArray<string> =>
  Predicate.isObjectOrArray(document)
    ? Object.entries(document).flatMap(([name, value]) => [name, ...fieldsOfDocument(value)])
    : []

const missingFields = (schema: Schema.Constraint, document: unknown): ReadonlyArray<string> => {
  const present = new Set(fieldsOfDocument(document))
  return [...fieldsOfSchema(Schema.toEncoded(schema).ast)].filter((name) => !present.has(name))
}

// With `hashData` the answer would not have the credentials of the new key.
const leftOut: Partial<Record<OperationName, ReadonlyArray<string>>> = {
  "key.create": ["keyIdHash", "keyIdSuffix", "keySecretHash"]
}

/** What the service always sends beside the fields of the contract. */
const always = [
  ...["type", "format", "authentication"].map((field) => ["source", "kafka", field]),
  ["source", "kafka", "offset", "strategy"],
  ...["format", "iteratorType", "authentication"].map((field) => ["source", "kinesis", field]),
  ...["type", "format", "authentication"].map((field) => ["source", "objectStorage", field]),
  ...["type", "authentication"].map((field) => ["source", "postgres", field]),
  ["source", "postgres", "settings", "replicationMode"],
  ["destination", "tableDefinition", "engine", "type"]
]

const valueAt = (document: unknown, [name, ...rest]: ReadonlyArray<string>): unknown =>
  name === undefined
    ? document
    : valueAt(Predicate.isObjectOrArray(document) ? Reflect.get(document, name) : undefined, rest)

describe("the samples", () => {
  it("are as the service sends them", () => {
    for (const path of always) assert.isString(valueAt(fullPipe, path), path.join("."))
    const sourceId = valueAt(sampleCallOf("dashboard.create").requestBody, ["tiles", "0", "series", "0", "sourceId"])
    assert.match(String(sourceId), /^[0-9a-f]{24}$/)
  })

  for (const { name, operation, path, query, requestBody, responseBody, success } of sampleCalls) {
    it(`${name}: the documents have every field of the contract`, () => {
      assert.deepStrictEqual(missingFields(operation.payload, query ?? requestBody), leftOut[name] ?? [])
      assert.deepStrictEqual(missingFields(operation.success, success), [])
    })

    it(`${name}: the answer decodes`, () => {
      const decoded = Effect.runSyncExit(successDecoder(operation)(responseBody))
      assert.isTrue(Exit.isSuccess(decoded), String(decoded))
    })

    it(`${name}: every parameter of the path is filled in`, () => {
      assert.notInclude(path, ":")
    })
  }
})
