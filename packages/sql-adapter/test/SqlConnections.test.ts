import { assert, describe, it } from "@effect/vitest"
import { type ConnectionCreate, OrganizationId } from "@headgate/core"
import { ConnectionCredentials, OrganizationConnections, Sealing } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as SqlClient from "effect/sql/SqlClient"
import { SqlAdapter } from "../src/index.ts"
import { importOrganizations } from "./support/importOrganizations.ts"

const organizationId = OrganizationId.make("0a0b0c0d-0000-4000-8000-000000000001")
const host = "https://db.example.com:8443"
const request = (name: string, password?: string | null): ConnectionCreate => ({
  name,
  host,
  ...(password === undefined ? {} : { password: password === null ? null : Redacted.make(password) })
})

const sealingKey = Redacted.make("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
const crypto = Layer.merge(Digest.layerWebCrypto, SecureRandom.layerWebCrypto)

const StoredCredentials = Schema.Struct({
  id: Schema.String,
  credentials: Schema.NullOr(Schema.fromJsonString(Schema.Struct({ password: Schema.String })))
})
const decodeRows = Schema.decodeUnknownEffect(Schema.Array(StoredCredentials))

/** The stored passwords, opened with the key of the store. */
const passwords = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { open } = yield* Sealing
  const rows = yield* decodeRows(yield* sql`SELECT id, credentials FROM connection ORDER BY seq`)
  return yield* Effect.forEach(rows, ({ credentials, id }) =>
    credentials === null
      ? Effect.succeed(null)
      : Effect.map(open(credentials.password, `connection/${id}/password`), Option.getOrNull)
  )
}).pipe(Effect.provide(Layer.provide(Sealing.layer(sealingKey), crypto)))

const inMemory = Layer.effectDiscard(importOrganizations(organizationId)).pipe(
  Layer.provideMerge(SqlAdapter.layerSqlite({ filename: ":memory:", sealingKey }))
)

describe("SqlConnections", () => {
  for (const [damage, credentials] of [
    ["does not open", '{"password":"another"}'],
    ["is no JSON", "{"]
  ] as const) {
    it.effect(`a connection whose stored password ${damage} is read, changed, repaired and deleted`, () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const connections = (yield* OrganizationConnections).of(organizationId)
        const { id } = yield* connections.create(request("damaged", "marked-secret"))
        yield* connections.create(request("whole", "kept"))
        yield* sql`UPDATE connection SET credentials = ${credentials} WHERE id = ${id}`
        const target = ConnectionCredentials.use((all) => all.of(organizationId, id))
        const damaged = yield* Effect.flip(target)
        assert.strictEqual(damaged._tag, "FailedDependency")
        assert.include(damaged.message, id)
        const names = Effect.map(connections.list(), (all) => all.map(({ name }) => name))
        assert.deepStrictEqual(yield* names, ["damaged", "whole"])
        assert.strictEqual((yield* connections.get({ connectionId: id })).name, "damaged")
        assert.strictEqual((yield* connections.update({ connectionId: id }, request("renamed"))).name, "renamed")
        yield* connections.update({ connectionId: id }, request("repaired", "new"))
        assert.deepStrictEqual(yield* passwords, ["new", "kept"])
        assert.strictEqual(Redacted.value((yield* target)?.password ?? Redacted.make("")), "new")
        yield* sql`UPDATE connection SET credentials = ${credentials} WHERE id = ${id}`
        yield* connections.delete({ connectionId: id })
        assert.deepStrictEqual(yield* names, ["whole"])
      }).pipe(Effect.provide(inMemory))
    )
  }

  it.effect("keeps the password sealed and apart from the document: absent stays, null removes", () =>
    Effect.gen(function* () {
      const connections = (yield* OrganizationConnections).of(organizationId)
      const { id } = yield* connections.create(request("first", "marked-secret"))
      assert.deepStrictEqual(yield* passwords, ["marked-secret"])
      yield* connections.update({ connectionId: id }, request("renamed"))
      assert.deepStrictEqual(yield* passwords, ["marked-secret"])
      yield* connections.update({ connectionId: id }, request("renamed", "other"))
      assert.deepStrictEqual(yield* passwords, ["other"])
      yield* connections.update({ connectionId: id }, request("renamed", null))
      assert.deepStrictEqual(yield* passwords, [null])
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`SELECT document FROM connection`, [
        { document: `{"id":"${id}","name":"renamed","host":"${host}"}` }
      ])
    }).pipe(Effect.provide(inMemory))
  )
})
