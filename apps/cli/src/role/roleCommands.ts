import { Role, type RoleAddress, RoleCreate, Roles, RoleUpdate } from "@headgate/core"
import { HttpOrganizations, HttpRoles } from "@headgate/http-adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Command from "effect/cli/Command"
import { nouns, organizationId } from "../address/nouns.ts"
import { nameArgument, resolveName } from "../address/resolveName.ts"
import { listCommand } from "../list/listCommand.ts"
import * as Output from "../output/Output.ts"
import { detailText, masked } from "../output/detailText.ts"
import { documentDecoder, fileFlag, readDocument } from "../settings/document.ts"
import { keySecret } from "../settings/settings.ts"
import { confirm, yesFlag } from "../usage/confirm.ts"
import { valuesCommand } from "../address/valuesCommand.ts"
import { overManagement } from "../settings/withPorts.ts"

const id = nameArgument("role-id", "Id or name of the role")

const file = fileFlag("role.json", "name, actors and policies")

/** Makes the reader of `--file` for a kind of request. A field that it does not name is an error, as in the service. */
const roleReader = <A extends object>(schema: Schema.Codec<A, unknown>) => {
  const decode = documentDecoder(schema, "a role")
  return Effect.fnUntraced(function* (path: string) {
    return yield* decode(yield* readDocument(path, keySecret), `--file ${path}`)
  })
}
const readCreate = roleReader(RoleCreate)
const readUpdate = roleReader(RoleUpdate)

const roleAddress = Effect.fnUntraced(function* (idOrName: string) {
  const inOrganization = yield* organizationId
  const address: RoleAddress = {
    organizationId: inOrganization,
    roleId: yield* resolveName(nouns.role(inOrganization), idOrName, "<role-id>")
  }
  return address
})

const print = (role: Role, done?: string) =>
  Output.print({ text: (layout) => detailText(masked(role), layout), json: Output.encoded(Role, role) }, done)

/** `headgate role list` */
const list = listCommand({
  description: "List the roles of the organization, system and custom",
  examples: [{ command: "headgate role list" }],
  elements: Effect.gen(function* () {
    const roles = yield* Roles
    return yield* roles.list({ organizationId: yield* organizationId })
  }),
  schema: Effect.succeed(Role),
  columns: { NAME: ({ name }) => name, TYPE: ({ type }) => type ?? "" },
  empty: "The organization has no roles."
})

/** `headgate role get <role-id>` */
const get = Command.make(
  "get",
  { id },
  Effect.fnUntraced(function* (input) {
    const roles = yield* Roles
    yield* print(yield* roles.get(yield* roleAddress(input.id)))
  })
).pipe(
  Command.withDescription("Show a role: its actors and policies"),
  Command.withExamples([{ command: "headgate role get 701e0000-0000-4000-8000-000000000001" }])
)

/** `headgate role create --file role.json` */
const create = Command.make(
  "create",
  { file },
  Effect.fnUntraced(function* (input) {
    const roles = yield* Roles
    const request = yield* readCreate(input.file)
    const role = yield* roles.create({ organizationId: yield* organizationId }, request)
    yield* print(role, `Role ${role.id} was created`)
  })
).pipe(
  Command.withDescription("Create a custom role from a document"),
  Command.withExamples([{ command: "headgate role create --file auditor.json" }])
)

/** `headgate role update <role-id> --file role.json` */
const update = Command.make(
  "update",
  { id, file },
  Effect.fnUntraced(function* (input) {
    const roles = yield* Roles
    const request = yield* readUpdate(input.file)
    const address = yield* roleAddress(input.id)
    yield* print(yield* roles.update(address, request), `Role ${address.roleId} was changed`)
  })
).pipe(
  Command.withDescription("Change a custom role by a document with the fields that change"),
  Command.withExamples([{ command: "headgate role update 1f0a2b3c-4d5e-4f60-8a7b-9c0d1e2f3a4b --file changes.json" }])
)

/** `headgate role delete <role-id> [--yes]`. Not named `delete`, which is a reserved word. */
const remove = Command.make(
  "delete",
  { id, yes: yesFlag },
  Effect.fnUntraced(function* (input) {
    const roles = yield* Roles
    const address = yield* roleAddress(input.id)
    if (!input.yes) yield* confirm(`Delete role ${input.id} permanently?`)
    yield* roles.delete(address)
    yield* Output.done(`Role ${address.roleId} was deleted`, { id: address.roleId, deleted: true })
  })
).pipe(
  Command.withDescription("Delete a custom role permanently; no key may have it"),
  Command.withExamples([{ command: "headgate role delete 1f0a2b3c-4d5e-4f60-8a7b-9c0d1e2f3a4b --yes" }])
)

const withPorts = overManagement(Layer.merge(HttpOrganizations.layer, HttpRoles.layer))

/** `headgate role` */
export const command = Command.make("role").pipe(
  Command.withSubcommands([withPorts(list), withPorts(get), withPorts(create), withPorts(update), withPorts(remove)])
)

/** `headgate complete-values role` */
export const values = withPorts(
  valuesCommand(
    "role",
    Effect.flatMap(organizationId, (id) => nouns.role(id).list)
  )
)
