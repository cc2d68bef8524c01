import { escapeTerminalLine, table } from "@headgate/command-line"
import { OrganizationId, Service, Services, type ServiceStateChange } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "effect/cli/Command"
import * as Output from "../output/Output.ts"
import { detailText, masked } from "../output/detailText.ts"
import { listReceived } from "../output/listReceived.ts"
import * as Setting from "../settings/Setting.ts"
import { organization } from "../settings/settings.ts"
import { serviceAddress } from "./serviceAddress.ts"

const serviceTable = (services: ReadonlyArray<Service>, width: number): string => {
  const rows = services.map(({ id, name, provider, region, state }) => [
    id,
    escapeTerminalLine(state),
    escapeTerminalLine([provider, region].filter((part) => part).join(" ")),
    escapeTerminalLine(name)
  ])
  return rows.length === 0 ? "" : table([["ID", "STATE", "REGION", "NAME"], ...rows], width)
}

const print = (found: Service) =>
  Output.print({
    text: () => detailText(masked(found)),
    json: Effect.orDie(Schema.encodeEffect(Service)(found))
  })

/** `headgate service list` */
export const list = Command.make(
  "list",
  {},
  Effect.fnUntraced(function* () {
    const services = yield* Services
    const organizationId = yield* Setting.decode(OrganizationId, yield* Setting.required(organization))
    const { elements, received } = yield* listReceived(services.list(organizationId))
    yield* Output.print({ text: (width) => serviceTable(elements, width), json: Effect.succeed(received) })
    if (received.length === 0) yield* Output.note("The organization has no services.")
  })
).pipe(
  Command.withDescription("List the services of the organization"),
  Command.withExamples([{ command: "headgate service list" }])
)

/** `headgate service get` */
export const get = Command.make(
  "get",
  {},
  Effect.fnUntraced(function* () {
    const services = yield* Services
    yield* print(yield* services.get(yield* serviceAddress))
  })
).pipe(
  Command.withDescription("Show the service of --service: its state, tier and endpoints"),
  Command.withExamples([{ command: "headgate service get --json | jq -r .state", description: "Print its state" }])
)

const setState = (verb: string, command: ServiceStateChange["command"], description: string) =>
  Command.make(
    verb,
    {},
    Effect.fnUntraced(function* () {
      const services = yield* Services
      yield* print(yield* services.setState(yield* serviceAddress, { command }))
    })
  ).pipe(Command.withDescription(description), Command.withExamples([{ command: `headgate service ${verb}` }]))

/** `headgate service start`, `stop` and `wake`: they return as soon as the service begins to change its state. */
export const start = setState("start", "start", "Start a stopped service; it runs a little later")
export const stop = setState("stop", "stop", "Stop a service; writes under it fail until it runs again")
export const wake = setState("wake", "awake", "Wake an idle service; it runs a little later")
