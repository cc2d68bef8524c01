import type { ApiKeyId } from "@headgate/core"
import type { CredentialStore } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import { outageText } from "../internal/outage.ts"

/**
 * Writes down when keys were last used. Nobody is refused because that cannot be done: on a full disk or a file that may
 * only be read, what is asked can still be answered. It is tried once a minute for each key, and said once a minute.
 */
export const makeMarkUsed = (sql: SqlClient.SqlClient): CredentialStore["markUsed"] => {
  // The minute in which a use could last not be written down, and whose.
  let unwritten = { minute: Number.NEGATIVE_INFINITY, keys: new Set<ApiKeyId>() }

  return (keyId, { epochMilliseconds: minute }) => {
    if (minute === unwritten.minute && unwritten.keys.has(keyId)) return Effect.void
    // Of two servers that mark at once, the later minute stays.
    return sql`
      UPDATE api_key SET used_at = ${minute}
      WHERE id = ${keyId} AND (used_at IS NULL OR used_at < ${minute})`.pipe(
      Effect.asVoid,
      Effect.catch((error) => {
        const isFirst = minute !== unwritten.minute
        if (isFirst) unwritten = { minute, keys: new Set() }
        unwritten.keys.add(keyId)
        return isFirst ? Effect.logError(`last uses of keys are not written down: ${outageText(error)}`) : Effect.void
      })
    )
  }
}
