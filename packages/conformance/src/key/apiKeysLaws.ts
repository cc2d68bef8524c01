import { assert, describe, it } from "@effect/vitest"
import { type ApiKeyCreate, ApiKeys, type Snapshot } from "@headgate/core"
import { keySuffix } from "@headgate/core/adapter"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { asJson } from "../internal/documents.ts"
import { failsWith } from "../internal/failsWith.ts"
import { apiKeyChangesLaws } from "./apiKeyChangesLaws.ts"
import { anyApiKeyCreate, fewRuns, hashDataOf, maxApiKeys, withKeyCount } from "../internal/requests.ts"

const { acme } = fixtureIds.organizations

const create = (request: ApiKeyCreate) => ApiKeys.use((keys) => keys.create({ organizationId: acme }, request))

const request: ApiKeyCreate = { name: "ci", roles: ["developer"] }

/** Creates keys concurrently and returns the outcomes in order. */
const createConcurrently = (count: number, toRequest: (n: number) => ApiKeyCreate) =>
  Effect.forEach(
    Array.from({ length: count }, (_, n) => toRequest(n)),
    (each) =>
      create(each).pipe(
        Effect.as("created"),
        Effect.catchTag("Conflict", () => Effect.succeed("conflict"))
      ),
    { concurrency: "unbounded" }
  )

const tally = (outcomes: ReadonlyArray<string>) => ({
  created: outcomes.filter((outcome) => outcome === "created").length,
  conflict: outcomes.filter((outcome) => outcome === "conflict").length
})

/**
 * The laws of the `ApiKeys` port. They need only the port, so they also run over an adapter for a network. Contract:
 * docs/wire-contract.md#fields-of-an-api-key and docs/wire-contract.md#create-an-api-key.
 */
export const apiKeysLaws = ({ layer, name }: LawsOptions<ApiKeys>): void => {
  // On the real clock, because the adapter may call another process.
  const lawOver = (title: string, snapshot: Effect.Effect<Snapshot>, body: Effect.Effect<void, unknown, ApiKeys>) =>
    it.live(title, () => Effect.flatMap(snapshot, (held) => Effect.provide(body, layer(held, acme))))
  const law = (title: string, body: Effect.Effect<void, unknown, ApiKeys>) => lawOver(title, fixtureSnapshot, body)

  /** The fixture with so many keys that `room` more are allowed. */
  const withRoomFor = (room: number) =>
    Effect.flatMap(fixtureSnapshot, (snapshot) => withKeyCount(snapshot, 0, maxApiKeys - room))

  describe(`${name}: laws of ApiKeys`, () => {
    for (const [what, expiry] of [
      ["absent", {}],
      ["null", { expireAt: null }]
    ] as const) {
      law(
        `a key whose expireAt is ${what} never expires`,
        Effect.gen(function* () {
          const { key } = yield* create({ ...request, ...expiry })
          assert.isTrue(key.expireAt === undefined || key.expireAt === null)
        })
      )
    }

    law(
      "expireAt in the future is stored",
      Effect.gen(function* () {
        const expireAt = DateTime.makeUnsafe("2999-12-31T23:59:59.500Z")
        const { key } = yield* create({ ...request, expireAt })
        assert.strictEqual(key.expireAt?.epochMilliseconds, expireAt.epochMilliseconds)
      })
    )

    const wrong: ReadonlyArray<readonly [named: string, ApiKeyCreate]> = [
      ["name", { name: "" }],
      ["name", { name: "x".repeat(256) }],
      ["roles", { name: "x", roles: [] }],
      ["ipAccessList[0].source", { name: "x", ipAccessList: [{ source: "everywhere" }] }],
      ["hashData.keyIdHash", { name: "x", hashData: { keyIdHash: "", keyIdSuffix: "abcd", keySecretHash: "" } }]
    ]
    for (const [named, bad] of wrong) {
      lawOver(
        `a bad ${named} is an InvalidRequest that names it, and does not count towards the limit`,
        withRoomFor(1),
        Effect.gen(function* () {
          const error = yield* failsWith(create(bad), "InvalidRequest")
          assert.include(error.message, `${named}: `)
          yield* create(request)
        })
      )
    }

    lawOver(
      "a field that no contract names is an InvalidRequest that names it, and does not count towards the limit",
      withRoomFor(1),
      Effect.gen(function* () {
        const error = yield* failsWith(create({ ...request, ipAcessList: [] }), "InvalidRequest")
        assert.include(error.message, "ipAcessList: ")
        yield* create(request)
      })
    )

    lawOver(
      "expireAt in the past is an InvalidRequest that names expireAt, and does not count towards the limit",
      withRoomFor(1),
      Effect.gen(function* () {
        const error = yield* failsWith(
          create({ ...request, expireAt: DateTime.makeUnsafe("2001-01-01T00:00:00Z") }),
          "InvalidRequest"
        )
        assert.include(error.message, "expireAt")
        yield* create(request)
      })
    )

    for (const [sent, state] of [
      [undefined, "enabled"],
      ["enabled", "enabled"],
      ["disabled", "disabled"]
    ] as const) {
      law(
        `state ${sent ?? "absent"} makes a key that is ${state}`,
        Effect.gen(function* () {
          const { key } = yield* create({ ...request, ...(sent === undefined ? {} : { state: sent }) })
          assert.strictEqual(key.state, state)
        })
      )
    }

    law(
      "create returns name, roles and access list as sent",
      Effect.gen(function* () {
        const ipAccessList = [
          { source: "192.0.2.0/24", description: "office" },
          { source: "2001:db8::1", description: null },
          { source: "198.51.100.7" }
        ]
        const { key } = yield* create({ name: "größe 🚰", roles: ["query_endpoints", "admin"], ipAccessList })
        assert.strictEqual(key.name, "größe 🚰")
        assert.deepStrictEqual(key.roles, ["query_endpoints", "admin"])
        assert.deepStrictEqual(asJson(key.ipAccessList), ipAccessList)
      })
    )

    law(
      "an empty access list stays empty, an absent one stays absent",
      Effect.gen(function* () {
        const closed = yield* create({ ...request, ipAccessList: [] })
        assert.deepStrictEqual(closed.key.ipAccessList, [])
        const open = yield* create(request)
        assert.isTrue(open.key.ipAccessList === undefined || open.key.ipAccessList === null)
      })
    )

    law(
      "a key without roles has none",
      Effect.gen(function* () {
        const { key } = yield* create({ name: "no rights" })
        assert.deepStrictEqual(key.roles ?? [], [])
      })
    )

    law(
      "the service makes credentials: the secret is redacted, the suffix is the end of the key ID",
      Effect.gen(function* () {
        const { key, keyId, keySecret } = yield* create(request)
        assert.isAtLeast(keyId?.length ?? 0, 8)
        assert.strictEqual(key.keySuffix, keySuffix(keyId ?? ""))
        assert.isTrue(Redacted.isRedacted(keySecret))
        assert.isAtLeast(keySecret === undefined ? 0 : Redacted.value(keySecret).length, 20)
        assert.isDefined(key.createdAt)
        assert.isTrue(key.usedAt === undefined || key.usedAt === null)
      })
    )

    law(
      "credentials that the caller made are not returned",
      Effect.gen(function* () {
        const hashData = yield* hashDataOf("callersOwnKeyId-WXYZ", "the caller's own secret")
        const created = yield* create({ ...request, hashData })
        assert.notProperty(created, "keyId")
        assert.notProperty(created, "keySecret")
        assert.strictEqual(created.key.keySuffix, "WXYZ")
      })
    )

    law(
      "hashData null means the same as absent",
      Effect.gen(function* () {
        const { keyId, keySecret } = yield* create({ ...request, hashData: null })
        assert.isDefined(keyId)
        assert.isDefined(keySecret)
      })
    )

    law(
      "keys created concurrently share neither id nor credentials",
      Effect.gen(function* () {
        const created = yield* Effect.forEach(Array.from({ length: 20 }), () => create(request), {
          concurrency: "unbounded"
        })
        const distinct = (values: ReadonlyArray<unknown>) => new Set(values).size
        assert.strictEqual(distinct(created.map(({ key }) => key.id)), 20)
        assert.strictEqual(distinct(created.map(({ keyId }) => keyId)), 20)
        const secrets = created.flatMap(({ keySecret }) => (keySecret === undefined ? [] : [Redacted.value(keySecret)]))
        assert.strictEqual(distinct(secrets), 20)
      })
    )

    law(
      "a key ID that exists is a Conflict",
      Effect.gen(function* () {
        const hashData = yield* hashDataOf("callersOwnKeyId-0001", "first secret")
        yield* create({ ...request, hashData })
        const again = yield* hashDataOf("callersOwnKeyId-0001", "second secret")
        yield* failsWith(create({ ...request, hashData: again }), "Conflict")
      })
    )

    law(
      "of many concurrent requests with one key ID, one succeeds",
      Effect.gen(function* () {
        const hashData = yield* hashDataOf("callersOwnKeyId-0002", "secret")
        const outcomes = yield* createConcurrently(10, () => ({ ...request, hashData }))
        assert.deepStrictEqual(tally(outcomes), { created: 1, conflict: 9 })
      })
    )

    lawOver(
      `key ${maxApiKeys} is created, one more is a Conflict`,
      withRoomFor(1),
      Effect.gen(function* () {
        yield* create(request)
        const error = yield* failsWith(create(request), "Conflict")
        assert.include(error.message, String(maxApiKeys))
      })
    )

    lawOver(
      "concurrent requests create as many keys as the limit allows, and no more",
      withRoomFor(7),
      Effect.gen(function* () {
        const outcomes = yield* createConcurrently(20, () => request)
        assert.deepStrictEqual(tally(outcomes), { created: 7, conflict: 13 })
      })
    )

    lawOver(
      "another organization's keys do not count towards the limit",
      Effect.flatMap(fixtureSnapshot, (snapshot) => withKeyCount(snapshot, 1, maxApiKeys)),
      Effect.asVoid(create(request))
    )

    apiKeyChangesLaws(law)

    it.live.prop(
      "create returns what any request asks for",
      [anyApiKeyCreate],
      ([any]) =>
        Effect.gen(function* () {
          const { key } = yield* create(any).pipe(Effect.provide(layer(yield* fixtureSnapshot, acme)))
          assert.deepStrictEqual(
            asJson([key.name, key.state, key.roles ?? [], key.ipAccessList ?? null]),
            asJson([any.name, any.state ?? "enabled", Array.from(new Set(any.roles)), any.ipAccessList ?? null])
          )
        }),
      fewRuns
    )
  })
}
