import { ApiKeys } from "@headgate/core"
import type { Operations } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import { calledBy } from "../access/calledBy.ts"
import { handlersOf } from "../http/handlersOf.ts"
import type { Handlers } from "../http/operationRoutes.ts"

/**
 * The operations on API keys over the `ApiKeys` port: a key cannot disable or delete itself.
 * Contract: docs/wire-contract.md#create-an-api-key.
 */
export const keyHandlers = (table: Operations["key"]) =>
  Effect.map(ApiKeys, (keys): Handlers<typeof table> => ({
    ...handlersOf(table, () => keys),
    update: ({ params, payload, principal }) => calledBy(principal)(keys.update(params, payload)),
    delete: ({ params, principal }) => calledBy(principal)(keys.delete(params))
  }))
