import { assert, describe, it, layer } from "@effect/vitest"
import { ApiKeyId, OrganizationId, type PipeEvent } from "@headgate/core"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { shownEvents } from "../src/pipe/pipeRoutes.ts"
import { as, environment, otherOrganizationId, pipePath } from "./support/environment.ts"
import { pipes } from "./support/fullSnapshot.ts"
import { call, liveServer } from "./support/liveServer.ts"
import { decodeSnapshot, overEveryStore } from "./support/stores.ts"

const [pipe] = pipes
const pipeId = pipe?.id ?? ""
const eventsOf = (query = "", by = "developer", organization?: string) =>
  call(`${pipePath(pipeId, organization === undefined ? {} : { organization })}/events${query}`, {
    authorization: as(by)
  })
const errorsOf = (by: string, query = "") => call(`${pipePath(pipeId)}/errors${query}`, { authorization: as(by) })

overEveryStore((store) => {
  layer(liveServer(store.holding(decodeSnapshot(environment))))(`the events of a pipe, over ${store.name}`, (it) => {
    it.effect("have the key that made the call, and wrong queries are refused", () =>
      Effect.gen(function* () {
        const stop = { authorization: as("admin"), method: "PATCH", body: { command: "stop" } }
        assert.strictEqual((yield* call(`${pipePath(pipeId)}/state`, stop)).status, 200)
        const { json, status } = yield* eventsOf("?limit=200")
        const last = json.result.at(-1)
        assert.deepStrictEqual([status, last.by, last.to, last.key.name], [200, "caller", "Stopping", "admin"])
        const older = yield* eventsOf(`?before=${last.position}`)
        assert.deepStrictEqual([older.status, older.json.result], [200, []])
        for (const query of [
          "?limit=0",
          "?limit=201",
          "?limit=1e1",
          "?limit=",
          "?before=",
          "?before=x",
          "?before=-1"
        ]) {
          assert.strictEqual((yield* eventsOf(query)).status, 400, query)
        }
        for (const [by, organization, expected] of [
          ["no-roles", undefined, 403],
          ["foreign-admin", undefined, 403],
          ["foreign-admin", otherOrganizationId, 404],
          ["disabled", undefined, 401]
        ] as const) {
          assert.strictEqual((yield* eventsOf("", by, organization)).status, expected, by)
        }
      })
    )

    it.effect("rejected rows are for admin keys alone; a simulated pipe has none", () =>
      Effect.gen(function* () {
        const statuses: Array<number> = []
        for (const by of ["admin", "developer", "query", "no-roles"]) statuses.push((yield* errorsOf(by)).status)
        assert.deepStrictEqual(statuses, [200, 403, 403, 403])
        assert.deepStrictEqual((yield* errorsOf("admin")).json.result, [])
        for (const query of ["?limit=101", "?before=1", "?before=1-x"]) {
          assert.strictEqual((yield* errorsOf("admin", query)).status, 400, query)
        }
      })
    )
  })
})

describe("the key of an event", () => {
  const event: PipeEvent = {
    position: "1",
    at: DateTime.makeUnsafe(0),
    from: "Running",
    to: "Stopping",
    by: "caller",
    key: { id: ApiKeyId.make("33333333-3333-4333-8333-333333333333"), name: "deploy" }
  }
  const principal = (roles: ReadonlyArray<"admin" | "developer" | "query_endpoints">) => ({
    _tag: "KeyPrincipal" as const,
    organizationId: OrganizationId.make("11111111-1111-4111-8111-111111111111"),
    keyId: ApiKeyId.make("44444444-4444-4444-8444-444444444444"),
    keyName: "reader",
    keySuffix: "5cNy",
    roles,
    hasCustomRoles: false,
    isSession: false
  })
  it("is shown to who may read keys", () => {
    assert.deepStrictEqual(shownEvents([event], principal(["developer"])), [event])
    assert.deepStrictEqual(shownEvents([event], principal([])), [{ ...event, key: null }])
  })
})
