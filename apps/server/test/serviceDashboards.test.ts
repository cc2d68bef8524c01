import { assert, layer } from "@effect/vitest"
import { dialects, dialectNames } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import { serviceId } from "./support/fullSnapshot.ts"
import { call, serverOver } from "./support/liveServer.ts"
import { overEveryStore } from "./support/stores.ts"
import { as, dashboardsPath, otherOrganizationId, uuidV4, withToken, environment } from "./support/environment.ts"

const [sample, ...others] = environment.organizations
const organizationId = sample?.id ?? ""
const secondService = "00000000-0000-4000-8000-0000000000ee"
const stoppedService = "00000000-0000-4000-8000-0000000000ef"
const unknownService = "00000000-0000-4000-8000-0000000000dd"
const place = { x: 0, y: 0, w: 12, h: 4 }
const kept = { id: "Kept-1", name: "Kept", tiles: [{ id: "t1", ...place }], tags: ["a"] }
const services = [
  ...(sample?.services ?? []),
  { id: secondService, name: "second" },
  { id: stoppedService, name: "stopped", state: "stopped" }
]
const snapshot = { organizations: [{ ...sample, services, dashboards: [kept] }, ...others] }

/** A request with a key, and its answer: always the envelope of the management API. */
interface Case {
  readonly who?: string
  readonly service?: string
  readonly organization?: string
  readonly request: readonly [method: string, path: string, body?: unknown]
  readonly status: number
  /** The result, or a pattern of the error. */
  readonly answer: object | RegExp | undefined
}

const noDashboard = /^NOT_FOUND: the organization has no dashboard /
const noService = /^NOT_FOUND: the organization has no service /
const notRunning = /^FAILED_DEPENDENCY: .*Current state: stopped/

// In this order: a case sees what those before it have changed.
const cases: ReadonlyArray<Case> = [
  { request: ["GET", ""], status: 200, answer: [kept] },
  { request: ["GET", "/"], status: 200, answer: [kept] },
  { service: secondService, request: ["GET", ""], status: 200, answer: [kept] },
  { service: stoppedService, request: ["GET", ""], status: 200, answer: [kept] },
  { service: unknownService, request: ["GET", ""], status: 404, answer: noService },
  { service: "mine", request: ["GET", ""], status: 400, answer: /^BAD_REQUEST: serviceId: / },
  { organization: otherOrganizationId, request: ["GET", ""], status: 403, answer: /^FORBIDDEN: / },
  { who: "nobody", request: ["GET", ""], status: 401, answer: /^UNAUTHORIZED: / },
  { who: "developer", request: ["GET", "/Kept-1"], status: 200, answer: kept },
  { who: "developer", request: ["PUT", "/Kept-1", { name: "x" }], status: 403, answer: /^FORBIDDEN: / },
  { who: "developer", request: ["DELETE", "/Kept-1"], status: 403, answer: /^FORBIDDEN: / },
  { who: "developer", request: ["POST", "", { name: "x" }], status: 403, answer: /^FORBIDDEN: / },
  { who: "query", request: ["GET", ""], status: 403, answer: /^FORBIDDEN: / },
  { who: "no-roles", request: ["GET", "/Kept-1"], status: 403, answer: /^FORBIDDEN: / },
  { request: ["GET", "/none"], status: 404, answer: noDashboard },
  { service: unknownService, request: ["GET", "/Kept-1"], status: 404, answer: noService },
  { service: unknownService, request: ["POST", "", { name: "x" }], status: 404, answer: noService },
  { service: unknownService, request: ["DELETE", "/Kept-1"], status: 404, answer: noService },
  { service: stoppedService, request: ["POST", "", { name: "x", tiles: [] }], status: 424, answer: notRunning },
  { service: stoppedService, request: ["PUT", "/Kept-1", { name: "x", tiles: [] }], status: 424, answer: notRunning },
  { service: stoppedService, request: ["DELETE", "/Kept-1"], status: 424, answer: notRunning },
  { request: ["PUT", "/none", { name: "x", tiles: [] }], status: 404, answer: noDashboard },
  { request: ["PUT", "/Kept-1", { name: 7 }], status: 400, answer: /^BAD_REQUEST: / },
  { request: ["PATCH", "/Kept-1", {}], status: 405, answer: /^METHOD_NOT_ALLOWED: / },
  {
    service: secondService,
    request: ["PUT", "/Kept-1", { name: "Renamed", tiles: [], tags: [] }],
    status: 200,
    answer: { id: "Kept-1", name: "Renamed" }
  },
  { request: ["POST", "/validate", { name: "x", tiles: [] }], status: 200, answer: { valid: true, errors: [] } },
  {
    who: "developer",
    request: ["POST", "/validate", { name: "x", tiles: [] }],
    status: 200,
    answer: { valid: true, errors: [] }
  },
  { request: ["DELETE", "/none"], status: 404, answer: noDashboard },
  { request: ["DELETE", "/Kept-1"], status: 200, answer: undefined },
  { request: ["GET", "/Kept-1"], status: 404, answer: noDashboard }
]

// What is the same in both dialects: the fields of today's service stand in dashboardDialect.test.ts.
const named = ({ errors, id, name, valid }: any) => ({ errors, id, name, valid })

for (const name of dialectNames) {
  const dialect = dialects[name]
  overEveryStore((store) => {
    layer(serverOver(store, snapshot, { dialect }), { excludeTestServices: true })(
      `dashboards of a service in the ${name} dialect, over ${store.name}`,
      (it) => {
        const at = (organization: string, service: string) =>
          `/v1/organizations/${organization}/services/${service}/${dialect.stackSegment}/dashboards`

        for (const {
          answer,
          organization = organizationId,
          request,
          service = serviceId,
          status,
          who = "admin"
        } of cases) {
          const [method, path, body] = request
          const what = `${who}, service ${service}: ${method} ${path} ${body === undefined ? "" : JSON.stringify(body)}`
          it.effect(`${what}: ${status}`, () =>
            Effect.gen(function* () {
              const options = { method, authorization: as(who), body }
              const answered = yield* call(at(organization, service) + path, options)
              assert.strictEqual(answered.status, status, answered.text)
              assert.strictEqual(answered.headers.get("content-type"), "application/json")
              const { error, requestId, result, status: reported } = answered.json
              assert.strictEqual(reported, status)
              assert.match(requestId, uuidV4)
              if (answer instanceof RegExp) assert.match(error, answer)
              else if (Array.isArray(answer)) assert.deepStrictEqual(result.map(named), answer.map(named))
              else if (answer === undefined) assert.isUndefined(result)
              else assert.deepInclude(named(result), named(answer))
            })
          )
        }

        it.effect("shows what the observability API has created, and the other way round", () =>
          Effect.gen(function* () {
            const body = { name: "Both", tiles: [] }
            yield* call(dashboardsPath, { authorization: withToken, body })
            yield* call(at(organizationId, serviceId), { authorization: as("admin"), body })
            const names = (all: ReadonlyArray<{ readonly name: string }>) => all.map(({ name }) => name)
            const management = yield* call(at(organizationId, serviceId), { authorization: as("admin") })
            const observability = yield* call(dashboardsPath, { authorization: withToken })
            assert.deepStrictEqual(names(management.json.result), ["Both", "Both"])
            assert.deepStrictEqual(management.json.result, observability.json.data)
          })
        )
      }
    )
  })
}
