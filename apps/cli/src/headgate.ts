import * as Command from "effect/cli/Command"
import { exitCodes } from "./exitCodes.ts"
import { type HelpSection, HelpSections } from "./help/HelpSection.ts"
import * as Output from "./output/Output.ts"
import { allowInsecureHttp, maxRetries, timeout } from "./settings/connectionFlags.ts"
import {
  dialect,
  keyId,
  keySecret,
  observabilityUrl,
  organization,
  service,
  settings,
  token,
  url
} from "./settings/settings.ts"

const environment: HelpSection = {
  title: "ENVIRONMENT (a flag wins over its variable)",
  rows: [
    ...settings.map(({ name, variable }) => [variable, `--${name}`] as const),
    ["NO_COLOR", "No colours, whatever it is set to"]
  ]
}

const exits: HelpSection = {
  title: "EXIT CODES",
  rows: [
    [String(exitCodes.ok), "Done"],
    [String(exitCodes.error), "Failed: refused by the service, not reached, or not confirmed"],
    [String(exitCodes.usage), "The command line, a setting or a given document is wrong; nothing was sent"],
    [String(exitCodes.auth), "The credentials are not accepted, or do not allow this"],
    [String(exitCodes.notFound), "There is no such thing"],
    [String(exitCodes.timedOut), "No answer in time"],
    [String(exitCodes.interrupted), "Interrupted"]
  ]
}

/** The flags that every command takes, before or after its name. */
export const globalFlags = [
  Output.json,
  Output.output,
  url.flag,
  observabilityUrl.flag,
  organization.flag,
  service.flag,
  keyId.flag,
  keySecret.flag,
  token.flag,
  dialect.flag,
  timeout,
  maxRetries,
  allowInsecureHttp
] as const

/** The root of the command, without its nouns: what it says of itself. */
export const headgate = Command.make("headgate").pipe(
  Command.withDescription("Work with the ingestion pipes, API keys and dashboards of a managed database service."),
  Command.annotate(HelpSections, [environment, exits]),
  Command.withExamples([
    { command: "headgate pipe get 6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f", description: "How a pipe is doing" },
    { command: "headgate key create --name ci --role developer --expires 90d", description: "A key for a pipeline" },
    { command: "headgate dashboard list --json | jq -r '.[].name'", description: "The names of all dashboards" }
  ])
)
