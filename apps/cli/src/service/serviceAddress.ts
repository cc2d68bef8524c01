import { OrganizationId, type ServiceAddress, ServiceId } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Setting from "../settings/Setting.ts"
import { organization, service } from "../settings/settings.ts"

/** The service of `--organization` and `--service`. */
export const serviceAddress = Effect.gen(function* () {
  const address: ServiceAddress = {
    organizationId: yield* Setting.decode(OrganizationId, yield* Setting.required(organization)),
    serviceId: yield* Setting.decode(ServiceId, yield* Setting.required(service))
  }
  return address
})
