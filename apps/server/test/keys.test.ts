import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { basic, call, serverOver } from "./support/liveServer.ts"
import { overEveryStore } from "./support/stores.ts"
import { as, firstPipe, hashDataOf, keysPath, pipePath, uuid, uuidV4, environment } from "./support/environment.ts"

const create = (body: unknown) => call(keysPath(), { authorization: as("admin"), body })
const readPipe = (keyId: string, keySecret: string) =>
  Effect.map(call(pipePath(firstPipe), { authorization: basic(keyId, keySecret) }), ({ status }) => status)

overEveryStore((store) => {
  // The server runs on the test's clock, which starts at the epoch and moves when it is told to.
  layer(serverOver(store, environment))(`create an API key, over ${store.name}`, (it) => {
    it.effect("answers the key and its credentials in the envelope, and they open the door", () =>
      Effect.gen(function* () {
        const { json, status } = yield* create({ name: "ci", roles: ["developer"] })
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(Object.keys(json), ["status", "requestId", "result"])
        assert.strictEqual(json.status, 200)
        assert.match(json.requestId, uuidV4)
        const { key, keyId, keySecret } = json.result
        assert.deepStrictEqual(Object.keys(key).toSorted(), [
          "assignedRoles",
          "createdAt",
          "id",
          "keySuffix",
          "name",
          "roles",
          "state"
        ])
        assert.match(key.id, uuid)
        assert.strictEqual(key.name, "ci")
        assert.deepStrictEqual(key.roles, ["developer"])
        assert.strictEqual(key.keySuffix, keyId.slice(-4))
        assert.strictEqual(yield* readPipe(keyId, keySecret), 200)
        assert.strictEqual(yield* readPipe(keyId, `${keySecret}x`), 401)
      })
    )

    it.effect("a key that was disabled is rejected at once; no key disables, deletes or demotes itself", () =>
      Effect.gen(function* () {
        const { json } = yield* create({ name: "x", roles: ["admin"] })
        const { key, keyId, keySecret } = json.result
        const path = `${keysPath()}/${key.id}`
        const itself = basic(keyId, keySecret)
        for (const body of [{ state: "disabled" }, { roles: ["developer"] }, { assignedRoleIds: [] }]) {
          assert.strictEqual((yield* call(path, { method: "PATCH", authorization: itself, body })).status, 409)
        }
        assert.strictEqual((yield* call(path, { method: "DELETE", authorization: itself })).status, 409)
        const patch = { method: "PATCH", authorization: as("admin"), body: { state: "disabled" } } as const
        assert.strictEqual((yield* call(path, patch)).json.result.state, "disabled")
        assert.strictEqual(yield* readPipe(keyId, keySecret), 401)
        const deleted = yield* call(path, { method: "DELETE", authorization: as("admin") })
        assert.deepStrictEqual(Object.keys(deleted.json), ["status", "requestId"])
        assert.strictEqual((yield* call(path, { authorization: as("admin") })).status, 404)
      })
    )

    it.effect("a field of a change that is not known is a 400 with a suggestion", () =>
      Effect.gen(function* () {
        const { json } = yield* create({ name: "x", roles: ["admin"] })
        const path = `${keysPath()}/${json.result.key.id}`
        const answer = yield* call(path, { method: "PATCH", authorization: as("admin"), body: { ipAcessList: [] } })
        assert.strictEqual(answer.status, 400)
        assert.include(answer.json.error, "ipAcessList: Unknown field: did you mean ipAccessList?")
      })
    )

    it.effect("a key with only custom roles gets a 403 that says so", () =>
      Effect.gen(function* () {
        const rolesPath = keysPath().replace(/keys$/, "roles")
        const body = { name: "auditor", actors: [], policies: [] }
        const role = (yield* call(rolesPath, { authorization: as("admin"), body })).json.result
        const { json } = yield* create({ name: "x", assignedRoleIds: [role.id] })
        assert.deepStrictEqual(json.result.key.assignedRoles, [
          { roleId: role.id, roleName: "auditor", roleType: "custom" }
        ])
        const authorization = basic(json.result.keyId, json.result.keySecret)
        const refused = yield* call(pipePath(firstPipe), { authorization })
        assert.strictEqual(refused.status, 403)
        assert.include(refused.json.error, "custom roles")
      })
    )

    for (const [what, expiry] of [
      ["absent", {}],
      ["null", { expireAt: null }],
      ["empty", { expireAt: "" }]
    ] as const) {
      it.effect(`an ${what} expireAt never expires`, () =>
        Effect.gen(function* () {
          const { json } = yield* create({ name: "x", roles: ["admin"], ...expiry })
          assert.notProperty(json.result.key, "expireAt")
          assert.strictEqual(yield* readPipe(json.result.keyId, json.result.keySecret), 200)
        })
      )
    }

    it.effect("an expireAt is answered as it was written, and is kept to the instant", () =>
      Effect.gen(function* () {
        const now = DateTime.formatIso(yield* DateTime.now)
        const expireAt = DateTime.formatIso(DateTime.add(yield* DateTime.now, { hours: 1 })).replace("Z", "+00:00")
        const { json } = yield* create({ name: "x", roles: ["admin"], expireAt })
        assert.strictEqual(json.result.key.createdAt, now)
        assert.strictEqual(json.result.key.expireAt, expireAt)
        yield* TestClock.adjust(Duration.millis(3_599_999))
        assert.strictEqual(yield* readPipe(json.result.keyId, json.result.keySecret), 200)
        yield* TestClock.adjust(Duration.millis(1))
        assert.strictEqual(yield* readPipe(json.result.keyId, json.result.keySecret), 401)
      })
    )

    it.effect("an absent state is enabled; a disabled key cannot authenticate", () =>
      Effect.gen(function* () {
        const enabled = yield* create({ name: "x", roles: ["admin"] })
        assert.strictEqual(enabled.json.result.key.state, "enabled")
        const disabled = yield* create({ name: "x", roles: ["admin"], state: "disabled" })
        assert.strictEqual(disabled.json.result.key.state, "disabled")
        assert.strictEqual(yield* readPipe(disabled.json.result.keyId, disabled.json.result.keySecret), 401)
      })
    )

    it.effect("with hashData the answer has no credentials, and the caller's own ones open the door", () =>
      Effect.gen(function* () {
        const { json, status } = yield* create({
          name: "x",
          roles: ["admin"],
          hashData: hashDataOf("my-key-1234", "mine")
        })
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(Object.keys(json.result), ["key"])
        assert.strictEqual(json.result.key.keySuffix, "1234")
        assert.strictEqual(yield* readPipe("my-key-1234", "mine"), 200)
        assert.strictEqual(yield* readPipe("my-key-1234", "not mine"), 401)
        const again = yield* create({ name: "y", hashData: hashDataOf("my-key-1234", "other") })
        assert.strictEqual(again.status, 409)
        assert.strictEqual(yield* readPipe("my-key-1234", "mine"), 200)
      })
    )

    it.effect("an access list is answered as it was sent, and enforced; an empty one lets nobody in", () =>
      Effect.gen(function* () {
        const ipAccessList = [{ source: "127.0.0.0/8", description: "here" }, { source: "2001:db8::1" }]
        const here = yield* create({ name: "x", roles: ["admin"], ipAccessList })
        assert.deepStrictEqual(here.json.result.key.ipAccessList, ipAccessList)
        assert.strictEqual(yield* readPipe(here.json.result.keyId, here.json.result.keySecret), 200)
        const nowhere = yield* create({ name: "x", roles: ["admin"], ipAccessList: [] })
        assert.deepStrictEqual(nowhere.json.result.key.ipAccessList, [])
        assert.strictEqual(yield* readPipe(nowhere.json.result.keyId, nowhere.json.result.keySecret), 403)
      })
    )

    it.effect("a key without roles has no rights", () =>
      Effect.gen(function* () {
        const { json } = yield* create({ name: "x" })
        assert.deepStrictEqual([json.result.key.roles, json.result.key.assignedRoles], [[], []])
        assert.strictEqual(yield* readPipe(json.result.keyId, json.result.keySecret), 403)
      })
    )

    it.effect("a misspelt access list opens no key: an unknown field is a 400 that names it", () =>
      Effect.gen(function* () {
        const { json, status } = yield* create({ name: "x", ipAcessList: [], owner: "me" })
        assert.strictEqual(status, 400)
        assert.strictEqual(
          json.error,
          "BAD_REQUEST: ipAcessList: Unknown field: did you mean ipAccessList?; owner: Unknown field"
        )
      })
    )
  })
})
