import type { Sealing } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import { openSealed } from "./openSealed.ts"

/** What the sealed source of a cleanup is called. */
export const cleanupSecretName = (pipeId: string): string => `cleanup ${pipeId}`

/** Seals the sources of all cleanups with another key. */
export const resealCleanups = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  from: Sealing["Service"],
  to: Sealing["Service"]
) {
  const rows = yield* sql<{ readonly id: string; readonly source: string }>`
    SELECT pipe_id AS id, source FROM mover_cleanup`
  for (const { id, source } of rows) {
    const name = cleanupSecretName(id)
    const sealed = yield* to.seal(yield* openSealed(from, source, name), name)
    yield* sql`UPDATE mover_cleanup SET source = ${sealed} WHERE pipe_id = ${id}`
  }
})
