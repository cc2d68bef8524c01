import { OrganizationConnections, OrganizationSources } from "@headgate/core/adapter"
import type { connectionOperations, sourceOperations } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import type { Handlers } from "../http/operationRoutes.ts"

/** The operations on connections, on those of the token's organization. Contract: section 6 of the life cycle. */
export const connectionHandlers = Effect.map(
  OrganizationConnections,
  ({ of }): Handlers<ReturnType<typeof connectionOperations>> => ({
    create: ({ payload, principal }) => of(principal.organizationId).create(payload),
    list: ({ principal }) => of(principal.organizationId).list(),
    get: ({ params, principal }) => of(principal.organizationId).get(params.connectionId),
    update: ({ params, payload, principal }) => of(principal.organizationId).update(params.connectionId, payload),
    delete: ({ params, principal }) => of(principal.organizationId).delete(params.connectionId)
  })
)

/** The operations on data sources, on those of the token's organization. Contract: section 6 of the life cycle. */
export const sourceHandlers = Effect.map(
  OrganizationSources,
  ({ of }): Handlers<ReturnType<typeof sourceOperations>> => ({
    create: ({ payload, principal }) => of(principal.organizationId).create(payload),
    list: ({ principal }) => of(principal.organizationId).list(),
    get: ({ params, principal }) => of(principal.organizationId).get(params.sourceId),
    update: ({ params, payload, principal }) => of(principal.organizationId).update(params.sourceId, payload),
    delete: ({ params, principal }) => of(principal.organizationId).delete(params.sourceId)
  })
)
