import { escapeTerminalLine, HelpSections, jsonText, roles, table, Width, write } from "@headgate/command-line"
import { ApiKey, ApiKeyId, ApiKeys, type ApiKeyState, SystemRole } from "@headgate/core"
import * as Console from "effect/Console"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { UsageError } from "../StartupError.ts"
import { idArgument } from "../flags.ts"
import { storeFlags } from "../store/chooseStore.ts"
import { keyLines } from "./announcement.ts"
import { chooseOrganization, organizationFlag } from "./organizationFlag.ts"
import { jsonFlag } from "./output.ts"

const flags = { ...storeFlags, organization: organizationFlag }
const keyId = idArgument("key", ApiKeyId)

const create = Command.make(
  "create",
  {
    ...flags,
    name: Flag.String("name").pipe(
      Flag.withMetavar("name"),
      Flag.withDescription("The name of the key"),
      Flag.withDefault("key made on the server")
    ),
    roles: Flag.Literals("role", SystemRole.literals).pipe(
      Flag.withMetavar("role"),
      Flag.withDescription("A role of the key; repeat the flag for more roles"),
      Flag.atLeast(1),
      Flag.withDefault<ReadonlyArray<SystemRole>>([])
    ),
    admin: Flag.Boolean("admin").pipe(
      Flag.withDescription("Short for --role admin, for example when no admin key works any more"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function* ({ admin, name, organization, roles: wanted }) {
    const roles = Array.from(new Set<SystemRole>(admin ? ["admin", ...wanted] : wanted))
    if (roles.length === 0) return yield* new UsageError({ message: "a key needs a role: pass --admin or --role" })
    const keys = yield* ApiKeys
    const created = yield* keys.create({ organizationId: yield* chooseOrganization(organization) }, { name, roles })
    yield* write(
      [`  key           ${created.key.id}`, ...keyLines(created)].join("\n"),
      `The secret of the new key ${created.key.id} is lost: run \`headgate-server key delete ${created.key.id}\``
    )
    yield* Console.error("The secret is shown this once and stored only as a hash: keep it now.")
  })
).pipe(
  Command.withDescription("Create an API key in the store, without credentials"),
  Command.annotate(HelpSections, [roles])
)

const timeOr = (time: DateTime.Utc | null | undefined, absent: string): string =>
  Predicate.isNullish(time) ? absent : DateTime.formatIso(time).replace(/\.\d+Z$/, "Z")

const encodeKeys = Schema.encodeEffect(Schema.Array(ApiKey))

const keyTable = (keys: ReadonlyArray<ApiKey>, width: number): string =>
  table(
    [
      ["ID", "KEY ID", "STATE", "ROLES", "LAST USED", "EXPIRES", "NAME"],
      ...keys.map(({ assignedRoles, expireAt, id, keySuffix, name, state, usedAt }) => [
        id,
        `...${keySuffix}`,
        state ?? "enabled",
        (assignedRoles ?? []).map(({ roleName }) => escapeTerminalLine(roleName ?? "")).join(",") || "none",
        timeOr(usedAt, "never"),
        timeOr(expireAt, "never"),
        jsonText(name)
      ])
    ],
    width
  )

const list = Command.make(
  "list",
  { ...flags, json: jsonFlag },
  Effect.fnUntraced(function* ({ json, organization }) {
    const apiKeys = yield* ApiKeys
    const keys = yield* apiKeys.list({ organizationId: yield* chooseOrganization(organization) })
    yield* write(json ? jsonText(yield* Effect.orDie(encodeKeys(keys)), 2) : keyTable(keys, yield* Width))
  })
).pipe(Command.withDescription("List the API keys of an organization, newest last"))

const setState = (verb: "enable" | "disable", state: ApiKeyState) =>
  Command.make(
    verb,
    { ...flags, id: keyId },
    Effect.fnUntraced(function* ({ id, organization }) {
      const keys = yield* ApiKeys
      yield* keys.update({ organizationId: yield* chooseOrganization(organization), keyId: id }, { state })
      yield* Console.error(`${id} is ${state}`)
    })
  ).pipe(Command.withDescription(`Set the state of a key to ${state}; every server on the store applies it at once`))

const remove = Command.make(
  "delete",
  { ...flags, id: keyId },
  Effect.fnUntraced(function* ({ id, organization }) {
    const keys = yield* ApiKeys
    yield* keys.delete({ organizationId: yield* chooseOrganization(organization), keyId: id })
    yield* Console.error(`deleted ${id}`)
  })
).pipe(Command.withDescription("Delete a key; every server on the store rejects it at once"))

/** `headgate-server key`: works on the store directly, whether a server runs or not. */
export const keyCommands = {
  create,
  list,
  enable: setState("enable", "enabled"),
  disable: setState("disable", "disabled"),
  remove
}
