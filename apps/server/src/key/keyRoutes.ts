import { ApiKeys } from "@headgate/core"
import { CallingKey, type Principal } from "@headgate/core/adapter"
import type { Operations } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import { handlersOf } from "../http/handlersOf.ts"
import type { Handlers } from "../http/operationRoutes.ts"

/** Tells a store which key makes the call: a key cannot disable or delete itself. */
const calledBy = (principal: Principal) =>
  Effect.provideService(CallingKey, principal._tag === "KeyPrincipal" ? principal.keyId : undefined)

/** The operations on API keys over the `ApiKeys` port. Contract: docs/wire-contract.md#create-an-api-key. */
export const keyHandlers = (table: Operations["key"]) =>
  Effect.map(ApiKeys, (keys): Handlers<typeof table> => ({
    ...handlersOf(table, () => keys),
    update: ({ params, payload, principal }) => calledBy(principal)(keys.update(params, payload)),
    delete: ({ params, principal }) => calledBy(principal)(keys.delete(params))
  }))
