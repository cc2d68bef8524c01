import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as NodeStdio from "@effect/platform-node/NodeStdio"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Terminal from "effect/Terminal"
import { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"

const unsupported = Effect.die("this program is not interactive")

const terminal = Layer.succeed(
  Terminal.Terminal,
  Terminal.make({
    columns: unsupported,
    rows: unsupported,
    size: unsupported,
    readInput: unsupported,
    readLine: unsupported,
    display: () => unsupported
  })
)

/**
 * The services that `effect/cli` needs, without prompts and child processes: the program uses neither, so their Node
 * implementations are not loaded. Using one is a defect.
 */
export const nonInteractive = Layer.mergeAll(
  NodeFileSystem.layer,
  NodePath.layer,
  NodeStdio.layer,
  terminal,
  Layer.mock(ChildProcessSpawner)({})
)
