import { jsonText, table, Width, write } from "@headgate/command-line"
import { Pipes, ReversePrivateEndpoints, Service, ServiceId, Services, Snapshots } from "@headgate/core"
import { StoredServices } from "@headgate/core/adapter"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { StartupError } from "../StartupError.ts"
import { idArgument, newIdFlag, wantedId } from "../flags.ts"
import { storeFlags } from "../store/chooseStore.ts"
import { chooseOrganization, organizationFlag } from "./organizationFlag.ts"
import { jsonFlag } from "./output.ts"
import { requireYes, yesFlag } from "./removalFlag.ts"

const flags = { ...storeFlags, organization: organizationFlag }

const text = (name: string, description: string, absent: string) =>
  Flag.String(name).pipe(Flag.withMetavar(name), Flag.withDescription(description), Flag.withDefault(absent))

const add = Command.make(
  "add",
  {
    ...flags,
    name: Flag.String("name").pipe(Flag.withMetavar("name"), Flag.withDescription("The name of the service")),
    id: newIdFlag(ServiceId),
    provider: text("provider", "The cloud provider that the service tells", "local"),
    region: text("region", "The region that the service tells", "local"),
    tier: text("tier", "The tier that the service tells", "development")
  },
  Effect.fnUntraced(function* ({ id: wanted, name, organization, provider, region, tier }) {
    const snapshots = yield* Snapshots
    const organizationId = yield* chooseOrganization(organization)
    const id = yield* wantedId(wanted, (uuid) => ServiceId.make(uuid))
    const services = [{ id, name, provider, region, tier }]
    // The name is not used: the organization exists.
    const { added } = yield* snapshots.import({ organizations: [{ id: organizationId, name: "", services }] })
    if (added === 0) return yield* new StartupError({ message: `the service ${id} exists` })
    yield* write(`  service       ${id}`)
  }, Effect.provide(SecureRandom.layerWebCrypto))
).pipe(Command.withDescription("Add a service to an organization; it runs"))

const encodeServices = Schema.encodeEffect(Schema.Array(Service))

const serviceTable = (services: ReadonlyArray<Service>, width: number): string =>
  table([["ID", "STATE", "NAME"], ...services.map(({ id, name, state }) => [id, state, jsonText(name)])], width)

const list = Command.make(
  "list",
  { ...flags, json: jsonFlag },
  Effect.fnUntraced(function* ({ json, organization }) {
    const services = yield* Services
    const all = yield* services.list({ organizationId: yield* chooseOrganization(organization) })
    yield* write(json ? jsonText(yield* Effect.orDie(encodeServices(all)), 2) : serviceTable(all, yield* Width))
  })
).pipe(Command.withDescription("List the services of an organization, newest last"))

const remove = Command.make(
  "remove",
  {
    ...flags,
    id: idArgument("service", ServiceId),
    yes: yesFlag
  },
  Effect.fnUntraced(function* ({ id: serviceId, organization, yes }) {
    const address = { organizationId: yield* chooseOrganization(organization), serviceId }
    const pipes = yield* Pipes.use((port) => port.list(address))
    const endpoints = yield* ReversePrivateEndpoints.use((port) => port.list(address))
    yield* requireYes(yes, `the service with ${pipes.length} pipes and ${endpoints.length} private endpoints`)
    yield* StoredServices.use((stored) => stored.remove(address))
    yield* Console.error(`removed ${serviceId}`)
  })
).pipe(Command.withDescription("Remove a service with all that is under it"))

/** `headgate-server service`: works on the store directly, whether a server runs or not. */
export const serviceCommands = { add, list, remove }
