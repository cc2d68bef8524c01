import { assert, layer } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { codeOf, exchange, signInPath, tokenOf, withSessionOf } from "./support/console.ts"
import {
  as,
  dashboardsPath,
  environment,
  firstPipe,
  keysPath,
  otherOrganizationId,
  pipePath
} from "./support/environment.ts"
import { organizationId } from "./support/fullSnapshot.ts"
import { bearer, call, memoryServer, serverOver } from "./support/liveServer.ts"
import { overEveryStore } from "./support/stores.ts"

const bearerChallenge = 'Bearer realm="headgate"'
const token = /^hgs_[0-9A-Za-z]{40}$/
const code = /^hgc_[0-9A-Za-z]{40}$/

const own = pipePath(firstPipe)
const read = (authorization: string) => Effect.map(call(own, { authorization }), ({ status }) => status)

/** Changes a key of the environment by its name, as the admin. */
const change = Effect.fnUntraced(function* (name: string, body: object | "delete") {
  const { json } = yield* call(keysPath(), { authorization: as("admin") })
  const { id } = json.result.find((key: { readonly name: string }) => key.name === name)
  const answer = yield* call(`${keysPath()}/${id}`, {
    authorization: as("admin"),
    ...(body === "delete" ? { method: "DELETE" } : { method: "PATCH", body })
  })
  assert.strictEqual(answer.status, 200, answer.text)
})

overEveryStore((store) => {
  layer(serverOver(store, environment), { excludeTestServices: true })(
    `a session of the console, over ${store.name}`,
    (it) => {
      it.effect("is opened by a code once, and is its key on both APIs until it signs out", () =>
        Effect.gen(function* () {
          const made = yield* codeOf("admin")
          assert.match(made, code)
          const opened = yield* exchange(made)
          assert.strictEqual(opened.status, 200, opened.text)
          assert.deepStrictEqual(Object.keys(opened.json), ["status", "requestId", "result"])
          assert.strictEqual(opened.json.requestId, opened.headers.get("x-request-id"))
          assert.strictEqual(opened.headers.get("cache-control"), "no-store")
          const { result } = opened.json
          assert.match(result.token, token)
          assert.include(result.permissions, "pipe:delete")
          assert.notInclude(result.permissions, "console:open")
          const again = yield* exchange(made)
          assert.deepStrictEqual([again.status, again.headers.get("www-authenticate")], [401, bearerChallenge])
          const authorization = bearer(result.token)
          assert.strictEqual(yield* read(authorization), 200)
          const whoami = yield* call("/v1/whoami", { authorization })
          const asKey = yield* call("/v1/whoami", { authorization: as("admin") })
          assert.strictEqual(whoami.status, 200)
          assert.strictEqual(whoami.json.result.key.id, asKey.json.result.key.id)
          assert.strictEqual((yield* call(dashboardsPath, { authorization, body: { name: "mine" } })).status, 200)
          assert.strictEqual((yield* call(dashboardsPath, { authorization })).status, 200)
          const ended = yield* call(signInPath, { method: "DELETE", authorization })
          assert.strictEqual(ended.status, 200)
          assert.deepStrictEqual(ended.json, { status: 200, requestId: ended.headers.get("x-request-id") })
          for (const path of [own, dashboardsPath]) {
            const refused = yield* call(path, { authorization })
            assert.deepStrictEqual([refused.status, refused.headers.get("www-authenticate")], [401, bearerChallenge])
          }
          assert.strictEqual((yield* call(signInPath, { method: "DELETE", authorization })).status, 401)
        })
      )

      it.effect("is opened by one of many who have the same code at once", () =>
        Effect.gen(function* () {
          const shared = yield* codeOf("admin")
          const answers = yield* Effect.forEach(Array.from({ length: 20 }), () => exchange(shared), {
            concurrency: "unbounded"
          })
          assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [
            200,
            ...Array.from({ length: 19 }, () => 401)
          ])
        })
      )

      it.effect("is what its key is at each request", () =>
        Effect.gen(function* () {
          const authorization = yield* withSessionOf("from-here")
          const validated = () => call(keysPath(), { authorization, body: { name: "made by a session" } })
          assert.strictEqual((yield* validated()).status, 200)
          yield* change("from-here", { roles: ["developer"] })
          assert.deepStrictEqual([yield* read(authorization), (yield* validated()).status], [200, 403])
          yield* change("from-here", { roles: [] })
          assert.strictEqual(yield* read(authorization), 403)
          assert.strictEqual((yield* call(dashboardsPath, { authorization })).status, 403)
          yield* change("from-here", { roles: ["admin"], ipAccessList: [{ source: "203.0.113.0/24" }] })
          assert.strictEqual(yield* read(authorization), 403)
          assert.strictEqual((yield* call(dashboardsPath, { authorization })).status, 403)
          yield* change("from-here", { ipAccessList: [{ source: "127.0.0.0/8" }] })
          assert.strictEqual(yield* read(authorization), 200)
          yield* change("from-here", { state: "disabled" })
          assert.strictEqual(yield* read(authorization), 401)
          yield* change("from-here", { state: "enabled" })
          assert.strictEqual(yield* read(authorization), 401, "a session came back")
          const next = yield* withSessionOf("from-here")
          assert.strictEqual(yield* read(next), 200)
          const left = yield* codeOf("from-here")
          yield* change("from-here", "delete")
          assert.strictEqual(yield* read(next), 401)
          assert.strictEqual((yield* exchange(left)).status, 401)
        })
      )

      it.effect("cannot disable, delete or demote its own key", () =>
        Effect.gen(function* () {
          const authorization = yield* withSessionOf("admin")
          const { json } = yield* call("/v1/whoami", { authorization })
          const path = `${keysPath()}/${json.result.key.id}`
          assert.strictEqual((yield* call(path, { method: "DELETE", authorization })).status, 409)
          for (const body of [{ state: "disabled" }, { roles: [] }]) {
            assert.strictEqual((yield* call(path, { method: "PATCH", authorization, body })).status, 409)
          }
        })
      )
    }
  )
})

layer(memoryServer(environment))("a session of the console", (it) => {
  it.effect("makes no sessions and no codes, and the answer says why", () =>
    Effect.gen(function* () {
      const authorization = yield* withSessionOf("admin")
      for (const path of ["consoleSessions", "consoleCodes"]) {
        const refused = yield* call(`/v1/organizations/${organizationId}/${path}`, { method: "POST", authorization })
        assert.strictEqual(refused.status, 403)
        assert.include(refused.json.error, "a session of the console makes no sessions and no codes")
      }
    })
  )

  it.effect("is of no other organization", () =>
    Effect.gen(function* () {
      const authorization = yield* withSessionOf("admin")
      assert.strictEqual((yield* call(keysPath(otherOrganizationId), { authorization })).status, 403)
    })
  )

  it.effect("ends after 8 hours, and a code after 5 minutes", () =>
    Effect.gen(function* () {
      const [authorization, left] = [yield* withSessionOf("admin"), yield* codeOf("admin")]
      yield* TestClock.adjust(Duration.minutes(5))
      assert.strictEqual((yield* exchange(left)).status, 401)
      yield* TestClock.adjust(Duration.sum(Duration.hours(7), Duration.minutes(54)))
      assert.strictEqual(yield* read(authorization), 200)
      yield* TestClock.adjust(Duration.minutes(1))
      assert.strictEqual(yield* read(authorization), 401)
    })
  )

  it.effect("that is malformed gets no challenge for Basic, on either API", () =>
    Effect.gen(function* () {
      const right = yield* tokenOf("admin")
      for (const wrong of [
        `${right}x`,
        right.slice(0, -1),
        right.slice(0, -1) + (right.endsWith("a") ? "b" : "a"),
        "hgs_",
        "hgs_ x",
        `${right} ${right}`,
        `hgs_${"é".repeat(40)}`
      ]) {
        for (const path of [own, dashboardsPath, signInPath]) {
          const method = path === signInPath ? "DELETE" : "GET"
          const headers = { authorization: Buffer.from(`Bearer ${wrong}`).toString("latin1") }
          const refused = yield* call(path, { method, headers })
          assert.deepStrictEqual(
            [refused.status, refused.headers.get("www-authenticate")],
            [401, bearerChallenge],
            wrong
          )
        }
      }
    })
  )

  it.effect("is taken from the header Authorization and from nowhere else", () =>
    Effect.gen(function* () {
      const right = yield* tokenOf("admin")
      const attempts = [
        call(`${own}?token=${right}&access_token=${right}&authorization=Bearer%20${right}`),
        call(own, { headers: { cookie: `token=${right}; session=${right}; hgs=${right}` } }),
        call(own, { headers: { "x-authorization": bearer(right), "proxy-authorization": bearer(right) } }),
        call(own, { authorization: right }),
        call(own, { authorization: `Basic ${Buffer.from(`${right}:`).toString("base64")}` }),
        call(own, { authorization: `Basic ${Buffer.from(`session:${right}`).toString("base64")}` })
      ]
      for (const attempt of attempts) {
        const refused = yield* attempt
        assert.deepStrictEqual(
          [refused.status, refused.headers.get("www-authenticate")],
          [401, 'Basic realm="headgate"']
        )
      }
    })
  )

  it.effect("has no challenge for Basic where a key or nobody has one", () =>
    Effect.gen(function* () {
      for (const headers of [{}, { authorization: as("stranger") }, { authorization: bearer("hgt_x") }]) {
        const refused = yield* call(own, { headers })
        assert.deepStrictEqual(
          [refused.status, refused.headers.get("www-authenticate")],
          [401, 'Basic realm="headgate"']
        )
      }
    })
  )

  it.effect("has the permissions of its key on the observability API", () =>
    Effect.gen(function* () {
      const statusesOf = Effect.fnUntraced(function* (keyId: string) {
        const authorization = yield* withSessionOf(keyId)
        const list = yield* call(dashboardsPath, { authorization })
        const create = yield* call(dashboardsPath, { authorization, body: { name: "by a session" } })
        const caller = yield* call("/api/v2", { authorization })
        return [list.status, create.status, caller.status]
      })
      assert.deepStrictEqual(yield* statusesOf("admin"), [200, 200, 200])
      assert.deepStrictEqual(yield* statusesOf("developer"), [200, 403, 200])
      assert.deepStrictEqual(yield* statusesOf("query"), [403, 403, 403])
      assert.deepStrictEqual(yield* statusesOf("no-roles"), [403, 403, 403])
    })
  )

  it.effect("of an admin alone sees the url of a webhook, on either API", () =>
    Effect.gen(function* () {
      const asAdmin = yield* withSessionOf("admin")
      const url = "https://hooks.example.com/T0/secret"
      const made = yield* call("/api/v2/webhooks", {
        authorization: asAdmin,
        body: { name: "on call", service: "generic", url }
      })
      assert.strictEqual(made.status, 200, made.text)
      const path = `/api/v2/webhooks/${made.json.data.id}`
      assert.include((yield* call(path, { authorization: asAdmin })).text, url)
      const shown = yield* call(path, { authorization: yield* withSessionOf("developer") })
      assert.strictEqual(shown.status, 200)
      assert.notInclude(shown.text, url)
    })
  )

  it.effect("is the caller of the observability API as its key", () =>
    Effect.gen(function* () {
      const authorization = yield* withSessionOf("admin")
      const caller = yield* call("/api/v2", { authorization })
      const whoami = yield* call("/v1/whoami", { authorization })
      assert.include(JSON.stringify(caller.json.user), `"_id":"${whoami.json.result.key.id}"`)
    })
  )

  it.effect("repeats a creation of its key, and its key one of the session", () =>
    Effect.gen(function* () {
      const headers = { "idempotency-key": "made-once" }
      const authorization = yield* withSessionOf("admin")
      const create = (authorization: string) => call(keysPath(), { authorization, headers, body: { name: "once" } })
      const [first, second, third] = [
        yield* create(authorization),
        yield* create(as("admin")),
        yield* create(authorization)
      ]
      assert.strictEqual(first.status, 200)
      assert.deepStrictEqual([second.json.result, third.json.result], [first.json.result, first.json.result])
    })
  )
})
