import * as Clock from "effect/Clock"
import * as Config from "effect/Config"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { CompletionTimedOut } from "../error/CommandError.ts"
import { ShortDuration } from "../settings/ShortDuration.ts"
import * as Setting from "../settings/Setting.ts"
import { settings } from "../settings/settings.ts"
import { readAll } from "../settings/stdin.ts"

/** The command that completion scripts run. Help does not list it. */
export const completeValues = "complete-values"

const flags = new Set<string>(settings.map(({ name }) => `--${name}`))

// The flags that say which service is asked. A secret from stdin cannot be read: stdin has these words.
const settingFlags = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.flatMap((word, index) => {
    const [flag = "", ...inline] = word.split("=")
    const value = inline.length > 0 ? inline.join("=") : words[index + 1]
    return flags.has(flag) && value !== undefined && value !== "-" ? [`${flag}=${value}`] : []
  })

/**
 * The command line of `headgate complete-values <list>`, whose stdin has the words of the command line that is completed, a
 * line each: with their settings, and with the last, which is completed.
 */
export const withTypedWords = Effect.fnUntraced(function* (args: ReadonlyArray<string>) {
  const words = (yield* readAll(completeValues)).replace(/\r?\n$/, "").split(/\r?\n/)
  return [...args, ...settingFlags(words.slice(0, -1)), "--", words.at(-1) ?? ""]
})

/** How long a completion may take. */
export const limitVariable = "HEADGATE_COMPLETION_TIMEOUT"

const limit = Effect.gen(function* () {
  const given = yield* Config.NonEmptyString(limitVariable).pipe(Effect.option)
  return Option.isNone(given)
    ? Duration.seconds(1)
    : yield* Setting.decode(ShortDuration, { source: limitVariable, value: given.value })
})

/** Fails with `CompletionTimedOut` once the process has run as long as a completion may. */
export const withinLimit = Effect.fnUntraced(function* <A, E, R>(completion: Effect.Effect<A, E, R>) {
  const allowed = yield* limit
  const running = (yield* Clock.currentTimeMillis) - performance.timeOrigin
  return yield* Effect.timeoutOrElse(completion, {
    duration: Duration.max(Duration.subtract(allowed, Duration.millis(running)), Duration.zero),
    orElse: () => new CompletionTimedOut({ message: `completion gave up after ${Duration.format(allowed)}` })
  })
})
