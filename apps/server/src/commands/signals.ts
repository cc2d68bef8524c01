import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { constants } from "node:os"
import { isatty } from "node:tty"

/** From now on SIGINT and SIGTERM end the process at once, with the exit code of a process that the signal killed. */
export const exitOnSecondSignal = Effect.sync(() => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => process.exit(128 + constants.signals[signal]))
  }
})

const isAtTerminal = (): boolean => [0, 1, 2].some(isatty)

/**
 * Keeps SIGHUP from ending the process. With TLS the signal reloads the certificate, which the listener does; without,
 * there is nothing to reload, and a log line says so. At a terminal and without TLS the signal still ends the process:
 * there it means that the terminal was closed.
 */
export const ignoreHangup = Effect.fnUntraced(function* ({ tlsCert }: { readonly tlsCert: Option.Option<string> }) {
  if (Option.isNone(tlsCert) && isAtTerminal()) return
  const run = Effect.runForkWith(yield* Effect.context<never>())
  process.on("SIGHUP", () => {
    if (Option.isNone(tlsCert)) run(Effect.logInfo("SIGHUP: nothing to reload, --tls-cert is not set"))
  })
})
