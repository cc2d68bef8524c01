import { escapeTerminalLine } from "@headgate/command-line"
import type { PortError } from "@headgate/core"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Stdio from "effect/Stdio"
import { StateUnreachable, WaitTimedOut } from "../error/CommandError.ts"
import * as Output from "../output/Output.ts"
import { withStatus } from "../output/statusLine.ts"
import { askedPause, isTemporary, nextPause } from "./polling.ts"

/** What is waited for. */
export interface Awaited<A, E, R> {
  /** What is read: `Pipe 6f1c…`. */
  readonly label: string
  readonly read: Effect.Effect<A, E, R>
  /** What is known already: it was just started. */
  readonly known?: A
  readonly states: ReadonlyArray<string>
  /** Whether what was read may get to one of the states without another command. */
  readonly canReach: (found: A) => boolean
  readonly timeout: Duration.Duration
  /** Why what was read is in its state, if something failed. */
  readonly reason?: (found: A) => Effect.Effect<string | undefined, never, R>
}

const isGone = ({ _tag }: { readonly _tag: string }): boolean => _tag.endsWith("NotFound")

const silent = (): Effect.Effect<void> => Effect.void

/**
 * Reads until one of the states is reached, 1 to 10 seconds apart, or as long as the service asks to wait. Progress is shown
 * on stderr, unless JSON or YAML is printed. The first read fails as any read; later ones may fail temporarily. Fails with
 * `WaitTimedOut`, or with `StateUnreachable` once no awaited state can be reached any more.
 */
export const waitUntil = Effect.fnUntraced(function* <A extends { readonly state: string }, E extends PortError, R>({
  canReach,
  known,
  label,
  read,
  reason = () => Effect.succeed(undefined),
  states,
  timeout
}: Awaited<A, E, R>) {
  const awaited = states.join(" or ")
  const start = yield* Clock.currentTimeMillis
  let last: string | undefined
  let problem = ""

  const poll = (show: (text: string, since: number) => Effect.Effect<void>) =>
    Effect.gen(function* () {
      let found = known ?? (yield* read)
      let pause: Duration.Duration | undefined
      let asked = Duration.zero
      while (!states.includes(found.state)) {
        const state = escapeTerminalLine(found.state)
        if (!canReach(found)) {
          const why = escapeTerminalLine((yield* reason(found)) ?? "")
          return yield* new StateUnreachable({
            message: `${label} is ${state} and cannot become ${awaited} without another command${why === "" ? "." : `: ${why}`}`
          })
        }
        if (last !== found.state) {
          const why = escapeTerminalLine((yield* reason(found)) ?? "")
          yield* show(`${label} is ${state}${why === "" ? "" : ` (${why})`}, waiting for ${awaited}`, start)
          pause = undefined
        }
        last = found.state
        pause = nextPause(pause)
        yield* Effect.sleep(Duration.max(pause, asked))
        asked = Duration.zero
        const next = yield* Effect.exit(read)
        if (Exit.isSuccess(next)) {
          found = next.value
          problem = ""
          continue
        }
        const error = Option.getOrUndefined(Exit.findErrorOption(next))
        if (error !== undefined && isGone(error)) {
          return yield* new StateUnreachable({ message: `${label} was deleted: it was ${state} before.` })
        }
        if (error === undefined || !isTemporary(error)) return yield* next
        problem = ` The last attempt to read it failed: ${error.message}.`
        asked = askedPause(error)
      }
      return found
    })

  const stdio = yield* Stdio.Stdio
  const { stderr } = yield* Output.Styles
  const waiting =
    (yield* Output.format) === "table"
      ? withStatus({ sink: stdio.stderr, isTerminal: yield* stdio.stderrIsTerminal, width: stderr.width }, poll)
      : poll(silent)
  return yield* Effect.timeoutOrElse(waiting, {
    duration: timeout,
    orElse: () =>
      new WaitTimedOut({
        message: `${label} ${last === undefined ? "was not read" : `is still ${escapeTerminalLine(last)}`} after ${Duration.format(timeout)}: waited for ${awaited}.${problem}`
      })
  })
})
