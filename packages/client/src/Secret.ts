import * as Redacted from "effect/Redacted"

/**
 * A secret that no log, `console.log`, `JSON.stringify` or template string shows: all print `<redacted>`. Only
 * {@link reveal} returns it in clear. It is Effect's `Redacted`.
 */
export type Secret = Redacted.Redacted

/**
 * Wraps a secret, so that it cannot be printed by accident.
 *
 * @example
 * ```ts
 * import { secret } from "@headgate/client"
 *
 * console.log({ token: secret("hgt_0123") }) // { token: <redacted> }
 * ```
 */
export const secret = (value: string): Secret => Redacted.make(value)

/**
 * Returns a secret in clear.
 *
 * @example
 * ```ts
 * import { reveal, secret } from "@headgate/client"
 *
 * const keySecret = secret("hgs_0123")
 * console.log(`${keySecret}`) // <redacted>
 * console.log(reveal(keySecret)) // hgs_0123
 * ```
 */
export const reveal = (secret: Secret): string => Redacted.value(secret)
