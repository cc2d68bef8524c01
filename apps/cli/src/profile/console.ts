import { type CallError, UnexpectedResponse } from "@headgate/core"
import { ConsoleSessions } from "@headgate/core/adapter"
import { HttpConsoleSessions, HttpOrganizations } from "@headgate/http-adapter"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { organizationId } from "../address/nouns.ts"
import * as Output from "../output/Output.ts"
import * as Setting from "../settings/Setting.ts"
import { url } from "../settings/settings.ts"
import { overManagement } from "../settings/withPorts.ts"

/** The page of the console below the URL of an API. The code is in the fragment, which no request holds. */
const consoleUrl = (baseUrl: string, code: Redacted.Redacted): string =>
  new URL(`console#code=${Redacted.value(code)}`, baseUrl.endsWith("/") ? baseUrl : `${baseUrl}/`).href

/** What an API answers that does not know the console: it has no such path, or takes no POST there. */
const hasNoConsole = ({ status }: CallError): boolean => status === 404 || status === 405

const withoutConsole =
  (baseUrl: string) =>
  ({ attempts, method, path, requestId, status }: CallError) =>
    new UnexpectedResponse({
      message: `The API at ${baseUrl} has no console: only headgate-server has one.`,
      ...Object.fromEntries(
        Object.entries({ attempts, method, path, requestId, status }).filter(([, field]) => field !== undefined)
      )
    })

/** `headgate console [--open]` */
export const command = Command.make(
  "console",
  {
    open: Flag.Boolean("open").pipe(
      Flag.withDescription("Open the page in the browser of this machine, and print no code"),
      Flag.withoutNegation,
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function* ({ open }) {
    const sessions = yield* ConsoleSessions
    const baseUrl = (yield* Setting.required(url)).value
    const made = yield* sessions
      .createCode({ organizationId: yield* organizationId })
      .pipe(Effect.mapError((error) => (hasNoConsole(error) ? withoutConsole(baseUrl)(error) : error)))
    const address = consoleUrl(baseUrl, made.code)
    const expiresAt = DateTime.formatIso(made.expiresAt)
    if (open) {
      const { openInBrowser } = yield* Effect.promise(() => import("./openInBrowser.ts"))
      yield* openInBrowser(address)
      yield* Output.done("The console was opened in the browser", { opened: true, expiresAt })
    } else {
      yield* Output.print({ text: () => address, json: Effect.succeed({ url: address, expiresAt }) })
      yield* Output.note("The address signs in once, within 5 minutes, as this key: give it to nobody.")
    }
  })
).pipe(
  Command.withExamples([
    { command: "headgate console", description: "Print the address of the console, with a code that signs in once" },
    { command: "headgate console --open" }
  ]),
  overManagement(Layer.merge(HttpOrganizations.layer, HttpConsoleSessions.layer))
)
