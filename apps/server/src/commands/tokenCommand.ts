import { jsonText, table, Width, write } from "@headgate/command-line"
import { Token, TokenGrant, TokenId, Tokens } from "@headgate/core/adapter"
import * as Console from "effect/Console"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { expectedUuid } from "../flags.ts"
import { storeFlags } from "../store/chooseStore.ts"
import { tokenLines } from "./announcement.ts"
import { chooseOrganization, organizationFlag } from "./organizationFlag.ts"
import { jsonFlag } from "./output.ts"

const flags = { ...storeFlags, organization: organizationFlag }

const create = Command.make(
  "create",
  {
    ...flags,
    name: Flag.String("name").pipe(Flag.withMetavar("name"), Flag.withDescription("The name of the token"))
  },
  Effect.fnUntraced(function* ({ name, organization }) {
    const tokens = yield* Tokens
    const created = yield* tokens.create(yield* chooseOrganization(organization), name)
    const { id } = created.token
    yield* write(
      [`  token         ${id}`, ...tokenLines(created)].join("\n"),
      `The secret of the new token ${id} is lost: run \`headgate-server token revoke ${id}\``
    )
    yield* Console.error("The token is shown this once and stored only as a hash: keep it now.")
  })
).pipe(Command.withDescription("Create a bearer token for the observability API"))

const encodeTokens = Schema.encodeEffect(Schema.Array(Token))

const tokenTable = (tokens: ReadonlyArray<Token>, width: number): string =>
  table(
    [
      ["ID", "CREATED", "NAME"],
      ...tokens.map(({ createdAt, id, name }) => [id, DateTime.formatIso(createdAt), jsonText(name)])
    ],
    width
  )

const list = Command.make(
  "list",
  { ...flags, json: jsonFlag },
  Effect.fnUntraced(function* ({ json, organization }) {
    const stored = yield* Tokens
    const tokens = yield* stored.list(yield* chooseOrganization(organization))
    yield* write(json ? jsonText(yield* Effect.orDie(encodeTokens(tokens)), 2) : tokenTable(tokens, yield* Width))
  })
).pipe(Command.withDescription("List the bearer tokens of an organization, newest last"))

const idOfToken = Argument.String("token-id").pipe(
  Argument.filterMap(Schema.decodeUnknownOption(TokenId), expectedUuid)
)

const grant = Command.make(
  "grant",
  { ...flags, id: idOfToken },
  Effect.fnUntraced(function* ({ id, organization }) {
    const tokens = yield* Tokens
    const organizationId = yield* chooseOrganization(organization)
    for (const permission of TokenGrant.literals) yield* tokens.grant(organizationId, id, permission)
    yield* Console.error(`granted ${TokenGrant.literals.join(", ")} to ${id}`)
  })
).pipe(
  Command.withDescription(
    "Grant a bearer token of an earlier version what new ones may do: query charts, which read the rows of tables"
  )
)

const revoke = Command.make(
  "revoke",
  { ...flags, id: idOfToken },
  Effect.fnUntraced(function* ({ id, organization }) {
    const tokens = yield* Tokens
    yield* tokens.revoke(yield* chooseOrganization(organization), id)
    yield* Console.error(`revoked ${id}`)
  })
).pipe(Command.withDescription("Revoke a bearer token; every server on the store rejects it at once"))

/** `headgate-server token`: works on the store directly, whether a server runs or not. */
export const tokenCommands = { create, list, grant, revoke }
