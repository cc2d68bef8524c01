import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { organizationId } from "./support/fullSnapshot.ts"
import { as, environment, otherOrganizationId, withToken } from "./support/environment.ts"
import { call, serverOver } from "./support/liveServer.ts"
import { overEveryStore } from "./support/stores.ts"

const pathOf = (collection: string, organization = organizationId) => `/v1/organizations/${organization}/${collection}`

const create = (collection: string, caller = "admin", key?: string) =>
  call(pathOf(collection), {
    method: "POST",
    authorization: as(caller),
    ...(key === undefined ? {} : { headers: { "idempotency-key": key } })
  })

/** The operations, and the field of each with the secret. */
const collections = [
  ["consoleSessions", "token", "hgs_"],
  ["consoleCodes", "code", "hgc_"]
] as const

overEveryStore((store) => {
  layer(serverOver(store, environment), { excludeTestServices: true })(
    `the sessions of the console over ${store.name}`,
    (it) => {
      it.effect("are those of the key that calls, also of one without roles", () =>
        Effect.gen(function* () {
          const admin = yield* create("consoleSessions")
          assert.strictEqual(admin.status, 200)
          assert.strictEqual(admin.json.result.organizationId, organizationId)
          assert.include(admin.json.result.permissions, "pipe:delete")
          const { json, status } = yield* create("consoleSessions", "no-roles")
          assert.strictEqual(status, 200)
          assert.deepStrictEqual(json.result.permissions, ["organization:read"])
          assert.match(json.result.token, /^hgs_[0-9A-Za-z]{40}$/)
        })
      )

      for (const [collection, field, prefix] of collections) {
        it.effect(`${collection}: a repeat under one Idempotency-Key is the same, another key's is its own`, () =>
          Effect.gen(function* () {
            const first = yield* create(collection, "admin", "one")
            const second = yield* create(collection, "admin", "one")
            assert.deepStrictEqual([first.status, second.status], [200, 200])
            assert.match(first.json.result[field], new RegExp(`^${prefix}[0-9A-Za-z]{40}$`))
            assert.deepStrictEqual(second.json.result, first.json.result)
            const others = [
              yield* create(collection, "admin", "two"),
              yield* create(collection, "from-here", "one"),
              yield* create(collection)
            ]
            const secrets = [first, ...others].map(({ json }) => json.result[field])
            assert.strictEqual(new Set(secrets).size, 4)
          })
        )

        it.effect(`${collection}: refuses other credentials, other organizations and other methods`, () =>
          Effect.gen(function* () {
            const path = pathOf(collection)
            const post = (url: string, authorization?: string) =>
              call(url, { method: "POST", ...(authorization === undefined ? {} : { authorization }) })
            assert.strictEqual((yield* post(path)).status, 401)
            assert.strictEqual((yield* post(path, withToken)).status, 401)
            assert.strictEqual((yield* post(pathOf(collection, otherOrganizationId), as("admin"))).status, 403)
            const answers = [
              yield* call(path, { authorization: as("admin") }),
              yield* call(path, { method: "DELETE", authorization: as("admin") })
            ]
            assert.deepStrictEqual(
              answers.map(({ status }) => status),
              [405, 405]
            )
          })
        )
      }
    }
  )
})
