import { escapeTerminalLine, table } from "@headgate/command-line"
import { Organization, OrganizationId, Organizations } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "effect/cli/Command"
import * as Output from "../output/Output.ts"
import { detailText, masked } from "../output/detailText.ts"
import { listReceived } from "../output/listReceived.ts"
import * as Setting from "../settings/Setting.ts"
import { organization } from "../settings/settings.ts"

const organizationTable = (organizations: ReadonlyArray<Organization>, width: number): string =>
  organizations.length === 0
    ? ""
    : table([["ID", "NAME"], ...organizations.map(({ id, name }) => [id, escapeTerminalLine(name)])], width)

/** `headgate organization list` */
export const list = Command.make(
  "list",
  {},
  Effect.fnUntraced(function* () {
    const organizations = yield* Organizations
    const { elements, received } = yield* listReceived(organizations.list())
    yield* Output.print({ text: (width) => organizationTable(elements, width), json: Effect.succeed(received) })
  })
).pipe(
  Command.withDescription("List the organization of the API key"),
  Command.withExamples([{ command: "headgate organization list --json | jq -r '.[0].id'" }])
)

/** `headgate organization get` */
export const get = Command.make(
  "get",
  {},
  Effect.fnUntraced(function* () {
    const organizations = yield* Organizations
    const id = yield* Setting.decode(OrganizationId, yield* Setting.required(organization))
    const found = yield* organizations.get(id)
    yield* Output.print({
      text: () => detailText(masked(found)),
      json: Effect.orDie(Schema.encodeEffect(Organization)(found))
    })
  })
).pipe(
  Command.withDescription("Show the organization of --organization"),
  Command.withExamples([{ command: "headgate organization get" }])
)
