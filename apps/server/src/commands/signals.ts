import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import cluster from "node:cluster"
import { constants } from "node:os"
import { isatty } from "node:tty"

/** From now on a signal to end is not heard out: the process is gone at once, as if the signal had killed it. */
export const endAtNextSignal = Effect.sync(() => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => process.exit(128 + constants.signals[signal]))
  }
})

const isAtTerminal = (): boolean => [0, 1, 2].some(isatty)

/**
 * SIGHUP asks a server to read again what it was configured with: with TLS that is the certificate, which is done
 * elsewhere, and without it there is nothing, which is said. It ends no server, starting and ending ones included; but for
 * one without TLS at a terminal, for which it means that the terminal is gone.
 */
export const outliveHangup = Effect.fnUntraced(function* ({ tlsCert }: { readonly tlsCert: Option.Option<string> }) {
  if (Option.isNone(tlsCert) && isAtTerminal()) return
  const run = Effect.runForkWith(yield* Effect.context<never>())
  process.on("SIGHUP", () => {
    if (Option.isNone(tlsCert) && cluster.isPrimary)
      run(Effect.logInfo("SIGHUP: nothing was read again, for without --tls-cert there is nothing to read"))
  })
})
