import { Organization, Organizations } from "@headgate/core"
import { HttpOrganizations } from "@headgate/http-adapter"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import { nouns, organizationId } from "../address/nouns.ts"
import { listCommand } from "../list/listCommand.ts"
import * as Output from "../output/Output.ts"
import { detailText, masked } from "../output/detailText.ts"
import { valuesCommand } from "../address/valuesCommand.ts"
import { overManagement } from "../settings/withPorts.ts"

/** `headgate organization list` */
const list = listCommand({
  description: "List the organization of the API key",
  examples: [{ command: "headgate organization list --json | jq -r '.[0].id'" }],
  elements: Effect.gen(function* () {
    const organizations = yield* Organizations
    return yield* organizations.list()
  }),
  schema: Effect.succeed(Organization),
  columns: { NAME: ({ name }) => name },
  empty: "The API key has no organization."
})

/** `headgate organization get` */
const get = Command.make(
  "get",
  {},
  Effect.fnUntraced(function* () {
    const organizations = yield* Organizations
    const id = yield* organizationId
    const found = yield* organizations.get({ organizationId: id })
    yield* Output.print({
      text: (layout) => detailText(masked(found), layout),
      json: Output.encoded(Organization, found)
    })
  })
).pipe(
  Command.withDescription("Show the organization of --organization"),
  Command.withExamples([{ command: "headgate organization get" }])
)

const withPorts = overManagement(HttpOrganizations.layer)

/** `headgate organization` */
export const command = Command.make("organization").pipe(Command.withSubcommands([withPorts(list), withPorts(get)]))

/** `headgate complete-values organization` */
export const values = withPorts(valuesCommand("organization", nouns.organization.list))
