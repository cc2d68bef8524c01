import { assert, layer } from "@effect/vitest"
import {
  type CallError,
  ChartNotFound,
  FailedDependency,
  InvalidRequest,
  OrganizationId,
  ServerError
} from "@headgate/core"
import { OrganizationCharts, Tokens } from "@headgate/core/adapter"
import { clickhouse, neutral } from "@headgate/http-contract"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { as, environment, withOtherToken, withToken } from "./support/environment.ts"
import { organizationId, serviceId } from "./support/fullSnapshot.ts"
import { bearer, call, memoryServer, serverOver } from "./support/liveServer.ts"
import { overEveryStore } from "./support/stores.ts"

const refused = (message: string) => new InvalidRequest({ message, issues: [{ path: "", message }] })

const failures: Readonly<Record<string, CallError | ChartNotFound>> = {
  field: refused("Body validation failed: series: Required"),
  expression: refused("where, character 12: there is no column"),
  missing: new ChartNotFound({ message: "Source not found for series 0" }),
  off: new FailedDependency({ message: "this server queries nothing" }),
  busy: new ServerError({ message: "too many queries wait", retryAfter: Duration.seconds(3) })
}

/** Charts that answer who asked and what, or fail as the request says. */
const asked =
  <A>(answer: (organization: string) => A) =>
  (organization: string) =>
  (request: object): Effect.Effect<A, CallError | ChartNotFound> => {
    const failure = failures[String(Reflect.get(request, "where"))]
    return failure === undefined ? Effect.succeed(answer(organization)) : Effect.fail(failure)
  }

const data = (organization: string) => ({
  displayType: "number",
  from: 0,
  to: 1,
  columns: [{ name: organization, type: "UInt64", role: "value" as const }],
  rows: [["18446744073709551615"], [null], [0.5]],
  hiddenSeries: 0,
  truncated: false,
  rowsRead: 1,
  elapsedMs: 1,
  warnings: []
})
const rows = (organization: string) => [{ organization, "series_0.data": "42" }]
const found = (organization: string) => ({ data: rows(organization), rows: 1 })

const charts = Layer.succeed(OrganizationCharts, {
  of: (organization) => ({
    query: asked(data)(organization),
    series: asked(rows)(organization),
    search: asked(found)(organization)
  })
})

const pipeTile = { tile: { pipeId: "6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f" }, from: 0, to: 1 }
const paths = ["charts/query", "charts/series", "search"]
const ask = (path: string, where = "", authorization = withToken) =>
  call(`/api/v2/${path}`, { authorization, body: { ...pipeTile, where } })
const askBelow = (path: string, by: string, { segment = "dbstack", service = serviceId, where = "" } = {}) =>
  call(`/v1/organizations/${organizationId}/services/${service}/${segment}/${path}`, {
    authorization: as(by),
    body: { ...pipeTile, where }
  })

for (const dialect of [neutral, clickhouse]) {
  layer(memoryServer(environment, { charts, dialect }))(`charts in the dialect ${dialect.name}`, (it) => {
    it.effect("each answers in its envelope, of the caller's organization", () =>
      Effect.gen(function* () {
        for (const [authorization, organization] of [
          [withToken, organizationId],
          [withOtherToken, environment.organizations[1]?.id ?? ""]
        ] as const) {
          const answers = yield* Effect.forEach(paths, (path) => ask(path, "", authorization))
          assert.deepStrictEqual(
            answers.map(({ status }) => status),
            [200, 200, 200]
          )
          assert.deepStrictEqual(
            answers.map(({ json }) => json),
            [{ data: data(organization) }, { data: rows(organization) }, found(organization)]
          )
        }
      })
    )

    it.effect("below a service each answers in the envelope of the management API, to admin keys alone", () =>
      Effect.gen(function* () {
        const segment = dialect.stackSegment
        const answers = yield* Effect.forEach(paths, (path) => askBelow(path, "admin", { segment }))
        assert.deepStrictEqual(
          answers.map(({ json }) => [json.status, json.result]),
          [data(organizationId), rows(organizationId), found(organizationId)].map((result) => [200, result])
        )
        const unknown = { segment, service: "00000000-0000-4000-8000-0000000000aa" }
        for (const path of paths) {
          const statuses = yield* Effect.forEach(
            ["developer", "query", "no-roles", "foreign-admin", "disabled"],
            (by) => Effect.map(askBelow(path, by, { segment }), ({ status }) => status)
          )
          assert.deepStrictEqual(statuses, [403, 403, 403, 403, 401], path)
          assert.strictEqual((yield* askBelow(path, "admin", unknown)).status, 404, path)
          const missing = yield* askBelow(path, "admin", { segment, where: "missing" })
          assert.deepStrictEqual(
            [missing.status, missing.json.error],
            [404, "NOT_FOUND: Source not found for series 0"]
          )
        }
      })
    )

    it.effect("a repeat is asked again, with or without an Idempotency-Key", () =>
      Effect.gen(function* () {
        const headers = { "idempotency-key": "one" }
        for (const where of ["", "busy", ""]) {
          const { status } = yield* call("/api/v2/charts/query", {
            authorization: withToken,
            headers,
            body: { ...pipeTile, where }
          })
          assert.strictEqual(status, where === "" ? 200 : 503)
        }
      })
    )

    it.effect("a request of another form is a 400 that names the field", () =>
      Effect.gen(function* () {
        for (const [body, named] of [
          [{}, "from"],
          [{ ...pipeTile, tile: {} }, "tile"],
          [{ ...pipeTile, tile: { dashboardId: "d" } }, "tile"],
          [{ ...pipeTile, from: 0.5 }, "from"],
          [{ ...pipeTile, to: 1e15 }, "to"],
          [{ ...pipeTile, granularity: "3m" }, "granularity"],
          [{ ...pipeTile, where: "x".repeat(10_001) }, "where"],
          [{ ...pipeTile, filters: [{ filterId: "f", between: [1] }] }, "filters[0].between"],
          [{ ...pipeTile, filters: Array.from({ length: 51 }, () => ({ filterId: "f" })) }, "filters"]
        ] as const) {
          const { json, status } = yield* call("/api/v2/charts/query", { authorization: withToken, body })
          assert.strictEqual(status, 400)
          assert.include(json.message, `${named}`)
        }
      })
    )
  })
}

/** What each failure is answered with: the status, and the body of search and query, and of series. */
const answered = {
  neutral: {
    field: [400, 400, "message"],
    expression: [400, 400, "message"],
    missing: [404, 404, "message"],
    off: [424, 424, "message"],
    busy: [503, 503, "message"]
  },
  // Measured on the service: what a series could not query is in `error`, and its own faults are a 500.
  clickhouse: {
    field: [400, 400, "message"],
    expression: [400, 500, "error"],
    missing: [404, 404, "error"],
    off: [424, 424, "error"],
    busy: [503, 503, "error"]
  }
} as const

for (const dialect of [neutral, clickhouse]) {
  layer(memoryServer(environment, { charts, dialect }))(`failures of charts in the dialect ${dialect.name}`, (it) => {
    for (const [failure, [status, ofSeries, field]] of Object.entries(answered[dialect.name])) {
      it.effect(`"${failure}" is a ${status}, of series a ${ofSeries} in ${field}`, () =>
        Effect.gen(function* () {
          const message = failures[failure]?.message
          for (const path of ["charts/query", "search"]) {
            const { json, status: got } = yield* ask(path, failure)
            assert.deepStrictEqual([got, json], [status, { message }], path)
          }
          const { headers, json, status: got } = yield* ask("charts/series", failure)
          assert.deepStrictEqual([got, json], [ofSeries, { [field]: message }])
          assert.strictEqual(headers.get("retry-after"), failure === "busy" ? "3" : null)
        })
      )
    }
  })
}

layer(memoryServer(environment))("a server that queries nothing", (it) => {
  it.effect("says so", () =>
    Effect.gen(function* () {
      for (const path of paths) {
        const { json, status } = yield* ask(path)
        assert.deepStrictEqual([status, json], [424, { message: "nothing is queried" }], path)
        assert.strictEqual((yield* askBelow(path, "admin")).status, 424, path)
      }
    })
  )
})

const [sample, other] = environment.organizations
const ungranted = {
  organizations: [{ ...sample, tokens: sample?.tokens.map(({ name, tokenHash }) => ({ name, tokenHash })) }, other]
}

overEveryStore((store) => {
  layer(serverOver(store, ungranted, { charts }))(`a token that is older than charts, over ${store.name}`, (it) => {
    it.effect("may not query them until it is granted to it, and may all that it could", () =>
      Effect.gen(function* () {
        const before = yield* Effect.forEach(paths, (path) => ask(path))
        for (const { json, status } of before) {
          assert.strictEqual(status, 403)
          assert.include(json.message, "headgate-server token grant")
        }
        assert.strictEqual((yield* call("/api/v2/dashboards", { authorization: withToken })).status, 200)
        const tokens = yield* Tokens
        const organization = OrganizationId.make(organizationId)
        const fresh = bearer(Redacted.value((yield* tokens.create(organization, "fresh")).secret))
        const [old] = yield* tokens.list(organization)
        if (old !== undefined) yield* tokens.grant(organization, old.id, "chart:query")
        for (const path of paths) {
          assert.strictEqual((yield* ask(path, "", fresh)).status, 200)
          assert.strictEqual((yield* ask(path)).status, 200)
        }
      })
    )
  })
})
