import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type { Auth } from "./Auth.ts"
import { type Credentials, fixedOf } from "./Credentials.ts"
import { rotating } from "./Rotation.ts"
import { type Checked, groupOption, refused } from "./validateOption.ts"

/** Credentials that are given once, or fetched by an effect and fetched anew when the service refuses them. */
export type Given<Fixed> =
  | (Fixed & { readonly credentials?: undefined })
  | ({ readonly [Name in keyof Fixed]?: undefined } & {
      /**
       * Gives the credentials: run for the first call, its result kept, and run again when the service answers 401,
       * once for all calls that were refused. Its failure ends a call as `Unauthorized`.
       */
      readonly credentials: Effect.Effect<Fixed, unknown>
    })

/** The credentials that options give in the one way or the other. `names` are what they consist of. */
export const credentialsOf = <Fixed extends object>(
  given: Given<Fixed>,
  names: ReadonlyArray<keyof Fixed & string>,
  read: (fixed: Fixed) => Checked<Auth>
): Checked<Credentials> => {
  if (given.credentials === undefined) return fixedOf(read(given))
  if (!Effect.isEffect(given.credentials)) return refused("credentials", `an effect that gives ${names.join(" and ")}`)
  if (names.some((name) => Predicate.isNotUndefined(given[name]))) {
    return refused("credentials", `${names.join(" and ")} or credentials, not both`)
  }
  const whole = `{ ${names.join(", ")} }`
  return rotating(given.credentials, (fixed) => Effect.flatMap(groupOption("credentials", fixed, whole), read))
}
