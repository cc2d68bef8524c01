import {
  ApiKeyCreate,
  ApiKeys,
  ApiKeyState,
  CreatedApiKey,
  type IpAccessListEntryCreate,
  issueCredentials,
  OrganizationId,
  Role
} from "@headgate/core"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Output from "../output/Output.ts"
import * as Setting from "../settings/Setting.ts"
import { organization } from "../settings/settings.ts"
import { checked } from "../usage/checked.ts"
import { allowed } from "./allowed.ts"
import { createdKeyText } from "./createdKeyText.ts"
import { expiry } from "./expiry.ts"

const flags = {
  name: Flag.String("name").pipe(
    Flag.withMetavar("name"),
    Flag.withDescription("What the key is called"),
    Flag.mapEffect(checked({ kind: "flag", name: "name" }, ApiKeyCreate.schema.fields.name))
  ),
  roles: Flag.Literals("role", Role.literals).pipe(
    Flag.withMetavar("role"),
    Flag.withDescription("What the key may do; repeat it for more roles"),
    Flag.atLeast(1)
  ),
  expireAt: Flag.String("expires").pipe(
    Flag.withMetavar("when"),
    Flag.withDescription("12h, 90d, a date (00:00 UTC) or an RFC 3339 timestamp; never, if not given"),
    Flag.mapEffect(expiry),
    Flag.optional
  ),
  state: Flag.Literals("state", ApiKeyState.literals).pipe(
    Flag.withMetavar("state"),
    Flag.withDescription("State to begin in, enabled by default"),
    Flag.optional
  ),
  ipAccessList: Flag.String("allow").pipe(
    Flag.withMetavar("cidr[=description]"),
    Flag.withDescription("Address or block that may use the key, if not any; repeat it for more"),
    Flag.mapEffect(allowed),
    Flag.atLeast(1),
    Flag.withDefault<ReadonlyArray<IpAccessListEntryCreate>>([])
  ),
  localSecret: Flag.Boolean("local-secret").pipe(
    Flag.withDescription("Make the credentials here and send only their hashes"),
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
    const issued = input.localSecret ? Option.some(yield* issueCredentials) : Option.none()
    const request: ApiKeyCreate = {
      name: input.name,
      roles: Array.from(new Set(input.roles)),
      ...Option.match(input.expireAt, { onNone: () => ({}), onSome: (expireAt) => ({ expireAt }) }),
      ...Option.match(input.state, { onNone: () => ({}), onSome: (state) => ({ state }) }),
      // An empty list would let nobody in: without --allow there is none.
      ...(input.ipAccessList.length === 0 ? {} : { ipAccessList: input.ipAccessList }),
      ...Option.match(issued, { onNone: () => ({}), onSome: ({ hashData }) => ({ hashData }) })
    }
    const answer = yield* keys.create(organizationId, request)
    const created: CreatedApiKey = Option.match(issued, {
      onNone: () => answer,
      onSome: ({ keyId, keySecret }) => ({ ...answer, keyId, keySecret })
    })
    yield* Output.print({
      text: () => createdKeyText(created),
      json: Effect.orDie(Schema.encodeEffect(CreatedApiKey)(created))
    })
    yield* Output.note("note: keyId and keySecret are not shown again: keep them now.")
  })
).pipe(
  Command.withDescription("Create an API key, whose credentials are shown this once"),
  Command.withExamples([
    { command: "headgate key create --name ci --role developer --expires 90d", description: "For a pipeline" },
    {
      command: "headgate key create --name ops --role admin --allow 203.0.113.0/24=office --allow 2001:db8::7",
      description: "For these addresses only"
    },
    {
      command: "headgate key create --name vault --role developer --local-secret --json > key.json",
      description: "With a secret that never travels"
    }
  ])
)
