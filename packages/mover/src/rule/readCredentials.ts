import type { PipeCredentials } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { SourceRefused } from "../port/Connector.ts"

const Login = Schema.Struct({
  username: Schema.optionalKey(Schema.NullOr(Schema.String)),
  password: Schema.optionalKey(Schema.NullOr(Schema.String))
})

/**
 * A secret of a source as its adapter takes it; `undefined` if the source has none. `path` is that in the source, and `expected` says
 * what it holds, because the error of the schema would show it.
 *
 * @example
 * ```ts
 * import { readSecret, type SourceConfig } from "@headgate/mover"
 * import * as Schema from "effect/Schema"
 *
 * const Token = Schema.Struct({ token: Schema.String })
 * export const tokenOf = ({ credentials }: SourceConfig) => readSecret(credentials, "kinesis.token", Token, "a token")
 * ```
 */
export const readSecret = <A>(
  credentials: PipeCredentials,
  path: string,
  schema: Schema.Codec<A, unknown>,
  expected: string
): Effect.Effect<Redacted.Redacted<A> | undefined, SourceRefused> => {
  const stored = credentials[path]
  if (stored === undefined) return Effect.succeed(undefined)
  return Schema.decodeUnknownEffect(schema)(Redacted.value(stored)).pipe(
    Effect.map((secret) => Redacted.make(secret)),
    Effect.mapError(() => new SourceRefused({ path: `source.${path}`, message: `Expected ${expected}` }))
  )
}

/**
 * The credentials of a source that takes a username and a password, for its adapter.
 *
 * @example
 * ```ts
 * import { readLogin, type SourceConfig } from "@headgate/mover"
 *
 * export const loginOf = ({ credentials }: SourceConfig) => readLogin(credentials, "kafka.credentials")
 * ```
 */
export const readLogin = (credentials: PipeCredentials, path: string) =>
  Effect.map(readSecret(credentials, path, Login, "a username and a password"), (login) =>
    login === undefined ? {} : { credentials: login }
  )
