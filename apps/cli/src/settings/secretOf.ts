import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Given, Setting } from "./Setting.ts"
import { required } from "./Setting.ts"
import * as stdin from "./stdin.ts"

/** Whether a secret is to be read from stdin: `--token -`. A variable that holds a dash holds a dash. */
export const isFromStdin = ({ source, value }: Given<Redacted.Redacted>): boolean =>
  source.startsWith("--") && Redacted.value(value) === "-"

/** Reads a secret that a command cannot do without, from stdin where its flag says `-`. */
export const secretOf = Effect.fnUntraced(function* <R>(setting: Setting<Redacted.Redacted, R>) {
  const given = yield* required(setting)
  return isFromStdin(given) ? Redacted.make(yield* stdin.firstLine(given.source)) : given.value
})
