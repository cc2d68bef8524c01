import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Terminal from "effect/Terminal"
import * as ChildProcessSpawner from "effect/process/ChildProcessSpawner"

const unused = Effect.die("unreachable: the command line does not use this service")

/**
 * Services that effect/cli requires for prompts, which neither program uses. The Node implementations are slow to load:
 * a command that needs one provides it.
 */
export const nonInteractive = Layer.mergeAll(
  Layer.succeed(
    ChildProcessSpawner.ChildProcessSpawner,
    ChildProcessSpawner.make(() => unused)
  ),
  Layer.succeed(
    Terminal.Terminal,
    Terminal.make({
      columns: unused,
      rows: unused,
      size: unused,
      readInput: unused,
      readLine: unused,
      display: () => unused
    })
  )
)
