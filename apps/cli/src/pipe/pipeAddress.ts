import { OrganizationId, type PipeAddress, PipeId, ServiceId } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Argument from "effect/cli/Argument"
import * as Setting from "../settings/Setting.ts"
import { organization, service } from "../settings/settings.ts"
import { validate } from "../usage/validate.ts"

/** The `<pipe-id>` argument of every command on one pipe. */
export const pipeIdArgument = Argument.String("pipe-id").pipe(
  Argument.withDescription("UUID of the pipe"),
  Argument.mapEffect(validate({ kind: "argument", name: "pipe-id" }, PipeId))
)

/** The address of a pipe in the service of `--organization` and `--service`. */
export const pipeAddress = Effect.fnUntraced(function* (pipeId: PipeId) {
  const address: PipeAddress = {
    organizationId: yield* Setting.decode(OrganizationId, yield* Setting.required(organization)),
    serviceId: yield* Setting.decode(ServiceId, yield* Setting.required(service)),
    pipeId
  }
  return address
})
