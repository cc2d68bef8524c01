import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { basic, bearer, call, serverOver } from "./support/liveServer.ts"
import { overEveryStore } from "./support/stores.ts"
import {
  as,
  dashboardsPath,
  firstPipe,
  keysPath,
  otherOrganizationId,
  pipePath,
  uuidV4,
  withOtherToken,
  withToken,
  environment
} from "./support/environment.ts"

const unauthorized = [401, "UNAUTHORIZED"] as const
const forbidden = [403, "FORBIDDEN"] as const

const management: ReadonlyArray<readonly [who: string, authorization: string | undefined, readonly [number, string]]> =
  [
    ["nobody", undefined, unauthorized],
    ["a bearer token", withToken, unauthorized],
    ["an unknown key", basic("stranger", "secret"), unauthorized],
    ["a wrong secret", basic("admin", "wrong"), unauthorized],
    ["an empty secret", basic("admin", ""), unauthorized],
    ["no colon", `Basic ${Buffer.from("admin").toString("base64")}`, unauthorized],
    ["what is not base64", "Basic ***", unauthorized],
    ["an unknown scheme", "Digest admin", unauthorized],
    ["a disabled key", as("disabled"), unauthorized],
    ["an expired key", as("expired"), unauthorized],
    ["a key of another address", as("from-elsewhere"), forbidden],
    ["a key of no address", as("from-nowhere"), forbidden],
    ["a key without roles", as("no-roles"), forbidden],
    ["a query_endpoints key", as("query"), forbidden],
    ["a key of another organization", as("foreign-admin"), forbidden]
  ]

overEveryStore((store) => {
  layer(serverOver(store, environment), { excludeTestServices: true })(
    `who may enter the management API, over ${store.name}`,
    (it) => {
      for (const [who, authorization, [status, code]] of management) {
        it.effect(`${who}: ${status}`, () =>
          Effect.gen(function* () {
            const answer = yield* call(pipePath(firstPipe), authorization === undefined ? {} : { authorization })
            assert.strictEqual(answer.status, status)
            assert.deepStrictEqual(Object.keys(answer.json), ["status", "error", "requestId"])
            assert.strictEqual(answer.json.status, status)
            assert.match(answer.json.error, new RegExp(`^${code}: .`))
            assert.match(answer.json.requestId, uuidV4)
            assert.strictEqual(answer.headers.get("x-request-id"), answer.json.requestId)
            assert.strictEqual(answer.headers.get("www-authenticate"), status === 401 ? 'Basic realm="headgate"' : null)
          })
        )
      }

      for (const who of ["admin", "developer", "expires-later", "from-here"]) {
        it.effect(`${who}: 200`, () =>
          Effect.gen(function* () {
            assert.strictEqual((yield* call(pipePath(firstPipe), { authorization: as(who) })).status, 200)
          })
        )
      }

      it.effect("says the same of an unknown key, a wrong secret, a disabled and an expired key", () =>
        Effect.gen(function* () {
          const texts = yield* Effect.forEach(
            [basic("stranger", "x"), basic("admin", "x"), as("disabled"), as("expired")],
            (authorization) => Effect.map(call(pipePath(firstPipe), { authorization }), ({ json }) => json.error)
          )
          assert.strictEqual(new Set(texts).size, 1)
        })
      )

      it.effect("says the same of an organization that exists and one that does not", () =>
        Effect.gen(function* () {
          const [existing, unknown] = yield* Effect.forEach(
            [otherOrganizationId, "00000000-0000-4000-8000-0000000000fe"],
            (organization) => call(pipePath(firstPipe, { organization }), { authorization: as("admin") })
          )
          assert.strictEqual(existing?.status, 403)
          assert.strictEqual(unknown?.status, 403)
          assert.strictEqual(existing?.json.error, unknown?.json.error)
        })
      )

      const asDeveloper = { authorization: as("developer") }

      it.effect("a developer may neither delete a pipe nor create a key, and nothing happens", () =>
        Effect.gen(function* () {
          assert.strictEqual((yield* call(pipePath(firstPipe), { ...asDeveloper, method: "DELETE" })).status, 403)
          assert.strictEqual((yield* call(keysPath(), { ...asDeveloper, body: { name: "mine" } })).status, 403)
          assert.strictEqual((yield* call(pipePath(firstPipe), asDeveloper)).status, 200)
        })
      )

      it.effect("credentials are looked at before anything else is: a bad body tells a stranger nothing", () =>
        Effect.gen(function* () {
          assert.strictEqual((yield* call(keysPath(), { body: "{" })).status, 401)
          assert.strictEqual((yield* call(keysPath(), { ...asDeveloper, body: "{" })).status, 403)
        })
      )

      it.effect("every answer has a request id of its own", () =>
        Effect.gen(function* () {
          const answers = yield* Effect.forEach(
            Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? as("admin") : as("expired"))),
            (authorization) => call(pipePath(firstPipe), { authorization }),
            { concurrency: 10 }
          )
          assert.strictEqual(new Set(answers.map(({ json }) => json.requestId)).size, 20)
        })
      )
    }
  )
})

const observability: ReadonlyArray<readonly [who: string, authorization: string | undefined]> = [
  ["nobody", undefined],
  ["an API key", as("admin")],
  ["an unknown token", bearer("stranger")],
  ["an empty token", "Bearer "],
  ["an unknown scheme", "Token x"]
]

overEveryStore((store) => {
  layer(serverOver(store, environment), { excludeTestServices: true })(
    `who may enter the observability API, over ${store.name}`,
    (it) => {
      for (const [who, authorization] of observability) {
        for (const body of [undefined, { name: "mine" }]) {
          it.effect(`${who}, to ${body === undefined ? "list" : "create"}: 401`, () =>
            Effect.gen(function* () {
              const answer = yield* call(dashboardsPath, {
                ...(authorization === undefined ? {} : { authorization }),
                ...(body === undefined ? {} : { body })
              })
              assert.strictEqual(answer.status, 401)
              assert.deepStrictEqual(Object.keys(answer.json), ["message"])
              assert.strictEqual(answer.headers.get("www-authenticate"), 'Bearer realm="headgate"')
              assert.match(answer.headers.get("x-request-id") ?? "", uuidV4)
            })
          )
        }
      }

      it.effect("a token shows and makes the dashboards of its own organization only", () =>
        Effect.gen(function* () {
          const created = yield* call(dashboardsPath, { authorization: withToken, body: { name: "mine" } })
          assert.strictEqual(created.status, 200)
          const own = yield* call(dashboardsPath, { authorization: withToken })
          const others = yield* call(dashboardsPath, { authorization: withOtherToken })
          assert.deepStrictEqual(own.json.data, [created.json.data])
          assert.deepStrictEqual(others.json, { data: [] })
        })
      )
    }
  )
})
