import { HelpSections, roles } from "@headgate/command-line"
import { type ApiKeyCreate, ApiKeys, type CreatedApiKey, makeCredentials } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { organizationId } from "../address/nouns.ts"
import * as Output from "../output/Output.ts"
import type { Profile } from "../settings/Profile.ts"
import * as Setting from "../settings/Setting.ts"
import { dialect, dialectName, organization, service, url } from "../settings/settings.ts"
import { allowFlag, expiresFlag, nameFlag, roleFlag, stateFlag } from "./keyFlags.ts"
import { creationWarnings, warn } from "./keyWarnings.ts"
import { printCreatedKey } from "./printKey.ts"
import { creatingIn, inNewProfile, placeOf, storeFlags } from "./storeCredentials.ts"

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
  ),
  ...storeFlags
}

const connection = Effect.gen(function* () {
  const profile: Profile = {
    url: Option.getOrUndefined(yield* Setting.valueOf(url)),
    organization: Option.getOrUndefined(yield* Setting.valueOf(organization)),
    service: Option.getOrUndefined(yield* Setting.valueOf(service)),
    dialect: Option.getOrUndefined(yield* dialectName(dialect))
  }
  return profile
})

/** `headgate key create` */
export const create = Command.make(
  "create",
  flags,
  Effect.fnUntraced(function* (input) {
    const keys = yield* ApiKeys
    const inOrganization = yield* organizationId
    const place = yield* placeOf(input, {
      isDefault: false,
      place: Effect.flatMap(connection, (one) => inNewProfile(input.name, one))
    })
    const isLocal = input.localSecret || Option.isSome(place)
    const issued = isLocal ? Option.some(yield* makeCredentials) : Option.none()
    const request: ApiKeyCreate = {
      name: input.name,
      roles: Array.from(new Set(input.roles)),
      ...Option.match(input.expireAt, { onNone: () => ({}), onSome: (expireAt) => ({ expireAt }) }),
      ...Option.match(input.state, { onNone: () => ({}), onSome: (state) => ({ state }) }),
      // An empty list would allow no address, an absent one allows any.
      ...(input.ipAccessList.length === 0 ? {} : { ipAccessList: input.ipAccessList }),
      ...Option.match(issued, { onNone: () => ({}), onSome: ({ hashData }) => ({ hashData }) })
    }
    yield* warn(creationWarnings(request))
    const creation = keys.create({ organizationId: inOrganization }, request)
    if (Option.isSome(place) && Option.isSome(issued)) {
      const response = yield* creatingIn(place.value, issued.value, creation)
      return yield* printCreatedKey({ ...response, keyId: issued.value.keyId })
    }
    const response = yield* creation
    const created: CreatedApiKey = Option.match(issued, {
      onNone: () => response,
      onSome: ({ keyId, keySecret }) => ({ ...response, keyId, keySecret })
    })
    yield* printCreatedKey(created)
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
      command: "headgate key create --name ci --role developer --store profile",
      description: "Save its credentials in the profile ci: headgate pipe list --profile ci"
    },
    {
      command: "headgate key create --name vault --role developer --local-secret --json > key.json",
      description: "A key whose secret is never sent"
    }
  ])
)
