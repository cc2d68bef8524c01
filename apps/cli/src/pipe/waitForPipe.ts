import { escapeTerminalLine } from "@headgate/command-line"
import { type Pipe, type PipeAddress, Pipes, type PipeState } from "@headgate/core"
import { canReach, endStates, type PipeAction, pipeKindOf } from "@headgate/core/adapter"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Output from "../output/Output.ts"
import { waitUntil } from "../wait/waitUntil.ts"

/** The states of which a service that moves rows can say why. */
const explained: ReadonlySet<PipeState> = new Set(["Degraded", "Failed", "Completed"])

/** Why a pipe is in its state. A service that does not tell how a pipe goes on has no reason. */
const reasonOf = (address: PipeAddress, { state }: Pipe) =>
  explained.has(state)
    ? Pipes.use((pipes) => pipes.status(address)).pipe(
        Effect.map(({ message }) => message ?? undefined),
        Effect.orElseSucceed(() => undefined)
      )
    : Effect.succeed(undefined)

/** Waits until a pipe is in one of the states. `known`: the pipe as it was just read. */
export const waitForPipe = Effect.fnUntraced(function* (
  address: PipeAddress,
  options: {
    readonly states: ReadonlyArray<PipeState>
    readonly timeout: Duration.Duration
    readonly known?: Pipe
  }
) {
  const pipes = yield* Pipes
  return yield* waitUntil({
    ...options,
    label: `Pipe ${address.pipeId}`,
    read: pipes.get(address),
    reason: (pipe) => reasonOf(address, pipe),
    canReach: ({ source, state }) => options.states.some((awaited) => canReach(pipeKindOf(source), state, awaited))
  })
})

/**
 * With `--wait`, waits until what one of the actions has begun is complete. Warns of what a completed pipe has not moved.
 */
export const waitForActions = Effect.fnUntraced(function* (
  address: Omit<PipeAddress, "pipeId">,
  pipe: Pipe,
  actions: ReadonlyArray<PipeAction>,
  { wait, waitTimeout }: { readonly wait: boolean; readonly waitTimeout: Duration.Duration }
) {
  if (!wait) return pipe
  const pipeAddress = { ...address, pipeId: pipe.id }
  const states = actions.flatMap((action) => endStates(pipeKindOf(pipe.source), action))
  const reached = yield* waitForPipe(pipeAddress, { known: pipe, states, timeout: waitTimeout })
  const reason = yield* reasonOf(pipeAddress, reached)
  if (reason !== undefined) yield* Output.note(`warning: ${escapeTerminalLine(reason)}`)
  return reached
})
