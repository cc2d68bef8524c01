import { assert, describe, it } from "@effect/vitest"
import {
  ApiKey,
  type ApiKeyId,
  ApiKeys,
  type ApiKeyState,
  type ApiKeyUpdate,
  type OrganizationId,
  type Snapshot,
  versionOf
} from "@headgate/core"
import { Authenticator, type KeyCredentials } from "@headgate/core/adapter"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureCredentials } from "../fixtures/credentials.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { failsWith } from "../internal/failsWith.ts"
import { maxApiKeys, withKeyCount } from "../internal/requests.ts"

const { keys: keyIds, organizations } = fixtureIds
const { acme, globex } = organizations
const { keys } = fixtureCredentials

const list = (organizationId: OrganizationId = acme) => ApiKeys.use((apiKeys) => apiKeys.list({ organizationId }))

const setState = (keyId: ApiKeyId, state: ApiKeyState) =>
  ApiKeys.use((apiKeys) => apiKeys.update({ organizationId: acme, keyId }, { state }))

const remove = (keyId: ApiKeyId) => ApiKeys.use((apiKeys) => apiKeys.delete({ organizationId: acme, keyId }))

const create = (name: string) =>
  ApiKeys.use((apiKeys) => apiKeys.create({ organizationId: acme }, { name, roles: ["admin"] }))

const signIn = (credentials: KeyCredentials, remoteAddress = "192.0.2.7") =>
  Authenticator.use((authenticator) => authenticator.authenticate(credentials, remoteAddress))

const isRejected = (credentials: KeyCredentials, remoteAddress?: string) =>
  failsWith(signIn(credentials, remoteAddress), "Unauthorized", "Forbidden")

const encodeKeys = Schema.encodeEffect(Schema.Array(ApiKey))

/** Every key of both organizations, as on the wire. */
const allOnWire = Effect.gen(function* () {
  return [...(yield* encodeKeys(yield* list(acme))), ...(yield* encodeKeys(yield* list(globex)))]
})

const usedAt = Effect.fnUntraced(function* (keyId: ApiKeyId) {
  const key = (yield* list()).find(({ id }) => id === keyId)
  return key?.usedAt ? DateTime.formatIso(key.usedAt) : undefined
})

const at = (time: string) => TestClock.setTime(DateTime.makeUnsafe(time).epochMilliseconds)

/**
 * The laws of `ApiKeys` and `Authenticator` about keys that exist: changes to a key take effect at once, `usedAt` is
 * recorded, and a change counts in the version of the key.
 */
export const apiKeyUseLaws = ({ layer, name }: LawsOptions<ApiKeys | Authenticator>): void => {
  const lawOver = (
    title: string,
    snapshot: Effect.Effect<Snapshot>,
    body: Effect.Effect<void, unknown, ApiKeys | Authenticator>
  ) =>
    it.effect(title, () =>
      Effect.gen(function* () {
        yield* at("2026-06-01T12:00:00Z")
        yield* Effect.provide(body, layer(yield* snapshot, acme))
      })
    )
  const law = (title: string, body: Effect.Effect<void, unknown, ApiKeys | Authenticator>) =>
    lawOver(title, fixtureSnapshot, body)

  describe(`${name}: laws of API keys in use`, () => {
    law(
      "each organization lists its own keys, newest last",
      Effect.gen(function* () {
        const names = (all: ReadonlyArray<ApiKey>) => all.map((key) => key.name)
        yield* create("new")
        assert.deepStrictEqual(names(yield* list(acme)), [
          "admin",
          "developer",
          "disabled",
          "expired",
          "expiring",
          "listed",
          "closed",
          "noRoles",
          "new"
        ])
        assert.deepStrictEqual(names(yield* list(globex)), ["globex"])
        assert.deepStrictEqual(yield* list(organizations.unknown), [])
      })
    )

    law(
      "the version of a key counts its changes, and neither its uses nor changes of nothing",
      Effect.gen(function* () {
        const { key } = yield* create("versions")
        const address = { organizationId: acme, keyId: key.id }
        const versions = Effect.gen(function* () {
          const one = yield* ApiKeys.use((apiKeys) => apiKeys.get(address))
          const ofList = (yield* list()).find(({ id }) => id === key.id)
          return [versionOf(one), ofList && versionOf(ofList)]
        })
        const change = (changes: ApiKeyUpdate) => ApiKeys.use((apiKeys) => apiKeys.update(address, changes))
        assert.deepStrictEqual([versionOf(key), ...(yield* versions)], [1, 1, 1])
        assert.strictEqual(versionOf(yield* change({ name: "changed" })), 2)
        assert.strictEqual(versionOf(yield* change({})), 2)
        assert.deepStrictEqual(yield* versions, [2, 2])
        const { keys: apiKeys } = fixtureCredentials
        yield* signIn(apiKeys.admin)
        const used = yield* ApiKeys.use((each) => each.get({ organizationId: acme, keyId: keyIds.admin }))
        assert.deepStrictEqual([versionOf(used), used.usedAt !== undefined], [1, true])
      })
    )

    law(
      "a disabled key is rejected at once, and accepted again once it is enabled",
      Effect.gen(function* () {
        yield* signIn(keys.admin)
        yield* setState(keyIds.admin, "disabled")
        yield* isRejected(keys.admin)
        yield* setState(keyIds.admin, "enabled")
        yield* signIn(keys.admin)
      })
    )

    law(
      "a key that was imported disabled is accepted once it is enabled",
      Effect.gen(function* () {
        yield* isRejected(keys.disabled)
        yield* setState(keyIds.disabled, "enabled")
        yield* signIn(keys.disabled)
      })
    )

    law(
      "a change of the state changes nothing else",
      Effect.gen(function* () {
        const before = yield* allOnWire
        yield* setState(keyIds.listed, "disabled")
        assert.deepStrictEqual(
          yield* allOnWire,
          before.map((key) => (key.id === keyIds.listed ? { ...key, state: "disabled" } : key))
        )
        yield* setState(keyIds.listed, "disabled")
        yield* setState(keyIds.listed, "enabled")
        assert.deepStrictEqual(yield* allOnWire, before)
      })
    )

    law(
      "a deleted key is rejected at once, and the others are unchanged",
      Effect.gen(function* () {
        const before = yield* allOnWire
        yield* remove(keyIds.admin)
        yield* isRejected(keys.admin)
        assert.deepStrictEqual(
          yield* allOnWire,
          before.filter(({ id }) => id !== keyIds.admin)
        )
        yield* signIn(keys.developer)
      })
    )

    lawOver(
      "a deleted key no longer counts towards the limit",
      Effect.flatMap(fixtureSnapshot, (snapshot) => withKeyCount(snapshot, 0, maxApiKeys)),
      Effect.gen(function* () {
        yield* failsWith(create("over the limit"), "Conflict")
        yield* remove(keyIds.admin)
        yield* create("within the limit")
        yield* failsWith(create("over the limit"), "Conflict")
      })
    )

    law(
      "usedAt is absent before the first use, then it is the minute of the last use",
      Effect.gen(function* () {
        assert.isUndefined(yield* usedAt(keyIds.admin))
        yield* at("2026-06-01T12:34:56.789Z")
        yield* signIn(keys.admin)
        assert.strictEqual(yield* usedAt(keyIds.admin), "2026-06-01T12:34:00.000Z")
        yield* at("2026-06-01T12:34:59.999Z")
        yield* signIn(keys.admin)
        assert.strictEqual(yield* usedAt(keyIds.admin), "2026-06-01T12:34:00.000Z")
        yield* at("2026-06-01T12:35:00Z")
        yield* signIn(keys.admin)
        assert.strictEqual(yield* usedAt(keyIds.admin), "2026-06-01T12:35:00.000Z")
      })
    )

    law(
      "an imported usedAt stays until a later use",
      Effect.gen(function* () {
        assert.strictEqual(yield* usedAt(keyIds.developer), "2026-01-02T03:04:00.000Z")
        yield* at("2026-01-02T03:03:59Z")
        yield* signIn(keys.developer)
        assert.strictEqual(yield* usedAt(keyIds.developer), "2026-01-02T03:04:00.000Z")
        yield* at("2026-01-02T03:05:01Z")
        yield* signIn(keys.developer)
        assert.strictEqual(yield* usedAt(keyIds.developer), "2026-01-02T03:05:00.000Z")
      })
    )

    law(
      "a rejected request does not change usedAt",
      Effect.gen(function* () {
        yield* isRejected({ ...keys.admin, keySecret: keys.developer.keySecret })
        yield* isRejected(keys.listed, "203.0.114.1")
        yield* isRejected(keys.disabled)
        yield* isRejected(keys.expired)
        for (const keyId of [keyIds.admin, keyIds.listed, keyIds.disabled, keyIds.expired]) {
          assert.isUndefined(yield* usedAt(keyId))
        }
      })
    )

    law(
      "a use changes only usedAt, and a change of the key does not change usedAt",
      Effect.gen(function* () {
        const before = yield* allOnWire
        yield* signIn(keys.admin)
        yield* setState(keyIds.admin, "disabled")
        assert.deepStrictEqual(
          yield* allOnWire,
          before.map((key) =>
            key.id === keyIds.admin ? { ...key, state: "disabled", usedAt: "2026-06-01T12:00:00.000Z" } : key
          )
        )
      })
    )

    law(
      "a key that is disabled while it is used stays disabled",
      Effect.gen(function* () {
        const uses = Effect.forEach(
          Array.from({ length: 20 }, (_, n) => n),
          (n) => Effect.andThen(at(`2026-06-01T13:${n + 10}:00Z`), Effect.ignore(signIn(keys.admin))),
          { discard: true }
        )
        yield* Effect.all([uses, setState(keyIds.admin, "disabled")], { concurrency: "unbounded" })
        yield* isRejected(keys.admin)
      })
    )
  })
}
