import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Composition from "./Composition.ts"
import { flags } from "./Options.ts"
import * as Usage from "./usage.ts"

// Put here by the build, from package.json.
declare const HEADGATE_VERSION: string

const command = Command.make("headgate-server", flags, (options) => Layer.launch(Composition.layer(options))).pipe(
  Command.withDescription(
    "Serves the management and observability API of a managed database service: stateful, guarded, on a laptop."
  ),
  Command.withExamples([
    { command: "headgate-server", description: "Serve on http://127.0.0.1:7420, data in ./.headgate" },
    { command: "headgate-server --memory --port 0", description: "For a test run: nothing on disk, any free port" },
    { command: "headgate-server --data /var/lib/headgate --import state.json", description: "Start from a snapshot" }
  ])
)

Command.run(command, { version: HEADGATE_VERSION }).pipe(
  Effect.tapError(Usage.report),
  Effect.provide(Layer.merge(NodeServices.layer, Usage.layer)),
  NodeRuntime.runMain({
    disableErrorReporting: true,
    teardown: (exit, onExit) => onExit(Usage.exitCode(exit))
  })
)
