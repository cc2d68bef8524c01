import { HelpSections, roles } from "@headgate/command-line"
import { type ApiKeyCreate, ApiKeys, CreatedApiKey, makeCredentials, OrganizationId } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Output from "../output/Output.ts"
import { detailText, masked } from "../output/detailText.ts"
import * as Setting from "../settings/Setting.ts"
import { organization } from "../settings/settings.ts"
import { allowFlag, expiresFlag, nameFlag, roleFlag, stateFlag } from "./keyFlags.ts"

// The credentials of a new key are the only secret that a command shows: the service does not return them again.
const createdKeyText = ({ key, keyId, keySecret }: CreatedApiKey): string => {
  const { id, name, roles, state, ...more } = key
  return detailText({
    ...masked({ name, id, roles, state, ...more }),
    keyId,
    keySecret: Predicate.isUndefined(keySecret) ? undefined : Redacted.value(keySecret)
  })
}

const flags = {
  name: nameFlag,
  roles: Flag.atLeast(roleFlag, 1),
  expireAt: expiresFlag("never by default"),
  state: stateFlag("Initial state, enabled by default"),
  ipAccessList: allowFlag("any by default"),
  localSecret: Flag.Boolean("local-secret").pipe(
    Flag.withDescription("Generate the credentials on this machine and send only their hashes"),
    Flag.withoutNegation,
    Flag.withDefault(false)
  )
}

/** `headgate key create` */
export const create = Command.make(
  "create",
  flags,
  Effect.fnUntraced(function* (input) {
    const keys = yield* ApiKeys
    const organizationId = yield* Setting.decode(OrganizationId, yield* Setting.required(organization))
    const issued = input.localSecret ? Option.some(yield* makeCredentials) : Option.none()
    const request: ApiKeyCreate = {
      name: input.name,
      roles: Array.from(new Set(input.roles)),
      ...Option.match(input.expireAt, { onNone: () => ({}), onSome: (expireAt) => ({ expireAt }) }),
      ...Option.match(input.state, { onNone: () => ({}), onSome: (state) => ({ state }) }),
      // An empty list would allow no address, an absent one allows any.
      ...(input.ipAccessList.length === 0 ? {} : { ipAccessList: input.ipAccessList }),
      ...Option.match(issued, { onNone: () => ({}), onSome: ({ hashData }) => ({ hashData }) })
    }
    const response = yield* keys.create(organizationId, request)
    const created: CreatedApiKey = Option.match(issued, {
      onNone: () => response,
      onSome: ({ keyId, keySecret }) => ({ ...response, keyId, keySecret })
    })
    yield* Output.print(
      {
        text: () => createdKeyText(created),
        json: Effect.orDie(Schema.encodeEffect(CreatedApiKey)(created))
      },
      `The secret of the new key ${created.key.id} is lost: delete or disable this key`
    )
    yield* Output.note("note: keyId and keySecret are not shown again: keep them now.")
  })
).pipe(
  Command.withDescription("Create an API key and show its credentials, which are not shown again"),
  Command.annotate(HelpSections, [roles]),
  Command.withExamples([
    {
      command: "headgate key create --name ci --role developer --expires 90d",
      description: "A key that expires in 90 days"
    },
    {
      command: "headgate key create --name ops --role admin --allow 203.0.113.0/24=office --allow 2001:db8::7",
      description: "A key for some addresses only"
    },
    {
      command: "headgate key create --name vault --role developer --local-secret --json > key.json",
      description: "A key whose secret is never sent"
    }
  ])
)
