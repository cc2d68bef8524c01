import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as NodeStdio from "@effect/platform-node/NodeStdio"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Terminal from "effect/Terminal"
import { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"

const unasked = Effect.die("nobody is asked anything at the terminal")

const terminal = Layer.succeed(
  Terminal.Terminal,
  Terminal.make({
    columns: unasked,
    rows: unasked,
    size: unasked,
    readInput: unasked,
    readLine: unasked,
    display: () => unasked
  })
)

/**
 * What the command line needs of its process: its words, its streams and its files. Nobody is asked anything at the
 * terminal and no other program is started, so what could do either is not loaded, and to call it is a defect.
 */
export const unattended = Layer.mergeAll(
  NodeFileSystem.layer,
  NodePath.layer,
  NodeStdio.layer,
  terminal,
  Layer.mock(ChildProcessSpawner)({})
)
