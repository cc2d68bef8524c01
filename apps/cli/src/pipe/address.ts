import { OrganizationId, type PipeAddress, type PipeId, ServiceId } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Setting from "../settings/Setting.ts"
import { organization, service } from "../settings/settings.ts"

/** The whole address of a pipe: what `--organization` and `--service` say, and its id. */
export const addressOf = Effect.fnUntraced(function* (pipeId: PipeId) {
  const address: PipeAddress = {
    organizationId: yield* Setting.decode(OrganizationId, yield* Setting.required(organization)),
    serviceId: yield* Setting.decode(ServiceId, yield* Setting.required(service)),
    pipeId
  }
  return address
})
