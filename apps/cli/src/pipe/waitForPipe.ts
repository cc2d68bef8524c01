import { type Pipe, type PipeAddress, Pipes, type PipeState } from "@headgate/core"
import { canReach, endStates, type PipeAction, pipeKindOf } from "@headgate/core/adapter"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { waitUntil } from "../wait/waitUntil.ts"

/** The states of which a service that moves rows can say why. */
const explained: ReadonlySet<PipeState> = new Set(["Degraded", "Failed"])

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
    // A service that does not tell how a pipe goes on has no reason.
    reason: ({ state }) =>
      explained.has(state)
        ? pipes.status(address).pipe(
            Effect.map(({ message }) => message ?? undefined),
            Effect.orElseSucceed(() => undefined)
          )
        : Effect.succeed(undefined),
    canReach: ({ source, state }) => options.states.some((awaited) => canReach(pipeKindOf(source), state, awaited))
  })
})

/** With `--wait`, waits until what one of the actions has begun is complete. */
export const waitForActions = (
  address: Omit<PipeAddress, "pipeId">,
  pipe: Pipe,
  actions: ReadonlyArray<PipeAction>,
  { wait, waitTimeout }: { readonly wait: boolean; readonly waitTimeout: Duration.Duration }
) =>
  wait
    ? waitForPipe(
        { ...address, pipeId: pipe.id },
        {
          known: pipe,
          states: actions.flatMap((action) => endStates(pipeKindOf(pipe.source), action)),
          timeout: waitTimeout
        }
      )
    : Effect.succeed(pipe)
