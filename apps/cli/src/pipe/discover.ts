import { OrganizationId, Pipes, SchemaDiscovery, ServiceId } from "@headgate/core"
import { detailText } from "../output/detailText.ts"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import * as Output from "../output/Output.ts"
import * as Setting from "../settings/Setting.ts"
import { organization, service } from "../settings/settings.ts"
import { pipeFile, readPipeRequest } from "./document.ts"

/** `headgate pipe discover --file source.json` */
export const discover = Command.make(
  "discover",
  { file: pipeFile },
  Effect.fnUntraced(function* ({ file }) {
    const pipes = yield* Pipes
    const organizationId = yield* Setting.decode(OrganizationId, yield* Setting.required(organization))
    const serviceId = yield* Setting.decode(ServiceId, yield* Setting.required(service))
    const request = yield* readPipeRequest(file, () => SchemaDiscovery)
    const found = yield* pipes.discoverSchema({ organizationId, serviceId }, request)
    yield* Output.print({ text: () => detailText(found), json: Effect.succeed(found) })
  })
).pipe(
  Command.withDescription("Show the fields of a source; a server without a warehouse simulates them"),
  Command.withExamples([{ command: "headgate pipe discover --file source.json" }])
)
