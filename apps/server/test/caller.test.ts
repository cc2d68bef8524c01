import { assert, layer } from "@effect/vitest"
import { dialectNames, dialects } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import { call, serverOver } from "./support/liveServer.ts"
import { overEveryStore } from "./support/stores.ts"
import { as, withToken, environment } from "./support/environment.ts"

const [own] = environment.organizations

overEveryStore((store) => {
  for (const name of dialectNames) {
    layer(serverOver(store, environment, { dialect: dialects[name] }), { excludeTestServices: true })(
      `the caller of the observability API in the ${name} dialect, over ${store.name}`,
      (it) => {
        for (const path of ["/api/v2", "/api/v2/"]) {
          it.effect(`GET ${path} tells the version and the caller's own organization, and nothing else`, () =>
            Effect.gen(function* () {
              const { json, status } = yield* call(path, { authorization: withToken })
              const { _id, ...user } = json.user
              assert.deepStrictEqual([status, json.version, user], [200, "v2", { team: own?.id }])
              assert.match(_id, /^[0-9a-f-]{36}$/)
              assert.deepStrictEqual(Object.keys(json), ["version", "user"])
            })
          )

          it.effect(`${path} refuses other credentials and other methods`, () =>
            Effect.gen(function* () {
              assert.strictEqual((yield* call(path)).status, 401)
              assert.strictEqual((yield* call(path, { authorization: as("admin") })).status, 401)
              assert.strictEqual((yield* call(path, { method: "PUT", authorization: withToken, body: {} })).status, 405)
            })
          )
        }
      }
    )
  }
})
