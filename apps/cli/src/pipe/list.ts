import { escapeTerminalLine, table } from "@headgate/command-line"
import { OrganizationId, type Pipe, Pipes, PipeSource, ServiceId } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import * as Output from "../output/Output.ts"
import { listReceived } from "../output/listReceived.ts"
import * as Setting from "../settings/Setting.ts"
import { organization, service } from "../settings/settings.ts"

// Empty without pipes.
const pipeTable = (pipes: ReadonlyArray<Pipe>, width: number): string => {
  const rows = pipes.map(({ id, name, source, state }) => [
    id,
    escapeTerminalLine(state),
    PipeSource.kind(source),
    escapeTerminalLine(name)
  ])
  return rows.length === 0 ? "" : table([["ID", "STATE", "SOURCE", "NAME"], ...rows], width)
}

/** `headgate pipe list` */
export const list = Command.make(
  "list",
  {},
  Effect.fnUntraced(function* () {
    const pipes = yield* Pipes
    const organizationId = yield* Setting.decode(OrganizationId, yield* Setting.required(organization))
    const serviceId = yield* Setting.decode(ServiceId, yield* Setting.required(service))
    const { elements, received } = yield* listReceived(pipes.list({ organizationId, serviceId }))
    yield* Output.print({ text: (width) => pipeTable(elements, width), json: Effect.succeed(received) })
    if (received.length === 0) yield* Output.note("The service has no pipes.")
  })
).pipe(
  Command.withDescription("List the pipes of the service"),
  Command.withExamples([
    { command: "headgate pipe list" },
    { command: "headgate pipe list --json | jq -r '.[].id'", description: "Print the ids, for a script" }
  ])
)
