import { assert, describe, layer } from "@effect/vitest"
import {
  type AnyOperation,
  dialectNames,
  dialects,
  hasQuery,
  noPayload,
  openApi,
  operations
} from "@headgate/http-contract"
import formats from "ajv-formats"
import { Ajv2020 } from "ajv/dist/2020.js"
import * as Effect from "effect/Effect"
import { as, environment, withOtherToken, withToken } from "./support/environment.ts"
import { organizationId, serviceId } from "./support/fullSnapshot.ts"
import { type Call, call, memoryServer } from "./support/liveServer.ts"

const escaped = (key: string) => key.replaceAll("/", "~1").replaceAll("{", "%7B").replaceAll("}", "%7D")

/** Requests that an operation refuses, whatever its ids name. */
const refusals = ({ api, method, payload }: AnyOperation): ReadonlyArray<Call & { readonly id?: string }> => {
  const isManagement = api === "management"
  const authorization = isManagement ? as("admin") : withToken
  const hasBody = payload !== noPayload && !hasQuery({ method, payload })
  const body = hasBody ? {} : undefined
  return [
    { method, body },
    { method, body, authorization: isManagement ? as("no-roles") : as("admin") },
    { method, body, authorization: isManagement ? as("from-elsewhere") : withOtherToken },
    { method, body, authorization },
    { method, body, authorization, id: "none" },
    { method: "PROPFIND", authorization },
    ...(hasBody
      ? [
          { method, authorization, body: "{" },
          { method, authorization, body: "[1]" },
          { method, authorization, body: "x", contentType: "text/csv" }
        ]
      : [])
  ]
}

describe("what a server answers when it refuses a request", () => {
  for (const name of dialectNames) {
    const dialect = dialects[name]
    const document = JSON.parse(JSON.stringify(openApi(dialect)))
    const ajv = new Ajv2020({ strict: false, code: { optimize: false } })
    formats.default(ajv)
    ajv.addSchema(document, "document")

    layer(memoryServer(environment, { dialect }), { excludeTestServices: true })(`in the ${name} dialect`, (it) => {
      const rows = Object.values(operations(dialect)).flatMap((table) => Object.values<AnyOperation>(table))

      it.effect("has a status, a type and a form that the document declares", () =>
        Effect.gen(function* () {
          const seen = new Set<string>()
          for (const row of rows) {
            const path = row.path.replaceAll(/:(\w+)/g, "{$1}")
            const { responses } = document.paths[path][row.method.toLowerCase()]
            for (const { id, ...request } of refusals(row)) {
              const unknown = row.api === "management" ? "00000000-0000-4000-8000-000000000000" : "0".repeat(24)
              const ids: Readonly<Record<string, string>> = { organizationId, serviceId }
              const target = row.path.replaceAll(/:(\w+)/g, (_, parameter: string) => ids[parameter] ?? id ?? unknown)
              const { headers, json, status, text } = yield* call(target, request)
              const type = headers.get("content-type")?.split(";")[0] ?? ""
              const what = `${request.method} ${target}: ${status} ${type} ${text.slice(0, 200)}`
              const content = responses[status]?.content
              assert.isDefined(content?.[type], `${what}: declared are ${JSON.stringify(content)}`)
              const pointer = `/paths/${escaped(path)}/${row.method.toLowerCase()}/responses/${status}/content/${escaped(type)}/schema`
              const value = type === "application/json" ? json : text
              if (status !== 200) assert.isTrue(ajv.validate(`document#${pointer}`, value), what)
              seen.add(`${row.api} ${status} ${type}`)
            }
          }
          for (const api of ["management", "observability"]) {
            for (const status of [400, 401, 404, 405, 415]) {
              assert.isTrue(
                Array.from(seen).some((one) => one.startsWith(`${api} ${status} `)),
                `${api} ${status}`
              )
            }
          }
        })
      )
    })
  }
})
