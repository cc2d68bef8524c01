import { Roles } from "@headgate/core"
import type { roleOperations } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import type { Handlers } from "../http/operationRoutes.ts"

/** The operations on roles over the `Roles` port. */
export const roleHandlers = Effect.map(Roles, (roles): Handlers<ReturnType<typeof roleOperations>> => ({
  list: ({ params }) => roles.list({ organizationId: params.organizationId }),
  get: ({ params }) => roles.get(params),
  create: ({ params, payload }) => roles.create({ organizationId: params.organizationId }, payload),
  update: ({ params, payload }) => roles.update(params, payload),
  delete: ({ params }) => roles.delete(params)
}))
