import { Service, Services, type ServiceStateChange } from "@headgate/core"
import { nextServiceState, ServiceState } from "@headgate/core/adapter"
import { HttpOrganizations, HttpServices } from "@headgate/http-adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Command from "effect/cli/Command"
import { listCommand } from "../list/listCommand.ts"
import { waitUntil } from "../wait/waitUntil.ts"
import { waitFlags } from "../wait/waitFlags.ts"
import * as Output from "../output/Output.ts"
import { detailText, masked } from "../output/detailText.ts"
import { nouns, organizationId, serviceAddress } from "../address/nouns.ts"
import { valuesCommand } from "../address/valuesCommand.ts"
import { overManagement } from "../settings/withPorts.ts"

const print = (found: Service) =>
  Output.print({
    text: (layout) => detailText(masked(found), layout),
    json: Output.encoded(Service, found)
  })

/** `headgate service list` */
const list = listCommand({
  description: "List the services of the organization",
  examples: [{ command: "headgate service list" }],
  elements: Effect.gen(function* () {
    const services = yield* Services
    return yield* services.list({ organizationId: yield* organizationId })
  }),
  schema: Effect.succeed(Service),
  columns: {
    STATE: ({ state }) => state,
    REGION: ({ provider, region }) => [provider, region].filter((part) => part).join(" "),
    NAME: ({ name }) => name
  },
  empty: "The organization has no services."
})

/** `headgate service get` */
const get = Command.make(
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

const isServiceState = Schema.is(ServiceState)

// A state that is not known may lead anywhere.
const canReach = (state: string, end: string): boolean =>
  state === end || !isServiceState(state) || nextServiceState(state) === end

const setState = (verb: string, command: ServiceStateChange["command"], end: ServiceState, description: string) =>
  Command.make(
    verb,
    waitFlags,
    Effect.fnUntraced(function* ({ wait, waitTimeout }) {
      const services = yield* Services
      const address = yield* serviceAddress
      const changed = yield* services.setState(address, { command })
      if (!wait) return yield* print(changed)
      const settled = yield* waitUntil({
        label: `Service ${address.serviceId}`,
        read: services.get(address),
        known: changed,
        states: [end],
        canReach: ({ state }) => canReach(state, end),
        timeout: waitTimeout
      })
      yield* print(settled)
    })
  ).pipe(
    Command.withDescription(description),
    Command.withExamples([{ command: `headgate service ${verb}` }, { command: `headgate service ${verb} --wait` }])
  )

/** `headgate service start`, `stop` and `wake`: without `--wait` they return as soon as the change of state begins. */
const start = setState("start", "start", "running", "Start a stopped service; it runs a little later")
const stop = setState("stop", "stop", "stopped", "Stop a service; writes under it fail until it runs again")
const wake = setState("wake", "awake", "running", "Wake an idle service; it runs a little later")

const withPorts = overManagement(Layer.merge(HttpOrganizations.layer, HttpServices.layer))

/** `headgate service` */
export const command = Command.make("service").pipe(
  Command.withSubcommands([withPorts(list), withPorts(get), withPorts(start), withPorts(stop), withPorts(wake)])
)

/** `headgate complete-values service` */
export const values = withPorts(
  valuesCommand(
    "service",
    Effect.flatMap(organizationId, (id) => nouns.service(id).list)
  )
)
