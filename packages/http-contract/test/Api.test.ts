import { assert, describe, it } from "@effect/vitest"
import { ApiKeyCreate, DashboardCreate, OrganizationId, PipeId, ServiceId } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import {
  type AnyOperation,
  type Api,
  clickhouse,
  dialectNames,
  dialects,
  errorCodesOf,
  errorStatuses,
  makeApi,
  neutral,
  operations
} from "../src/index.ts"
import {
  apiKeyCreateDocument,
  createdApiKeyDocument,
  dashboardCreateDocument,
  dashboardDocument,
  organizationId,
  pipeDocuments,
  pipeId,
  requestId,
  serviceId
} from "./documents.ts"

/** The operations of an API by what is on the wire: method and path. */
const operationsOf = (api: Api) => {
  const found: Record<string, { security: ReadonlyArray<string>; errors: ReadonlyArray<number> }> = {}
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, errors, middleware }) => {
      found[`${endpoint.method} ${endpoint.path}`] = {
        security: Array.from(middleware, ({ key }) => key.split("/").at(-1) ?? ""),
        errors: Array.from(errors.keys()).toSorted((a, b) => a - b)
      }
    }
  })
  return found
}

describe("the API", () => {
  it("has the operations of the tables, each with its security and its errors", () => {
    const rows = Object.values(operations(neutral)).flatMap((table) => Object.values<AnyOperation>(table))
    const expected = rows.map((row) => [
      `${row.method} ${row.path}`,
      {
        security: [
          `${row.api === "management" ? "Management" : "Observability"}${row.documentsSession ? "Session" : ""}Security`
        ],
        errors: errorCodesOf(row)
          .map((code) => errorStatuses[code])
          .toSorted((a, b) => a - b)
      }
    ])
    assert.deepStrictEqual(operationsOf(makeApi(neutral)), Object.fromEntries(expected))
    assert.deepInclude(operationsOf(makeApi(neutral)), {
      "GET /api/v2/dashboards": {
        security: ["ObservabilitySecurity"],
        errors: [400, 401, 403, 405, 408, 429, 431, 500, 502, 503, 504]
      }
    })
  })

  it("says 424 of each change below a service, which needs one that runs, and of rows, which need a warehouse", () => {
    const below = Object.entries(operations(neutral)).flatMap(([noun, table]) =>
      Object.entries<AnyOperation>(table).flatMap(([name, row]) =>
        row.path.includes("/services/:serviceId/") && noun !== "service" ? [{ name: `${noun}.${name}`, row }] : []
      )
    )
    const changes = below.filter(
      ({ name, row }) => (row.method !== "GET" && !name.endsWith(".validate")) || name === "pipe.errors"
    )
    assert.isAbove(changes.length, 25)
    assert.deepStrictEqual(
      below.filter(({ row }) => row.errors.includes("FAILED_DEPENDENCY")).map(({ name }) => name),
      changes.map(({ name }) => name)
    )
  })

  it("is the same in every dialect but for the names in paths", () => {
    const renamed = Object.entries(operationsOf(makeApi(neutral))).map(([operation, rest]) => [
      operation
        .replace("/dbpipes", "/clickpipes")
        .replace(":dbPipeId", ":clickPipeId")
        .replace("/dbstack/", "/clickstack/"),
      rest
    ])
    assert.deepStrictEqual(operationsOf(makeApi(clickhouse)), Object.fromEntries(renamed))
  })
})

/** What a call of the API puts on the wire, and what it makes of a given answer. */
const exchange = <A, E>(
  dialect: (typeof dialects)[keyof typeof dialects],
  answer: object,
  call: (client: HttpApiClient.ForApi<ReturnType<typeof makeApi>>) => Effect.Effect<A, E>
) =>
  Effect.gen(function* () {
    const sent: Array<Request> = []
    const httpClient = HttpClient.make((request) =>
      HttpClientRequest.toWeb(request).pipe(
        Effect.orDie,
        Effect.map((web) => {
          sent.push(web)
          return HttpClientResponse.fromWeb(request, Response.json(answer))
        })
      )
    )
    const client = yield* HttpApiClient.makeWith(makeApi(dialect), { httpClient, baseUrl: "https://api.example.com" })
    const result = yield* call(client)
    const [request] = sent
    if (request === undefined) return yield* Effect.die("nothing was sent")
    const text = yield* Effect.promise(() => request.text())
    return {
      result,
      operation: `${request.method} ${new URL(request.url).pathname}`,
      contentType: request.headers.get("content-type"),
      body: text === "" ? undefined : JSON.parse(text)
    }
  })

describe("on the wire", () => {
  const params = {
    organizationId: OrganizationId.make(organizationId),
    serviceId: ServiceId.make(serviceId),
    pipeId: PipeId.make(pipeId)
  }
  const pipePaths = {
    neutral: `/v1/organizations/${organizationId}/services/${serviceId}/dbpipes/${pipeId}`,
    clickhouse: `/v1/organizations/${organizationId}/services/${serviceId}/clickpipes/${pipeId}`
  }

  it.effect.each(dialectNames.map((name) => ({ name })))("reads a pipe in the $name dialect", ({ name }) =>
    Effect.gen(function* () {
      const answer = { status: 200, requestId, result: pipeDocuments[name] }
      const { body, operation, result } = yield* exchange(dialects[name], answer, ({ pipe }) => pipe.get({ params }))
      assert.strictEqual(operation, `GET ${pipePaths[name]}`)
      assert.isUndefined(body)
      assert.strictEqual(result.requestId, requestId)
      assert.strictEqual(result.result.settings?.db_max_threads, 8)
    })
  )

  it.effect.each(dialectNames.map((name) => ({ name })))("deletes a pipe in the $name dialect", ({ name }) =>
    Effect.gen(function* () {
      const answer = { status: 200, requestId }
      const { body, operation, result } = yield* exchange(dialects[name], answer, ({ pipe }) => pipe.delete({ params }))
      assert.strictEqual(operation, `DELETE ${pipePaths[name]}`)
      assert.isUndefined(body)
      assert.deepStrictEqual<unknown>(result, answer)
    })
  )

  it.effect("creates a key", () =>
    Effect.gen(function* () {
      const payload = yield* Schema.decodeUnknownEffect(ApiKeyCreate)(apiKeyCreateDocument)
      const answer = { status: 200, requestId, result: createdApiKeyDocument }
      const { body, contentType, operation, result } = yield* exchange(neutral, answer, ({ key }) =>
        key.create({ params: { organizationId: params.organizationId }, payload })
      )
      assert.strictEqual(operation, `POST /v1/organizations/${organizationId}/keys`)
      assert.strictEqual(contentType, "application/json")
      assert.deepStrictEqual(body, apiKeyCreateDocument)
      assert.isTrue(Redacted.isRedacted(result.result.keySecret))
    })
  )

  it.effect("creates a dashboard", () =>
    Effect.gen(function* () {
      const payload = yield* Schema.decodeUnknownEffect(DashboardCreate)(dashboardCreateDocument)
      const { body, contentType, operation, result } = yield* exchange(
        neutral,
        { data: dashboardDocument },
        ({ dashboard }) => dashboard.create({ payload })
      )
      assert.strictEqual(operation, "POST /api/v2/dashboards")
      assert.strictEqual(contentType, "application/json")
      assert.deepStrictEqual(body, dashboardCreateDocument)
      assert.deepStrictEqual<unknown>(result.data, dashboardDocument)
    })
  )

  it.effect("lists dashboards", () =>
    Effect.gen(function* () {
      const answer = { data: [dashboardDocument, { ...dashboardDocument, id: "two" }] }
      const { body, operation, result } = yield* exchange(neutral, answer, ({ dashboard }) => dashboard.list())
      assert.strictEqual(operation, "GET /api/v2/dashboards")
      assert.isUndefined(body)
      assert.deepStrictEqual<unknown>(result, answer)
    })
  )
})
