import { ApiKeys } from "@headgate/core"
import type { keyOperations } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import type { Handlers } from "../http/operationRoutes.ts"

/** The operations on API keys over the `ApiKeys` port. Contract: section 4.2. */
export const keyHandlers = Effect.map(ApiKeys, (keys): Handlers<ReturnType<typeof keyOperations>> => ({
  create: ({ params, payload }) => keys.create(params.organizationId, payload)
}))
