import { assert } from "@effect/vitest"
import formats from "ajv-formats"
import { Ajv2020 } from "ajv/dist/2020.js"
import { readFileSync } from "node:fs"

/** A schema that allows null where the document means it: OpenAPI 3.0 has a keyword for it, and some lists of values lack it. */
const nullable = (_: string, schema: any): unknown => {
  if (schema?.nullable === true) {
    const { nullable: _nullable, ...rest } = schema
    return { anyOf: [rest, { type: "null" }] }
  }
  const lacksNull = Array.isArray(schema?.type) && schema.type.includes("null") && Array.isArray(schema.enum)
  return lacksNull ? { ...schema, enum: [...schema.enum, null] } : schema
}

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../upstream/${name}.json`, import.meta.url), "utf8"), nullable)

// To make the code of the validators fast takes longer than to run them.
const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } })
formats.default(ajv)

/** The published OpenAPI documents of the real service, without their descriptions and examples. */
const documents = ["management", "dashboards"].map((name) => {
  const document = read(name)
  ajv.addSchema(document, name)
  return { name, document }
})

const pointer = (...keys: ReadonlyArray<string>) =>
  keys.map((key) => `/${encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("")

/** Every operation of the documents, as `METHOD path`. */
export const upstreamOperations: ReadonlyArray<string> = documents.flatMap(({ document }) =>
  Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`)
  )
)

/**
 * Holds that an answer of an operation is what the documents say of its status, if they describe it. `operation` is one of
 * {@link upstreamOperations}.
 */
export const assertUpstreamShape = (operation: string, body: unknown, status = 200) => {
  const [method = "", path = ""] = operation.split(" ")
  const found = documents.find(({ document }) => document.paths[path]?.[method.toLowerCase()] !== undefined)
  assert.isDefined(found, operation)
  const content = found.document.paths[path][method.toLowerCase()].responses[status]?.content
  if (content === undefined) return
  const validate = ajv.getSchema(
    `${found.name}#${pointer("paths", path, method.toLowerCase(), "responses", String(status), "content", "application/json", "schema")}`
  )
  assert.isDefined(validate, operation)
  assert.isTrue(validate(body), `${operation}: ${JSON.stringify(validate.errors)} in ${JSON.stringify(body)}`)
}
