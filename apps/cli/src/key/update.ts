import { ApiKeys, type ApiKeyUpdate, type SystemRole } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Record from "effect/Record"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { UsageError } from "../error/CommandError.ts"
import { keyAddress, keyIdArgument } from "./keyAddress.ts"
import { allowFlag, expiresFlag, nameFlag, roleFlag, stateFlag } from "./keyFlags.ts"
import { changeWarnings, warn } from "./keyWarnings.ts"
import { printKey } from "./printKey.ts"

const flags = {
  name: Flag.optional(nameFlag),
  state: stateFlag("New state; a key cannot disable itself"),
  expireAt: expiresFlag("unchanged by default"),
  neverExpires: Flag.Boolean("never-expires").pipe(
    Flag.withDescription("Let the key never expire"),
    Flag.withoutNegation,
    Flag.withDefault(false)
  ),
  roles: roleFlag.pipe(Flag.atLeast(1), Flag.withDefault<ReadonlyArray<SystemRole>>([])),
  noRoles: Flag.Boolean("no-roles").pipe(
    Flag.withDescription("Take all roles from the key"),
    Flag.withoutNegation,
    Flag.withDefault(false)
  ),
  ipAccessList: allowFlag("unchanged by default")
}

/** `headgate key update <id>`: sends the fields whose flags are given, and no others. */
export const update = Command.make(
  "update",
  { id: keyIdArgument, ...flags },
  Effect.fnUntraced(function* (input) {
    const keys = yield* ApiKeys
    if (input.neverExpires && Option.isSome(input.expireAt)) {
      return yield* new UsageError({ message: "Give either --expires <when> or --never-expires." })
    }
    if (input.noRoles && input.roles.length > 0) {
      return yield* new UsageError({ message: "Give either --role <role> or --no-roles." })
    }
    const changes: ApiKeyUpdate = {
      ...Option.match(input.name, { onNone: () => ({}), onSome: (name) => ({ name }) }),
      ...Option.match(input.state, { onNone: () => ({}), onSome: (state) => ({ state }) }),
      ...Option.match(input.expireAt, { onNone: () => ({}), onSome: (expireAt) => ({ expireAt }) }),
      ...(input.neverExpires ? { expireAt: null } : {}),
      ...(input.noRoles || input.roles.length > 0 ? { roles: Array.from(new Set(input.roles)) } : {}),
      ...(input.ipAccessList.length === 0 ? {} : { ipAccessList: input.ipAccessList })
    }
    if (Record.isEmptyReadonlyRecord(changes)) {
      return yield* new UsageError({
        message:
          "There is nothing to change: give --name, --state, --expires, --never-expires, --role, --no-roles or --allow."
      })
    }
    yield* warn(changeWarnings(changes))
    const address = yield* keyAddress(input.id)
    yield* printKey(yield* keys.update(address, changes), `The key ${address.keyId} was changed`)
  })
).pipe(
  Command.withDescription("Change an API key: what no flag names stays, --role and --allow replace their whole list"),
  Command.withExamples([
    {
      command: "headgate key update 51b4936f-cc64-4b62-8949-22ade4e10488 --state disabled",
      description: "Disable a key"
    },
    {
      command: "headgate key update 51b4936f-cc64-4b62-8949-22ade4e10488 --role developer --expires 30d",
      description: "Change its roles and its expiry"
    }
  ])
)
