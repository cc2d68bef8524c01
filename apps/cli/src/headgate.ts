import { type HelpSection, HelpSections } from "@headgate/command-line"
import * as Command from "effect/cli/Command"
import { limitVariable } from "./completion/completionRun.ts"
import { dryRun } from "./request/dryRun.ts"
import { exitCodes } from "./error/CommandError.ts"
import * as Output from "./output/Output.ts"
import { overview } from "./profile/overview.ts"
import {
  allowInsecureHttp,
  dialect,
  keyId,
  keySecret,
  maxRetries,
  observabilityUrl,
  organization,
  profile,
  service,
  settings,
  timeout,
  token,
  url,
  verbose
} from "./settings/settings.ts"

const environment: HelpSection = {
  title: "ENVIRONMENT (a flag overrides its variable)",
  rows: () => [
    ...settings.map(({ name, variable }) => [variable, `--${name}`] as const),
    ["XDG_CONFIG_HOME", "Where headgate/config.json with the profiles is, ~/.config by default"],
    [limitVariable, "How long the completion of names in a shell may take, 1s by default"],
    ["NO_COLOR", "Print no colours, if set to any value"]
  ]
}

const exits: HelpSection = {
  title: "EXIT CODES",
  rows: () => [
    [String(exitCodes.ok), "Done"],
    [
      String(exitCodes.error),
      "Failed: the service rejected the request or could not be reached, the output could not be written, or the user did not confirm"
    ],
    [String(exitCodes.usage), "The command line, a setting or an input file is wrong; nothing was changed"],
    [String(exitCodes.differences), "diff found differences"],
    [String(exitCodes.auth), "The credentials are wrong or do not allow this"],
    [String(exitCodes.notFound), "Not found"],
    [String(exitCodes.timedOut), "No response in time, or the awaited state was not reached in time"],
    [String(exitCodes.unreachable), "The awaited state can no longer be reached"],
    [String(exitCodes.interrupted), "Interrupted"]
  ]
}

/** The flags that every command takes, before or after its name. */
export const globalFlags = [
  Output.json,
  Output.output,
  Output.plain,
  profile.flag,
  dryRun,
  verbose,
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

/** The root command, without its subcommands. */
export const headgate = Command.make("headgate", {}, () => overview).pipe(
  Command.withDescription("Work with the ingestion pipes, API keys and dashboards of a managed database service."),
  Command.annotate(HelpSections, [environment, exits]),
  Command.withExamples([
    { command: "headgate login", description: "Save the URL and the credentials of a service" },
    { command: "headgate pipe get 6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f", description: "Show a pipe" },
    {
      command: "headgate key create --name ci --role developer --expires 90d",
      description: "Create a key that expires in 90 days"
    },
    { command: "headgate dashboard list --json | jq -r '.[].name'", description: "Print the names of all dashboards" }
  ])
)
