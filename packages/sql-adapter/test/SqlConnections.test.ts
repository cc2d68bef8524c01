import { assert, describe, it } from "@effect/vitest"
import { type ConnectionCreate, OrganizationId } from "@headgate/core"
import { OrganizationConnections } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { SqlAdapter } from "../src/index.ts"

const organizationId = OrganizationId.make("0a0b0c0d-0000-4000-8000-000000000001")
const host = "https://db.example.com:8443"
const request = (name: string, password?: string | null): ConnectionCreate => ({
  name,
  host,
  ...(password === undefined ? {} : { password: password === null ? null : Redacted.make(password) })
})

const credentials = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly credentials: string | null }>`SELECT credentials FROM connection ORDER BY seq`
  return rows.map((row) => row.credentials)
})

describe("SqlConnections", () => {
  it.effect("keeps the password apart from the document: absent stays, null removes", () =>
    Effect.gen(function* () {
      const connections = (yield* OrganizationConnections).of(organizationId)
      const { id } = yield* connections.create(request("first", "marked-secret"))
      assert.deepStrictEqual(yield* credentials, ['{"password":"marked-secret"}'])
      yield* connections.update(id, request("renamed"))
      assert.deepStrictEqual(yield* credentials, ['{"password":"marked-secret"}'])
      yield* connections.update(id, request("renamed", "other"))
      assert.deepStrictEqual(yield* credentials, ['{"password":"other"}'])
      yield* connections.update(id, request("renamed", null))
      assert.deepStrictEqual(yield* credentials, [null])
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`SELECT document FROM connection`, [
        { document: `{"id":"${id}","name":"renamed","host":"${host}"}` }
      ])
    }).pipe(Effect.provide(SqlAdapter.layerSqlite({ filename: ":memory:" })))
  )
})
