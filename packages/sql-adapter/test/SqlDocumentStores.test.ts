import { assert, describe, it } from "@effect/vitest"
import { OrganizationId } from "@headgate/core"
import { OrganizationDocuments, Sealing } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as SqlClient from "effect/sql/SqlClient"
import { SqlAdapter, SqlSealing } from "../src/index.ts"
import { importOrganizations } from "./support/importOrganizations.ts"

const organizationId = OrganizationId.make("0a0b0c0d-0000-4000-8000-000000000001")
const sealingKey = Redacted.make("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
const otherKey = Redacted.make("H/8eHRwbGhkYFxYVFBMSERAPDg0MCwoJCAcGBQQDAgE=")
const crypto = Layer.merge(Digest.layerWebCrypto, SecureRandom.layerWebCrypto)

const inMemory = Layer.effectDiscard(importOrganizations(organizationId)).pipe(
  Layer.provideMerge(SqlAdapter.layerSqlite({ filename: ":memory:", sealingKey }))
)

interface Row {
  readonly document: string
  readonly credentials: string | null
}

const rowOf = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Row>`SELECT document, credentials FROM webhook WHERE id = ${id}`
  return row ?? assert.fail("there is no such webhook")
})

/** The stored secrets of a webhook, opened with a key. */
const secretsOf = Effect.fnUntraced(function* (id: string, key: Redacted.Redacted) {
  const { credentials } = yield* rowOf(id)
  const opened = Sealing.use(({ open }) => open(credentials ?? "", `webhook/${id}/secrets`))
  return Option.getOrUndefined(yield* Effect.provide(opened, Layer.provide(Sealing.layer(key), crypto)))
})

const reseal = SqlSealing.reseal(otherKey).pipe(
  Effect.provide(Layer.provide(Sealing.layer(sealingKey), crypto)),
  Effect.provide(crypto)
)

const url = "https://hooks.example.com/marked-secret"
const request = {
  name: "On call",
  service: "generic",
  url: Redacted.make(url),
  headers: Redacted.make({ authorization: "marked-secret" })
} as const
const other = { name: "other", service: "generic", url: Redacted.make("https://other.example.com") } as const
const secrets = `{"url":"${url}","headers":{"authorization":"marked-secret"}}`

describe("SqlDocumentStores", () => {
  it.effect("keeps the secrets of a webhook sealed and apart from its document", () =>
    Effect.gen(function* () {
      const { webhooks } = (yield* OrganizationDocuments).of(organizationId)
      const { id } = yield* webhooks.create(request)
      const row = yield* rowOf(id)
      const { createdAt, updatedAt, ...document } = JSON.parse(row.document)
      assert.deepStrictEqual(document, { id, name: "On call", service: "generic" })
      assert.strictEqual(createdAt, updatedAt)
      assert.notInclude(row.credentials ?? "", "marked")
      assert.strictEqual(yield* secretsOf(id, sealingKey), secrets)
      yield* webhooks.update({ webhookId: id }, { ...request, headers: null })
      assert.strictEqual(yield* secretsOf(id, sealingKey), `{"url":"${url}"}`)
    }).pipe(Effect.provide(inMemory))
  )

  it.effect("reseals the secrets of webhooks with another key", () =>
    Effect.gen(function* () {
      const { webhooks } = (yield* OrganizationDocuments).of(organizationId)
      const { id } = yield* webhooks.create(request)
      yield* reseal
      assert.strictEqual(yield* secretsOf(id, otherKey), secrets)
      assert.isUndefined(yield* secretsOf(id, sealingKey))
    }).pipe(Effect.provide(inMemory))
  )

  // A value that was moved to another row does not open.
  const move = Effect.fnUntraced(function* (from: string, to: string) {
    const sql = yield* SqlClient.SqlClient
    yield* sql`UPDATE webhook SET credentials = (SELECT credentials FROM webhook WHERE id = ${from}) WHERE id = ${to}`
  })

  it.effect("a reseal names the webhook whose secrets do not open, and leaves them as they are", () =>
    Effect.gen(function* () {
      const { webhooks } = (yield* OrganizationDocuments).of(organizationId)
      const { id } = yield* webhooks.create(request)
      const { id: otherId } = yield* webhooks.create(other)
      yield* move(id, otherId)
      const before = yield* rowOf(otherId)
      assert.deepStrictEqual((yield* reseal).unopened, [`webhook/${otherId}/secrets`])
      assert.strictEqual(yield* secretsOf(id, otherKey), secrets)
      assert.deepStrictEqual(yield* rowOf(otherId), before)
    }).pipe(Effect.provide(inMemory))
  )

  it.effect("a webhook whose secrets do not open is answered without them, replaced and deleted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { webhooks } = (yield* OrganizationDocuments).of(organizationId)
      const { id } = yield* webhooks.create(request)
      const { id: otherId } = yield* webhooks.create(other)
      yield* move(id, otherId)
      const named = Effect.map(webhooks.list(), (all) => all.map(({ name, url }) => [name, url !== undefined]))
      assert.deepStrictEqual(yield* named, [
        ["On call", true],
        ["other", false]
      ])
      const error = yield* Effect.flip(
        webhooks.update({ webhookId: otherId }, { ...request, name: "repaired", headers: null })
      )
      assert.strictEqual(
        error.message,
        "queryParams: Expected a new value, or null for none: the one that is stored does not open"
      )
      yield* webhooks.update({ webhookId: otherId }, { ...request, name: "repaired", headers: null, queryParams: null })
      assert.strictEqual(yield* secretsOf(otherId, sealingKey), `{"url":"${url}"}`)
      yield* webhooks.update({ webhookId: otherId }, { name: "repaired", service: "generic", url: request.url })
      yield* sql`UPDATE webhook SET credentials = 'damaged' WHERE id = ${otherId}`
      yield* webhooks.delete({ webhookId: otherId })
      assert.deepStrictEqual(yield* named, [["On call", true]])
    }).pipe(Effect.provide(inMemory))
  )
})
