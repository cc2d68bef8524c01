import { type InvalidRequest, Unauthorized } from "@headgate/core"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { identity } from "effect/Function"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Struct from "effect/Struct"
import { type Answer, type Attempt, type AttemptFailure, type Call, errorContext } from "../Attempt.ts"
import {
  type ApiKeyCredentials,
  type BearerToken,
  type CredentialOptions,
  validateApiKeyCredentials,
  validateBearerToken
} from "../ConnectionOptions.ts"
import { makeRedactor, type Redactor } from "../ErrorAnswer.ts"
import { type HttpRequest, withHeader } from "../HttpRequest.ts"

/** The credentials of a request. */
interface Auth {
  /** The value of the `Authorization` header. */
  readonly authorization: Redacted.Redacted
  /** The texts that no error may show. They are copies, since a caller may wipe its own. */
  readonly secrets: ReadonlyArray<Redacted.Redacted>
}

/** The bytes of UTF-8 in Base64. */
const base64 = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""))

/** HTTP Basic: the management API. Contract: docs/wire-contract.md#access. */
const basic = ({ keyId, keySecret }: ApiKeyCredentials): Auth => {
  const secret = Redacted.value(keySecret)
  const encoded = base64(`${keyId}:${secret}`)
  return {
    authorization: Redacted.make(`Basic ${encoded}`),
    secrets: [secret, encoded].map((text) => Redacted.make(text))
  }
}

/** A bearer token: the observability API. Contract: docs/wire-contract.md#access. */
const bearer = ({ token }: BearerToken): Auth => {
  const text = Redacted.value(token)
  return { authorization: Redacted.make(`Bearer ${text}`), secrets: [Redacted.make(text)] }
}

/** Sets the `Authorization` header. */
const withAuthorization =
  ({ authorization }: Auth) =>
  (request: HttpRequest): HttpRequest =>
    withHeader(request, "authorization", Redacted.value(authorization))

/** The credentials of a connection. */
export interface Credentials {
  /** Authorizes a request with credentials that never change. */
  readonly authorize: (request: HttpRequest) => HttpRequest
  /** Authorizes an attempt with credentials that may change, and fetches new ones after a 401. */
  readonly renew: (attempt: Attempt) => Attempt
  /** Takes the credentials, previous ones too, out of a text. */
  readonly redact: Redactor
}

/** Credentials that stay the same for as long as the layer lives. */
const fixedCredentials = (auth: Auth): Credentials => ({
  authorize: withAuthorization(auth),
  renew: identity,
  redact: makeRedactor([auth])
})

/** Fetched credentials; `number` counts the fetches. */
interface Fetched {
  readonly auth: Auth
  readonly number: number
}

// A service may echo credentials that it got a while ago. Older ones are dropped, or a program that runs for years would
// keep thousands.
const maxKnown = 8

// The message of a failing source is not shown: a vault may quote the secret in it.
const nameOf = (error: unknown): string => {
  const name =
    Predicate.hasProperty(error, "_tag") && Predicate.isString(error._tag)
      ? error._tag
      : Predicate.hasProperty(error, "name")
        ? error.name
        : undefined
  return Predicate.isString(name) && /^\w{1,64}$/.test(name) ? name : "an error without a name"
}

const unauthorized = (call: Call, message: string, answer?: AttemptFailure): AttemptFailure => ({
  error: new Unauthorized({
    message,
    ...(answer === undefined ? {} : Struct.pick(answer.error, ["status", "requestId"])),
    ...errorContext(call)
  })
})

const isSame = (a: Auth, b: Auth): boolean => Redacted.value(a.authorization) === Redacted.value(b.authorization)

/**
 * Credentials from an effect, so that they may change while a program runs. They are fetched for the first call and
 * kept. When the service answers 401, they are fetched again, once for all calls that got this answer, and each of these
 * calls is sent again. A 401 says that nothing was done, so this is no retry and holds for creates as well. An effect
 * that fails, or takes longer than an attempt may, ends the call as `Unauthorized`.
 */
const rotatingCredentials = <A>(
  source: Effect.Effect<A, unknown>,
  read: (fetched: A) => Effect.Effect<Auth, InvalidRequest>
): Credentials => {
  const known: Array<Auth> = []
  const renewed = new WeakSet<Call>()
  // The number of the fetch whose credentials a call needs: it grows when the service rejects the current ones.
  let wanted = 0
  let current: Fetched | undefined

  const fetch = (number: number): Effect.Effect<Fetched, string> =>
    source.pipe(
      // Defects, too: a promise that rejects is a defect, and most sources are promises.
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.interrupt
          : Effect.fail(`their source failed (${nameOf(Cause.squash(cause))})`)
      ),
      Effect.flatMap((fetched) => Effect.mapError(read(fetched), ({ message }) => `their source gave ${message}`)),
      Effect.map((auth) => {
        known.push(auth)
        if (known.length > maxKnown) known.shift()
        return (current = { auth, number })
      })
    )
  // One fetch for all calls that wait for it; it is interrupted when no call waits any more.
  let running: { readonly number: number; readonly fiber: Fiber.Fiber<Fetched, string>; waiting: number } | undefined
  const start = (number: number) =>
    Effect.map(
      Effect.forkDetach(Effect.interruptible(fetch(number)), { startImmediately: true }),
      (fiber) => (running = { number, fiber, waiting: 0 })
    )
  const shared = (number: number): Effect.Effect<Fetched, string> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(running?.number === number ? Effect.succeed(running) : start(number), (joined) => {
        joined.waiting += 1
        return Effect.onExit(restore(Fiber.join(joined.fiber)), () =>
          Effect.sync(() => {
            joined.waiting -= 1
            if (joined.waiting > 0) return
            if (running === joined) running = undefined
            // It may have ended.
            joined.fiber.interruptUnsafe()
          })
        )
      })
    )

  const fetchWanted = (call: Call): Effect.Effect<Fetched, string> => {
    const { attemptTimeout } = call.requestPolicy
    const fetched = shared(wanted)
    return Duration.isFinite(attemptTimeout)
      ? Effect.timeoutOrElse(fetched, {
          duration: attemptTimeout,
          orElse: () => Effect.fail(`their source gave nothing within ${Duration.format(attemptTimeout)}`)
        })
      : fetched
  }
  const currentFor = (call: Call): Effect.Effect<Fetched, string> =>
    Effect.suspend(() => (current?.number === wanted ? Effect.succeed(current) : fetchWanted(call)))

  const renew =
    (attempt: Attempt): Attempt =>
    (call) => {
      const send = ({ auth }: Fetched) => attempt({ ...call, request: withAuthorization(auth)(call.request) })

      const sendAgain = Effect.fnUntraced(function* (used: Fetched, failure: AttemptFailure) {
        if (failure.error.status !== 401 || renewed.has(call)) return yield* Effect.fail(failure)
        renewed.add(call)
        if (used.number === wanted) wanted += 1
        const fresh = yield* Effect.mapError(currentFor(call), (why) =>
          unauthorized(call, `${failure.error.message}; there are no fresh ones: ${why}`, failure)
        )
        return isSame(used.auth, fresh.auth) ? yield* Effect.fail(failure) : yield* send(fresh)
      })

      return currentFor(call).pipe(
        Effect.mapError((why) => unauthorized(call, `there are no credentials to show: ${why}`)),
        Effect.flatMap((current): Effect.Effect<Answer, AttemptFailure> =>
          Effect.catch(send(current), (failure) => sendAgain(current, failure))
        )
      )
    }

  return { authorize: identity, renew, redact: makeRedactor(known) }
}

const credentialsOf = <Fixed>(
  options: CredentialOptions<Fixed>,
  authOf: (fixed: Fixed) => Auth,
  validate: (fetched: Fixed) => Effect.Effect<Fixed, InvalidRequest>
): Credentials =>
  options.credentials === undefined
    ? fixedCredentials(authOf(options))
    : rotatingCredentials(options.credentials, (fetched) => Effect.map(validate(fetched), authOf))

/** The credentials in valid options of the management API. */
export const managementCredentials = (options: CredentialOptions<ApiKeyCredentials>): Credentials =>
  credentialsOf(options, basic, validateApiKeyCredentials)

/** The credentials in valid options of the observability API. */
export const observabilityCredentials = (options: CredentialOptions<BearerToken>): Credentials =>
  credentialsOf(options, bearer, validateBearerToken)
