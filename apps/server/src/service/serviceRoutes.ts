import { Services } from "@headgate/core"
import type { serviceOperations } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import type { Handlers } from "../http/operationRoutes.ts"

/** The operations on services over the `Services` port. */
export const serviceHandlers = Effect.map(Services, (services): Handlers<ReturnType<typeof serviceOperations>> => ({
  list: ({ params }) => services.list(params.organizationId),
  get: ({ params }) => services.get(params),
  setState: ({ params, payload }) => services.setState(params, payload)
}))
