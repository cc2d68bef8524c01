import { Token, TokenId, Tokens } from "@headgate/core/adapter"
import * as Console from "effect/Console"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { storeFlags } from "../store/openStore.ts"
import { tokenLines } from "./announcement.ts"
import { aUuid, chooseOrganization, organizationFlag } from "./organizationFlag.ts"
import { harmlessJson, jsonFlag, jsonText, table } from "./output.ts"

const flags = { ...storeFlags, organization: organizationFlag }

const create = Command.make(
  "create",
  {
    ...flags,
    name: Flag.String("name").pipe(Flag.withMetavar("name"), Flag.withDescription("What the token is called"))
  },
  Effect.fnUntraced(function* ({ name, organization }) {
    const tokens = yield* Tokens
    const created = yield* tokens.create(yield* chooseOrganization(organization), name)
    yield* Console.log(`  token         ${created.token.id}`)
    yield* Console.log(tokenLines(created).join("\n"))
    yield* Console.error("The token is shown this once and stored only as a hash: keep it now.")
  })
).pipe(Command.withDescription("Mint a bearer token for the observability API"))

const encodeTokens = Schema.encodeEffect(Schema.Array(Token))

const tokenTable = (tokens: ReadonlyArray<Token>): string =>
  table(
    ["ID", "CREATED", "NAME"],
    tokens.map(({ createdAt, id, name }) => [id, DateTime.formatIso(createdAt), harmlessJson(name)])
  )

const list = Command.make(
  "list",
  { ...flags, json: jsonFlag },
  Effect.fnUntraced(function* ({ json, organization }) {
    const stored = yield* Tokens
    const tokens = yield* stored.list(yield* chooseOrganization(organization))
    yield* Console.log(json ? jsonText(yield* Effect.orDie(encodeTokens(tokens))) : tokenTable(tokens))
  })
).pipe(Command.withDescription("List the bearer tokens of an organization, newest last"))

const revoke = Command.make(
  "revoke",
  { ...flags, id: Argument.String("token-id").pipe(Argument.filterMap(Schema.decodeUnknownOption(TokenId), aUuid)) },
  Effect.fnUntraced(function* ({ id, organization }) {
    const tokens = yield* Tokens
    yield* tokens.revoke(yield* chooseOrganization(organization), id)
    yield* Console.error(`revoked ${id}`)
  })
).pipe(Command.withDescription("Revoke a bearer token, on every server at once"))

/** `headgate-server token`: works on the store, with the server running or not. */
export const tokenCommands = { create, list, revoke }
