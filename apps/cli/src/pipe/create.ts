import { OrganizationId, Pipes, ServiceId } from "@headgate/core"
import { pipeCreateCodec } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import * as Setting from "../settings/Setting.ts"
import { organization, service } from "../settings/settings.ts"
import { pipeFile, readPipeRequest } from "./document.ts"
import { printPipe } from "./printPipe.ts"

/** `headgate pipe create --file pipe.json` */
export const create = Command.make(
  "create",
  { file: pipeFile },
  Effect.fnUntraced(function* ({ file }) {
    const pipes = yield* Pipes
    const organizationId = yield* Setting.decode(OrganizationId, yield* Setting.required(organization))
    const serviceId = yield* Setting.decode(ServiceId, yield* Setting.required(service))
    const request = yield* readPipeRequest(file, pipeCreateCodec)
    const pipe = yield* pipes.create({ organizationId, serviceId }, request)
    yield* printPipe(pipe, `Pipe ${pipe.id} was created`)
  })
).pipe(
  Command.withDescription("Create a pipe from a JSON document"),
  Command.withExamples([{ command: "headgate pipe create --file orders.json", description: "From a document" }])
)
