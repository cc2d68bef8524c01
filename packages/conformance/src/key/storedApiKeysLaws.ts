import { assert, describe, it } from "@effect/vitest"
import { ApiKey, type ApiKeyId, ApiKeys, type ApiKeyState, type OrganizationId, type Snapshot } from "@headgate/core"
import { Authenticator, type KeyCredentials, StoredApiKeys } from "@headgate/core/adapter"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureCredentials } from "../fixtures/credentials.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { failsWith } from "../internal/failsWith.ts"
import { hashDataOf, maxApiKeys, withKeyCount } from "../internal/requests.ts"

const { keys: keyIds, organizations } = fixtureIds
const { acme, globex } = organizations
const { keys } = fixtureCredentials

const list = (organizationId: OrganizationId = acme) => StoredApiKeys.use((stored) => stored.list(organizationId))

const setState = (keyId: ApiKeyId, state: ApiKeyState, organizationId: OrganizationId = acme) =>
  StoredApiKeys.use((stored) => stored.setState(organizationId, keyId, state))

const remove = (keyId: ApiKeyId, organizationId: OrganizationId = acme) =>
  StoredApiKeys.use((stored) => stored.delete(organizationId, keyId))

const create = (name: string) => ApiKeys.use((apiKeys) => apiKeys.create(acme, { name, roles: ["admin"] }))

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

/** Keys that no operation must find. */
const nowhere: ReadonlyArray<readonly [string, OrganizationId, ApiKeyId]> = [
  ["an unknown id", acme, keyIds.unknown],
  ["another organization's key", acme, keyIds.globex],
  ["an unknown organization", organizations.unknown, keyIds.admin]
]

/**
 * The laws of the `StoredApiKeys` port: changes to a key take effect at once, and `usedAt` is recorded. They set the
 * `TestClock`, so the adapter must run in the process of the test.
 *
 * @example
 * ```ts
 * import { storedApiKeysLaws } from "@headgate/conformance"
 * import type { ApiKeys, Snapshot } from "@headgate/core"
 * import type { Authenticator, StoredApiKeys } from "@headgate/core/adapter"
 * import type * as Layer from "effect/Layer"
 *
 * // Yours: the ports over one store that holds the snapshot and nothing else.
 * declare const layer: (snapshot: Snapshot) => Layer.Layer<ApiKeys | Authenticator | StoredApiKeys>
 *
 * storedApiKeysLaws({ name: "my adapter", layer })
 * ```
 */
export const storedApiKeysLaws = ({ layer, name }: LawsOptions<ApiKeys | Authenticator | StoredApiKeys>): void => {
  const lawOver = (
    title: string,
    snapshot: Effect.Effect<Snapshot>,
    body: Effect.Effect<void, unknown, ApiKeys | Authenticator | StoredApiKeys>
  ) =>
    it.effect(title, () =>
      Effect.gen(function* () {
        yield* at("2026-06-01T12:00:00Z")
        yield* Effect.provide(body, layer(yield* snapshot, acme))
      })
    )
  const law = (title: string, body: Effect.Effect<void, unknown, ApiKeys | Authenticator | StoredApiKeys>) =>
    lawOver(title, fixtureSnapshot, body)

  describe(`${name}: laws of StoredApiKeys`, () => {
    law(
      "each organization lists its own keys in the order of import",
      Effect.gen(function* () {
        const names = (all: ReadonlyArray<ApiKey>) => all.map((key) => key.name)
        assert.deepStrictEqual(names(yield* list(acme)), [
          "admin",
          "developer",
          "disabled",
          "expired",
          "expiring",
          "listed",
          "closed",
          "noRoles"
        ])
        assert.deepStrictEqual(names(yield* list(globex)), ["globex"])
        assert.deepStrictEqual(yield* list(organizations.unknown), [])
      })
    )

    law(
      "a listed key is what was imported",
      Effect.gen(function* () {
        const [admin] = yield* encodeKeys(yield* list())
        assert.deepStrictEqual(admin, {
          id: keyIds.admin,
          name: "admin",
          state: "enabled",
          roles: ["admin"],
          keySuffix: "d001",
          createdAt: "2026-01-01T00:00:00Z"
        })
      })
    )

    law(
      "created keys are listed as they were returned, newest last",
      Effect.gen(function* () {
        const created = [yield* create("one"), yield* create("two"), yield* create("three")]
        assert.deepStrictEqual(
          yield* encodeKeys((yield* list()).slice(-3)),
          yield* encodeKeys(created.map(({ key }) => key))
        )
      })
    )

    law(
      "the list holds no credential and no hash of one",
      Effect.gen(function* () {
        const { keyId = "", keySecret = Redacted.make("") } = yield* create("ci")
        const text = JSON.stringify([yield* list(), yield* allOnWire])
        const { keyIdHash, keySecretHash } = yield* hashDataOf(keyId, Redacted.value(keySecret))
        for (const secret of [keyId, Redacted.value(keySecret), keyIdHash, keySecretHash]) {
          assert.notInclude(text, secret)
        }
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
      "setState changes the state of one key and nothing else",
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

    for (const [what, organizationId, keyId] of nowhere) {
      law(
        `setState and delete fail with KeyNotFound for ${what}, and change nothing`,
        Effect.gen(function* () {
          const before = yield* allOnWire
          for (const call of [setState(keyId, "disabled", organizationId), remove(keyId, organizationId)]) {
            const error = yield* failsWith(call, "KeyNotFound")
            assert.deepStrictEqual([error.organizationId, error.keyId], [organizationId, keyId])
          }
          assert.deepStrictEqual(yield* allOnWire, before)
        })
      )
    }

    law(
      "of many concurrent deletes, one succeeds",
      Effect.gen(function* () {
        const outcomes = yield* Effect.forEach(
          Array.from({ length: 10 }),
          () =>
            remove(keyIds.admin).pipe(
              Effect.as("deleted"),
              Effect.catchTag("KeyNotFound", () => Effect.succeed("not found"))
            ),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(outcomes.toSorted(), ["deleted", ...Array.from({ length: 9 }, () => "not found")])
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
      "a use changes only usedAt, and setState does not change usedAt",
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
