import { assert, describe, it } from "@effect/vitest"
import { clickhouse, neutral } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { organizationId, serviceId } from "./support/fullSnapshot.ts"
import { call, serverOver } from "./support/liveServer.ts"
import { overEveryStore } from "./support/stores.ts"
import { as, firstPipe, otherOrganizationId, pipePath, uuid, environment } from "./support/environment.ts"

const authorization = as("admin")
const organizationPath = `/v1/organizations/${organizationId}`
const servicePath = `${organizationPath}/services/${serviceId}`

/** The environment with its service in a state. */
const withState = (state: string) => ({
  organizations: environment.organizations.map((organization) =>
    "services" in organization
      ? { ...organization, services: organization.services?.map((service) => ({ ...service, state })) }
      : organization
  )
})

const setState = (command: string) =>
  call(`${servicePath}/state`, { method: "PATCH", authorization, body: { command } })

const reaches = (state: string) =>
  call(servicePath, { authorization }).pipe(
    Effect.repeat({ until: ({ json }) => json.result.state === state, schedule: Schedule.spaced("50 millis") }),
    Effect.timeout("5 seconds")
  )

overEveryStore((store) => {
  describe(`organizations and services over ${store.name}`, () => {
    for (const dialect of [neutral, clickhouse]) {
      const test = (title: string, body: Effect.Effect<void, unknown, any>, snapshot: unknown = environment) =>
        it.live(
          `${title} (${dialect.name})`,
          () => Effect.provide(body, serverOver(store, snapshot, { dialect })) as Effect.Effect<void, unknown>
        )
      const pipe = pipePath(firstPipe, { segment: dialect.pipesSegment })

      test(
        "a key reads its own organization and no other, whatever its roles",
        Effect.gen(function* () {
          for (const key of ["admin", "developer", "query", "no-roles"]) {
            const listed = yield* call("/v1/organizations", { authorization: as(key) })
            assert.strictEqual(listed.status, 200)
            assert.lengthOf(listed.json.result, 1)
            const read = yield* call(organizationPath, { authorization: as(key) })
            assert.deepStrictEqual(read.json.result, listed.json.result[0])
            assert.strictEqual(read.json.result.id, organizationId)
            assert.match(read.json.result.createdAt, /^\d{4}-\d\d-\d\dT/)
            const other = yield* call(`/v1/organizations/${otherOrganizationId}`, { authorization: as(key) })
            assert.strictEqual(other.status, 403)
          }
        })
      )

      test(
        "whoami tells the organization, the key, its roles and what it may do",
        Effect.gen(function* () {
          const { json, status } = yield* call("/v1/whoami/", { authorization: as("developer") })
          assert.strictEqual(status, 200)
          assert.strictEqual(json.result.organization.id, organizationId)
          assert.strictEqual(json.result.key.name, "developer")
          assert.match(json.result.key.id, uuid)
          assert.deepStrictEqual(json.result.roles, ["developer"])
          assert.includeMembers(json.result.permissions, ["organization:read", "pipe:discover", "console:open"])
          for (const refused of ["data:read", "pipe:create", "chart:query"]) {
            assert.notInclude(json.result.permissions, refused)
          }
          const admin = yield* call("/v1/whoami", { authorization: as("admin") })
          assert.includeMembers(admin.json.result.permissions, ["data:read", "pipe:create", "key:delete"])
          assert.strictEqual((yield* call("/v1/whoami")).status, 401)
        })
      )

      test(
        "a service has every field of the contract",
        Effect.gen(function* () {
          const { json } = yield* call(servicePath, { authorization: as("developer") })
          const fields = "id name provider region state tier idleScaling createdAt endpoints ipAccessList numReplicas"
          const all = [...fields.split(" "), "minReplicaMemoryGb", "maxReplicaMemoryGb"]
          assert.sameMembers(Object.keys(json.result), all)
          const listed = yield* call(`${organizationPath}/services`, { authorization: as("developer") })
          assert.deepStrictEqual(listed.json.result, [json.result])
          const change = { method: "PATCH", authorization: as("developer"), body: { command: "stop" } }
          assert.strictEqual((yield* call(`${servicePath}/state`, change)).status, 403)
        })
      )

      test(
        "a write under an idle service is 424 with the words that clients look for, and succeeds after the service is awake",
        Effect.gen(function* () {
          const refused = yield* call(pipe, { method: "DELETE", authorization })
          assert.strictEqual(refused.status, 424)
          assert.match(refused.json.error, /^FAILED_DEPENDENCY: .*Current state: idle$/)
          assert.strictEqual((yield* call(pipe, { authorization })).status, 200)
          const awake = yield* setState("awake")
          assert.strictEqual(awake.status, 200)
          assert.strictEqual(awake.json.result.state, "awaking")
          yield* reaches("running")
          assert.strictEqual((yield* call(pipe, { method: "DELETE", authorization })).status, 200)
        }),
        withState("idle")
      )

      it.live(`/_admin makes a service idle and lets its steps pass (${dialect.name})`, () =>
        Effect.gen(function* () {
          const put = (body: object) => call("/_admin/service-state", { method: "PUT", body })
          const answer = yield* put({ organizationId, serviceId, state: "idle" })
          assert.deepStrictEqual([answer.status, answer.json], [200, { state: "idle" }])
          assert.strictEqual((yield* call(pipe, { method: "DELETE", authorization })).status, 424)
          yield* setState("awake")
          yield* call("/_admin/clock", { method: "POST", body: { forwardMs: 60_000 } })
          assert.strictEqual((yield* call(servicePath, { authorization })).json.result.state, "running")
          assert.strictEqual((yield* put({ organizationId, serviceId, state: "asleep" })).status, 400)
          const unknown = { organizationId, serviceId: otherOrganizationId, state: "idle" }
          assert.strictEqual((yield* put(unknown)).status, 404)
        }).pipe(Effect.provide(serverOver(store, environment, { dialect, admin: true })))
      )

      test(
        "a bad command is a 400 that names the field, a command that the state refuses is a 409",
        Effect.gen(function* () {
          const bad = yield* setState("reboot")
          assert.strictEqual(bad.status, 400)
          assert.include(bad.json.error, "command: Expected")
          const refused = yield* setState("awake")
          assert.strictEqual(refused.status, 409)
          assert.include(refused.json.error, "Current state: stopped")
        }),
        withState("stopped")
      )
    }
  })
})
