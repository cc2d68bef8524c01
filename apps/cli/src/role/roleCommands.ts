import { escapeTerminalLine, table } from "@headgate/command-line"
import { OrganizationId, Role, type RoleAddress, RoleCreate, RoleId, Roles, RoleUpdate } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Output from "../output/Output.ts"
import { detailText, masked } from "../output/detailText.ts"
import { listReceived } from "../output/listReceived.ts"
import { documentDecoder, fileFlag, readDocument } from "../settings/document.ts"
import * as Setting from "../settings/Setting.ts"
import { keySecret, organization } from "../settings/settings.ts"
import { confirm, yesFlag } from "../usage/confirm.ts"
import { validate } from "../usage/validate.ts"

const id = Argument.String("role-id").pipe(
  Argument.withDescription("UUID of the role"),
  Argument.mapEffect(validate({ kind: "argument", name: "role-id" }, RoleId))
)

const file = fileFlag("role.json", "name, actors and policies")

/** Makes the reader of `--file` for a kind of request. A field that it does not name is an error, as in the service. */
const roleReader = <A extends object>(schema: Schema.Codec<A, unknown>) => {
  const decode = documentDecoder(schema)
  return Effect.fnUntraced(function* (path: string) {
    return yield* decode(yield* readDocument(path, keySecret), `--file ${path}: this is not a role`)
  })
}
const readCreate = roleReader(RoleCreate)
const readUpdate = roleReader(RoleUpdate)

const organizationId = Effect.gen(function* () {
  return yield* Setting.decode(OrganizationId, yield* Setting.required(organization))
})

const roleAddress = Effect.fnUntraced(function* (roleId: RoleId) {
  const address: RoleAddress = { organizationId: yield* organizationId, roleId }
  return address
})

const print = (role: Role, done?: string) =>
  Output.print({ text: () => detailText(masked(role)), json: Effect.orDie(Schema.encodeEffect(Role)(role)) }, done)

const roleTable = (roles: ReadonlyArray<Role>, width: number): string =>
  roles.length === 0
    ? ""
    : table(
        [
          ["ID", "NAME", "TYPE"],
          ...roles.map(({ id, name, type }) => [id, escapeTerminalLine(name), escapeTerminalLine(type ?? "")])
        ],
        width
      )

/** `headgate role list` */
export const list = Command.make(
  "list",
  {},
  Effect.fnUntraced(function* () {
    const roles = yield* Roles
    const { elements, received } = yield* listReceived(roles.list(yield* organizationId))
    yield* Output.print({ text: (width) => roleTable(elements, width), json: Effect.succeed(received) })
  })
).pipe(
  Command.withDescription("List the roles of the organization, system and custom"),
  Command.withExamples([{ command: "headgate role list" }])
)

/** `headgate role get <role-id>` */
export const get = Command.make(
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
export const create = Command.make(
  "create",
  { file },
  Effect.fnUntraced(function* (input) {
    const roles = yield* Roles
    const request = yield* readCreate(input.file)
    const role = yield* roles.create(yield* organizationId, request)
    yield* print(role, `Role ${role.id} was created`)
  })
).pipe(
  Command.withDescription("Create a custom role from a JSON document"),
  Command.withExamples([{ command: "headgate role create --file auditor.json" }])
)

/** `headgate role update <role-id> --file role.json` */
export const update = Command.make(
  "update",
  { id, file },
  Effect.fnUntraced(function* (input) {
    const roles = yield* Roles
    const request = yield* readUpdate(input.file)
    yield* print(yield* roles.update(yield* roleAddress(input.id), request), `Role ${input.id} was changed`)
  })
).pipe(
  Command.withDescription("Change a custom role by a JSON document with the fields that change"),
  Command.withExamples([{ command: "headgate role update 1f0a2b3c-4d5e-4f60-8a7b-9c0d1e2f3a4b --file changes.json" }])
)

/** `headgate role delete <role-id> [--yes]`. Not named `delete`, which is a reserved word. */
export const remove = Command.make(
  "delete",
  { id, yes: yesFlag },
  Effect.fnUntraced(function* (input) {
    const roles = yield* Roles
    const address = yield* roleAddress(input.id)
    if (!input.yes) yield* confirm(`Delete role ${input.id} permanently?`)
    yield* roles.delete(address)
    yield* Output.done(`Role ${input.id} was deleted`, { id: input.id, deleted: true })
  })
).pipe(
  Command.withDescription("Delete a custom role permanently; no key may have it"),
  Command.withExamples([{ command: "headgate role delete 1f0a2b3c-4d5e-4f60-8a7b-9c0d1e2f3a4b --yes" }])
)
