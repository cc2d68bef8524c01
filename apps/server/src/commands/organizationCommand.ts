import { jsonText, table, Width, write } from "@headgate/command-line"
import { Organization, OrganizationId, Organizations, Snapshots } from "@headgate/core"
import { notFound, StoredServices } from "@headgate/core/adapter"
import * as Console from "effect/Console"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { StartupError } from "../StartupError.ts"
import { idArgument, newIdFlag, wantedId } from "../flags.ts"
import { storeFlags } from "../store/chooseStore.ts"
import { jsonFlag } from "./output.ts"
import { requireYes, yesFlag } from "./removalFlag.ts"

const add = Command.make(
  "add",
  {
    ...storeFlags,
    name: Flag.String("name").pipe(Flag.withMetavar("name"), Flag.withDescription("The name of the organization")),
    id: newIdFlag(OrganizationId)
  },
  Effect.fnUntraced(function* ({ id: wanted, name }) {
    const snapshots = yield* Snapshots
    const id = yield* wantedId(wanted, (uuid) => OrganizationId.make(uuid))
    const { added } = yield* snapshots.import({ organizations: [{ id, name }] })
    if (added === 0) return yield* new StartupError({ message: `the organization ${id} exists` })
    yield* write(`  organization  ${id}`)
    yield* Console.error(`It has no key yet: headgate-server key create --admin --organization ${id}`)
  }, Effect.provide(SecureRandom.layerWebCrypto))
).pipe(Command.withDescription("Add an organization, without services and keys"))

const encodeOrganizations = Schema.encodeEffect(Schema.Array(Organization))

const organizationTable = (organizations: ReadonlyArray<Organization>, width: number): string =>
  table(
    [
      ["ID", "CREATED", "NAME"],
      ...organizations.map(({ createdAt, id, name }) => [
        id,
        createdAt ? DateTime.formatIso(createdAt) : "",
        jsonText(name)
      ])
    ],
    width
  )

const list = Command.make(
  "list",
  { ...storeFlags, json: jsonFlag },
  Effect.fnUntraced(function* ({ json }) {
    const all = yield* Organizations.use((organizations) => organizations.list())
    yield* write(
      json ? jsonText(yield* Effect.orDie(encodeOrganizations(all)), 2) : organizationTable(all, yield* Width)
    )
  })
).pipe(Command.withDescription("List the organizations of the store"))

const remove = Command.make(
  "remove",
  {
    ...storeFlags,
    id: idArgument("organization", OrganizationId),
    yes: yesFlag
  },
  Effect.fnUntraced(function* ({ id, yes }) {
    const snapshots = yield* Snapshots
    const found = (yield* snapshots.organizations).find((organization) => organization.id === id)
    if (found === undefined) return yield* notFound("OrganizationNotFound", { organizationId: id })
    const { id: _id, name, services, ...counts } = found
    const held = [["services", services.length], ...Object.entries(counts)].map(([kind, count]) => `${count} ${kind}`)
    yield* requireYes(yes, `${jsonText(name)} with ${held.join(", ")}`)
    yield* StoredServices.use((stored) => stored.removeOrganization(id))
    yield* Console.error(`removed ${id}`)
  })
).pipe(Command.withDescription("Remove an organization with all that it owns"))

/** `headgate-server organization`: works on the store directly, whether a server runs or not. */
export const organizationCommands = { add, list, remove }
