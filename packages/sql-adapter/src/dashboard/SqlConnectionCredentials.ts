import { ConnectionCredentials, damagedPassword, Sealing, secretNames } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { orServerError } from "../internal/outage.ts"
import { isStorable } from "../internal/storableText.ts"
import { connectionTable } from "./SqlConnections.ts"

const layer: Layer.Layer<ConnectionCredentials, never, SqlClient.SqlClient | Sealing> = Layer.effect(
  ConnectionCredentials,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { open } = yield* Sealing
    return ConnectionCredentials.of({
      of: Effect.fn("SqlConnectionCredentials.of")(function* (organizationId, connectionId) {
        if (!isStorable(connectionId)) return undefined
        const rows = yield* orServerError(
          sql`SELECT * FROM connection WHERE organization_id = ${organizationId} AND id = ${connectionId}`
        )
        const [stored] = yield* Effect.mapError(connectionTable.decode(rows), () => damagedPassword(connectionId))
        if (stored === undefined) return undefined
        const { host, username } = stored.connection
        const target = { host: host ?? undefined, username: username ?? undefined }
        if (stored.password === undefined) return { ...target, password: undefined }
        const opened = yield* open(Redacted.value(stored.password), secretNames.connection(connectionId))
        if (Option.isNone(opened)) return yield* damagedPassword(connectionId)
        return { ...target, password: Redacted.make(opened.value, { label: "password" }) }
      })
    })
  })
)

/** The `ConnectionCredentials` port over SQL. */
export const SqlConnectionCredentials = { layer }
