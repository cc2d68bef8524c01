import * as Redacted from "effect/Redacted"

declare const isSecret: unique symbol

/**
 * A secret that no log, `console.log`, `JSON.stringify` or template string shows: all print `<redacted>`. Only
 * {@link reveal} returns it in clear.
 */
export interface Secret {
  readonly [isSecret]: true
  /** What the secret is, such as `keySecret`: printed in place of it. */
  readonly label: string | undefined
  /** `<redacted>`, with the label if there is one. */
  toString(): string
  /** `<redacted>`, with the label if there is one. */
  toJSON(): string
}

// At run time a secret is a `Redacted`. Its type is not: a program without Effect cannot name it.
const fromRedacted = (value: Redacted.Redacted): Secret => value as unknown as Secret
const toRedacted = (value: Secret): Redacted.Redacted => value as unknown as Redacted.Redacted

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
export const secret = (value: string): Secret => fromRedacted(Redacted.make(value))

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
export const reveal = (secret: Secret): string => Redacted.value(toRedacted(secret))
