import { CdcScaling, ReversePrivateEndpoints, Services } from "@headgate/core"
import type { cdcScalingOperations, endpointOperations, serviceOperations } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import type { Handlers } from "../http/operationRoutes.ts"

/** The operations on services over the `Services` port. */
export const serviceHandlers = Effect.map(Services, (services): Handlers<ReturnType<typeof serviceOperations>> => ({
  list: ({ params }) => services.list({ organizationId: params.organizationId }),
  get: ({ params }) => services.get(params),
  setState: ({ params, payload }) => services.setState(params, payload)
}))

/** The operations on the size of database pipes over the `CdcScaling` port. */
export const cdcScalingHandlers = Effect.map(
  CdcScaling,
  (scaling): Handlers<ReturnType<typeof cdcScalingOperations>> => ({
    get: ({ params }) => scaling.get(params),
    update: ({ params, payload }) => scaling.update(params, payload)
  })
)

/** The operations on reverse private endpoints over the `ReversePrivateEndpoints` port. */
export const endpointHandlers = Effect.map(
  ReversePrivateEndpoints,
  (endpoints): Handlers<ReturnType<typeof endpointOperations>> => ({
    list: ({ params }) => endpoints.list(params),
    get: ({ params }) => endpoints.get(params),
    create: ({ params, payload }) => endpoints.create(params, payload),
    update: ({ params, payload }) => endpoints.update(params, payload),
    delete: ({ params }) => endpoints.delete(params)
  })
)
