import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeStdio from "@effect/platform-node/NodeStdio"
import { HelpSections, nonInteractive, styleOf, writingLogs } from "@headgate/command-line"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Command from "effect/cli/Command"
import * as Composition from "./Composition.ts"
import { cleanupCommands } from "./commands/cleanupCommand.ts"
import { healthCommand } from "./commands/healthCommand.ts"
import { keyCommands } from "./commands/keyCommand.ts"
import { organizationCommands } from "./commands/organizationCommand.ts"
import { queryCommand } from "./commands/queryCommand.ts"
import { flags } from "./commands/serveFlags.ts"
import { serviceCommands } from "./commands/serviceCommand.ts"
import { ignoreHangup } from "./commands/signals.ts"
import { resealCommand } from "./commands/resealCommand.ts"
import { exportCommand, importCommand } from "./commands/snapshotCommands.ts"
import { tablesCommands } from "./commands/tablesCommand.ts"
import { tokenCommands } from "./commands/tokenCommand.ts"
import * as Usage from "./commands/usage.ts"
import type { StoreOptions } from "./store/chooseStore.ts"
import { openExistingStore, openStore, unlimited } from "./store/openStore.ts"

// Put here by the build, from package.json.
declare const HEADGATE_VERSION: string

const serve = Command.make("headgate-server", flags, (options) =>
  Effect.andThen(ignoreHangup(options), Layer.launch(Composition.layer(options)))
).pipe(
  Command.withDescription(
    "Serves the management and observability API of a managed database service: stateful, guarded, on a laptop."
  ),
  Command.annotate(HelpSections, [Usage.exits]),
  Command.withExamples([
    { command: "headgate-server", description: "Serve on http://127.0.0.1:7420, data in ./.headgate" },
    { command: "headgate-server --memory --port 0", description: "For a test run: nothing on disk, any free port" },
    { command: "headgate-server --data /var/lib/headgate --import state.json", description: "Start from a snapshot" }
  ])
)

// The operator's commands work on the store itself, whether a server runs over it or not. The limits are for callers.
const onStore = <const Name extends string, Input extends StoreOptions, ContextInput, E, R>(
  command: Command.Command<Name, Input, ContextInput, E, R>
) => Command.provide(command, (options: Input) => Layer.merge(openExistingStore(options), unlimited))

const token = Command.make("token").pipe(
  Command.withDescription("Create, list, grant and revoke bearer tokens"),
  Command.withSubcommands([
    onStore(tokenCommands.create),
    onStore(tokenCommands.list),
    onStore(tokenCommands.grant),
    onStore(tokenCommands.revoke)
  ])
)

const key = Command.make("key").pipe(
  Command.withDescription("Create, list, enable, disable and delete API keys"),
  Command.withSubcommands([
    onStore(keyCommands.create),
    onStore(keyCommands.list),
    onStore(keyCommands.enable),
    onStore(keyCommands.disable),
    onStore(keyCommands.remove)
  ])
)

const organization = Command.make("organization").pipe(
  Command.withDescription("Add, list and remove organizations"),
  Command.withSubcommands([
    onStore(organizationCommands.add),
    onStore(organizationCommands.list),
    onStore(organizationCommands.remove)
  ])
)

const service = Command.make("service").pipe(
  Command.withDescription("Add, list and remove services"),
  Command.withSubcommands([
    onStore(serviceCommands.add),
    onStore(serviceCommands.list),
    onStore(serviceCommands.remove)
  ])
)

const cleanup = Command.make("cleanup").pipe(
  Command.withDescription("List and forget what deleted pipes have left in their sources"),
  Command.withSubcommands([onStore(cleanupCommands.list), onStore(cleanupCommands.forget)])
)

const tables = Command.make("tables").pipe(
  Command.withDescription("List and forget the tables that pipes have opened, which charts read"),
  Command.withSubcommands([onStore(tablesCommands.list), onStore(tablesCommands.forget)])
)

// Where a backup goes, there need be nothing yet.
const restore = importCommand(openStore)

const command = serve.pipe(
  Command.withSubcommands([
    organization,
    service,
    token,
    key,
    cleanup,
    tables,
    healthCommand,
    queryCommand,
    onStore(exportCommand),
    restore,
    resealCommand
  ])
)

writingLogs(Command.run(command, { version: HEADGATE_VERSION })).pipe(
  Effect.tapError(Usage.report),
  Effect.tapDefect(Usage.reportDefect),
  Effect.provide([
    NodeFileSystem.layer,
    NodePath.layer,
    NodeStdio.layer,
    nonInteractive,
    Usage.layer(styleOf(process.stdout))
  ]),
  NodeRuntime.runMain({
    disableErrorReporting: true,
    teardown: (exit, onExit) => onExit(Usage.exitCode(exit))
  })
)
