import { InvalidRequest } from "@headgate/core/error"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** An option that a layer cannot be built with. `message` never repeats its value, which may hold a credential. */
export const invalidOption = (path: string, message: string): InvalidRequest =>
  new InvalidRequest({ message: `${path}: ${message}`, issues: [{ path, message }] })

/** An option that counts something. */
export const countOption = (path: string, value: number): Effect.Effect<number, InvalidRequest> =>
  Number.isSafeInteger(value) && value > 0
    ? Effect.succeed(value)
    : Effect.fail(invalidOption(path, "Expected a whole number of at least 1"))

/** An option that is a time to wait for. */
export const durationOption = (path: string, value: Duration.Input): Effect.Effect<Duration.Duration, InvalidRequest> =>
  Option.match(Duration.fromInput(value), {
    onNone: () => Effect.fail(invalidOption(path, 'Expected a duration such as "30 seconds"')),
    onSome: (duration) =>
      Duration.isFinite(duration) && Duration.isPositive(duration)
        ? Effect.succeed(duration)
        : Effect.fail(invalidOption(path, "Expected a finite duration of more than nothing"))
  })
