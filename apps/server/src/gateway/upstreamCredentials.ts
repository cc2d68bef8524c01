import { readFailure } from "@headgate/command-line"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import { StartupError, UsageError } from "../StartupError.ts"
import type { UpstreamOptions } from "./gatewayFlags.ts"

interface Key {
  readonly keyId: string
  readonly keySecret: Redacted.Redacted
}

interface Token {
  readonly token: Redacted.Redacted
}

/** Credentials that stay as they are, or that are read again when the upstream refuses them. */
type Given<Fixed> = Fixed | { readonly credentials: Effect.Effect<Fixed, StartupError> }

/** What the gateway shows to its upstream. Without a token there are no dashboards behind it. */
export interface UpstreamCredentials {
  readonly key: Given<Key>
  /** The ID of the key that the last request used. */
  readonly ownKeyId: Effect.Effect<string>
  readonly token: Option.Option<Given<Token>>
}

const Secret = Schema.RedactedFromValue(Schema.NonEmptyString)

/** The document of `--upstream-credentials`. */
const CredentialsDocument = Schema.fromJsonString(
  Schema.Struct({ keyId: Schema.NonEmptyString, keySecret: Secret, token: Schema.optionalKey(Secret) })
)

const readFile = Effect.fnUntraced(function* (path: string) {
  const problem = (why: string) => new StartupError({ message: `--upstream-credentials ${path}: ${why}` })
  const fileSystem = yield* FileSystem.FileSystem
  const text = yield* Effect.mapError(fileSystem.readFileString(path), (error) => problem(readFailure(error)))
  // What is wrong with it is not shown: it may be a secret in the wrong place.
  return yield* Schema.decodeEffect(CredentialsDocument)(text).pipe(
    Effect.mapError(() => problem('expected a JSON object with the texts "keyId", "keySecret" and, if any, "token"'))
  )
})

/** Read now, so that a server with a bad file does not start, and whenever the upstream refuses what was read. */
const fromFile = Effect.fnUntraced(function* (path: string) {
  const read = Effect.provideContext(readFile(path), yield* Effect.context<FileSystem.FileSystem>())
  const { keyId, token } = yield* read
  const ownKeyId = yield* Ref.make(keyId)
  const key = Effect.tap(
    Effect.map(read, ({ keyId, keySecret }) => ({ keyId, keySecret })),
    ({ keyId }) => Ref.set(ownKeyId, keyId)
  )
  const gone = new StartupError({ message: `--upstream-credentials ${path}: there is no "token" any more` })
  const freshToken = Effect.flatMap(read, ({ token }) =>
    token === undefined ? Effect.fail(gone) : Effect.succeed({ token })
  )
  const credentials: UpstreamCredentials = {
    key: { credentials: key },
    ownKeyId: Ref.get(ownKeyId),
    token: token === undefined ? Option.none() : Option.some({ credentials: freshToken })
  }
  return credentials
})

/** The credentials for the upstream: of a file, or of flags and the environment, but not of both. */
export const upstreamCredentials = Effect.fnUntraced(function* (options: UpstreamOptions) {
  const { upstreamCredentials: file, upstreamKeyId, upstreamKeySecret, upstreamToken } = options
  if (Option.isSome(file)) {
    if (Option.isSome(upstreamKeyId) || Option.isSome(upstreamKeySecret) || Option.isSome(upstreamToken)) {
      return yield* new UsageError({
        message:
          "--upstream-credentials stands for --upstream-key-id, --upstream-key-secret and --upstream-token: " +
          "pass the file or those, as flags or in the environment"
      })
    }
    return yield* fromFile(file.value)
  }
  const key = Option.all({ keyId: upstreamKeyId, keySecret: upstreamKeySecret })
  if (Option.isNone(key)) {
    return yield* new UsageError({
      message:
        "--upstream wants an API key of its own: --upstream-credentials, or --upstream-key-id and " +
        "HEADGATE_UPSTREAM_KEY_SECRET"
    })
  }
  const credentials: UpstreamCredentials = {
    key: key.value,
    ownKeyId: Effect.succeed(key.value.keyId),
    token: Option.map(upstreamToken, (token) => ({ token }))
  }
  return credentials
})
