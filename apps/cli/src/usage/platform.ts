import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

// Loaded by what reads or writes a file, or asks the user: most commands do neither.

/** The files of this machine. */
export const nodeFiles = Layer.unwrap(
  Effect.map(
    Effect.promise(() => import("@effect/platform-node/NodeFileSystem")),
    ({ layer }) => layer
  )
)

/** The terminal of this process. */
export const nodeTerminal = Layer.unwrap(
  Effect.map(
    Effect.promise(() => import("@effect/platform-node/NodeTerminal")),
    ({ layer }) => layer
  )
)
