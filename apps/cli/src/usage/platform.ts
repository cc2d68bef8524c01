import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Terminal from "effect/Terminal"

// Loaded by what reads or writes a file, or asks the user: most commands do neither.

/** The files of this machine. */
export const nodeFiles = Layer.unwrap(
  Effect.map(
    Effect.promise(() => import("@effect/platform-node/NodeFileSystem")),
    ({ layer }) => layer
  )
)

/** The terminal of this process, which is opened when the user is asked. */
export const nodeTerminal = Layer.effect(
  Terminal.Terminal,
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const opened = yield* Effect.cached(
      Effect.flatMap(
        Effect.promise(() => import("@effect/platform-node/NodeTerminal")),
        ({ layer }) => Layer.buildWithScope(layer, scope)
      )
    )
    const terminal = Effect.map(opened, Context.get(Terminal.Terminal))
    return Terminal.make({
      columns: Effect.flatMap(terminal, ({ columns }) => columns),
      rows: Effect.flatMap(terminal, ({ rows }) => rows),
      size: Effect.flatMap(terminal, ({ size }) => size),
      readInput: Effect.flatMap(terminal, ({ readInput }) => readInput),
      readLine: Effect.flatMap(terminal, ({ readLine }) => readLine),
      display: (text) => Effect.flatMap(terminal, ({ display }) => display(text))
    })
  })
)
