import type { InvalidRequest } from "@headgate/core"
import { invalidRequest } from "@headgate/core/adapter"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"

/** An option that is held to what it must be: not every caller has a compiler, and configurations have none. */
export type Checked<A> = Effect.Effect<A, InvalidRequest>

/** Refuses an option. `what` is expected, and never repeats the value, which may hold a credential. */
export const refused = (path: string, what: string): Effect.Effect<never, InvalidRequest> =>
  Effect.fail(invalidRequest([{ path, message: `Expected ${what}` }], { attempts: 0 }))

const held = <A>(path: string, value: A, holds: boolean, what: string): Checked<A> =>
  holds ? Effect.succeed(value) : refused(path, what)

/** An option that counts something. */
export const countOption = (path: string, value: number): Checked<number> =>
  held(path, value, Number.isSafeInteger(value) && value > 0, "a whole number of at least 1")

/** An option that counts something which may be absent altogether. */
export const wholeOption = (path: string, value: number): Checked<number> =>
  held(path, value, Number.isSafeInteger(value) && value >= 0, "a whole number, 0 or more")

/** An option that is on or off. */
export const flagOption = (path: string, value: boolean): Checked<boolean> =>
  held(path, value, Predicate.isBoolean(value), "true or false")

/** Options of their own under one name. */
export const groupOption = <A extends object>(path: string, value: A, what: string): Checked<A> =>
  held(path, value, Predicate.isObject(value), what)

/** An option that is a time after which to give up: `Infinity` for never. */
export const timeoutOption = (path: string, value: Duration.Input): Checked<Duration.Duration> =>
  Option.match(Option.filter(Duration.fromInput(value), Duration.isPositive), {
    onNone: () => refused(path, 'a duration above nothing, such as "30 seconds", or "Infinity"'),
    onSome: Effect.succeed
  })

/** An option that is a time to wait for. */
export const durationOption = (path: string, value: Duration.Input): Checked<Duration.Duration> =>
  Option.match(
    Option.filter(
      Duration.fromInput(value),
      (duration) => Duration.isPositive(duration) && Duration.isFinite(duration)
    ),
    {
      onNone: () => refused(path, 'a duration above nothing, such as "30 seconds"'),
      onSome: Effect.succeed
    }
  )

// It throws for a secret that was wiped.
const reveal = Option.liftThrowable((secret: Redacted.Redacted): unknown => Redacted.value(secret))

/** An option that is a secret: what is in it, in clear. */
export const secretOption = (path: string, secret: Redacted.Redacted, what: string): Checked<string> => {
  const value = Redacted.isRedacted(secret) ? Option.getOrUndefined(reveal(secret)) : undefined
  return Predicate.isString(value) ? Effect.succeed(value) : refused(path, `${what}, wrapped by Redacted.make`)
}
