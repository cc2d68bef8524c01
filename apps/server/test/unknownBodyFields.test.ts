import { assert, describe, layer } from "@effect/vitest"
import { pipeRequests } from "@headgate/conformance/fixtures"
import {
  type AnyOperation,
  dialectNames,
  dialects,
  type Example,
  examples,
  hasQuery,
  noPayload,
  openApi,
  type Operations,
  operations
} from "@headgate/http-contract"
import formats from "ajv-formats"
import { Ajv2020 } from "ajv/dist/2020.js"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { as, environment, withToken } from "./support/environment.ts"
import { organizationId, serviceId } from "./support/fullSnapshot.ts"
import { call, memoryServer } from "./support/liveServer.ts"

const unknown = "aFieldOfNoSchema"

const pipes = Object.entries(pipeRequests).map(([name, request]) => ({ name, request }))

/** Copies of a JSON value, each with an unknown field in another of its objects, and the path of that object. */
const withUnknown = (value: unknown, at = "body"): ReadonlyArray<{ readonly at: string; readonly value: unknown }> => {
  if (Array.isArray(value)) {
    return value.flatMap((element, index) =>
      withUnknown(element, `${at}[${index}]`).map((copy) => ({ ...copy, value: value.with(index, copy.value) }))
    )
  }
  if (!Predicate.isObject(value)) return []
  const below = Object.entries(value).flatMap(([name, field]) =>
    withUnknown(field, `${at}.${name}`).map((copy) => ({ ...copy, value: { ...value, [name]: copy.value } }))
  )
  return [{ at, value: { ...value, [unknown]: "x" } }, ...below]
}

/** A validator of the bodies of requests that knows the document and nothing else of this project. */
const bodySchemas = (document: any) => {
  const ajv = new Ajv2020({ strict: false, code: { optimize: false } })
  formats.default(ajv)
  ajv.addSchema(document, "document")
  return (path: string, method: string, body: unknown): boolean => {
    const { $ref } = document.paths[path][method.toLowerCase()].requestBody.content["application/json"].schema
    return ajv.validate(`document${$ref}`, body)
  }
}

const idIn = (json: any): string | undefined => {
  const made = json?.result ?? json?.data
  return made?.key?.id ?? made?.id
}

describe("an unknown field in the body of a request", () => {
  for (const name of dialectNames) {
    const dialect = dialects[name]
    const isAccepted = bodySchemas(JSON.parse(JSON.stringify(openApi(dialect))))
    const given: { readonly [Noun in keyof Operations]: Readonly<Record<string, Example>> } = examples(dialect)

    layer(memoryServer(environment, { dialect }), { excludeTestServices: true })(`in the ${name} dialect`, (it) => {
      const send = ({ api, method, path }: AnyOperation, id: string, body: unknown) => {
        const ids: Readonly<Record<string, string>> = { organizationId, serviceId }
        const target = path.replaceAll(/:(\w+)/g, (_, parameter: string) => ids[parameter] ?? id)
        return call(target, { method, body, authorization: api === "management" ? as("admin") : withToken })
      }

      /** Holds of a body and of each copy with an unknown field that the server refuses that field where the document does. */
      const check = Effect.fnUntraced(function* (row: AnyOperation, id: string, body: unknown) {
        const path = row.path.replaceAll(/:(\w+)/g, "{$1}")
        assert.isTrue(isAccepted(path, row.method, body), `the document refuses ${JSON.stringify(body)}`)
        const answers = yield* Effect.forEach(withUnknown(body), ({ at, value }) =>
          Effect.map(send(row, id, value), ({ status, text }) => ({
            at,
            // A message may name the field and say that the service does not know it.
            refused: status === 400 && text.includes(unknown),
            documented: !isAccepted(path, row.method, value)
          }))
        )
        assert.deepStrictEqual(
          answers.filter(({ documented, refused }) => documented !== refused),
          [],
          `${row.method} ${row.path}`
        )
        return answers.filter(({ refused }) => refused).length
      })

      it.effect("is a 400 where the document says that there are no others, and nowhere else", () =>
        Effect.gen(function* () {
          let refused = 0
          for (const [noun, table] of Object.entries(operations(dialect))) {
            const rows: Readonly<Record<string, AnyOperation>> = table
            const payloads = given[noun as keyof Operations]
            const made = rows["create"] && (yield* send(rows["create"], "", payloads["create"]?.payload))
            for (const [operation, row] of Object.entries(rows)) {
              const body = payloads[operation]?.payload
              if (row.payload === noPayload || hasQuery(row) || body === undefined) continue
              refused += yield* check(row, idIn(made?.json) ?? "0123456789abcdef01234567", body)
            }
          }
          assert.isAbove(refused, 15)
        })
      )

      it.effect.each(pipes)("is that of the source of a pipe: $name", ({ request }) =>
        Effect.gen(function* () {
          const { create, update } = operations(dialect).pipe
          const made = yield* send(create, "", request)
          assert.strictEqual(made.status, 200, made.text)
          assert.isAbove(yield* check(create, "", request), 0)
          yield* check(update, made.json.result.id, { source: request.source })
        })
      )
    })
  }
})
