import { type InvalidRequest, Unauthorized } from "@headgate/core"
import * as Cache from "effect/Cache"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { identity } from "effect/Function"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Struct from "effect/Struct"
import { type Auth, showing } from "./Auth.ts"
import { type Answer, type Attempt, type AttemptFailure, type Call, reportOf } from "./Call.ts"
import type { Credentials } from "./Credentials.ts"
import { scrubber } from "./Scrub.ts"

/** Credentials, and which ones: a number that grows each time that fresh ones are wanted. */
interface Issue {
  readonly auth: Auth
  readonly number: number
}

// A service may still echo what was shown to it a while ago. Older ones are forgotten, or a program that runs for
// years would keep thousands.
const maxKnown = 8

// The words of a failing source are not ours to show: a vault may quote what it was asked with.
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
    ...reportOf(call)
  })
})

const isSame = (a: Auth, b: Auth): boolean => Redacted.value(a.authorization) === Redacted.value(b.authorization)

/**
 * Credentials from an effect, so that they may change while a program runs. They are fetched for the first call and
 * kept. When the service answers 401, they are fetched anew, once for all calls that were refused, and each of these is
 * sent once more: a 401 says that nothing was done, so this holds for creates as well and is no retry. A source that
 * fails, or takes longer than an attempt may, ends the call as `Unauthorized`.
 */
export const rotating = Effect.fnUntraced(function* <A>(
  source: Effect.Effect<A, unknown>,
  read: (given: A) => Effect.Effect<Auth, InvalidRequest>
): Effect.fn.Return<Credentials> {
  const known: Array<Auth> = []
  const renewed = new WeakSet<Call>()
  let wanted = 0
  let current: Issue | undefined

  const fetch = (number: number): Effect.Effect<Issue, string> =>
    source.pipe(
      // Defects, too: a promise that rejects is one, and most sources are promises.
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.interrupt
          : Effect.fail(`their source failed (${nameOf(Cause.squash(cause))})`)
      ),
      Effect.flatMap((given) => Effect.mapError(read(given), ({ message }) => `their source gave ${message}`)),
      Effect.map((auth) => {
        known.push(auth)
        if (known.length > maxKnown) known.shift()
        return (current = { auth, number })
      })
    )
  // One lookup for all who wait for it; it ends when nobody does.
  const issues = yield* Cache.makeWith(fetch, {
    capacity: 1,
    timeToLive: (exit) => (Exit.isSuccess(exit) ? Duration.infinity : Duration.zero)
  })

  const fetchWanted = (call: Call): Effect.Effect<Issue, string> => {
    const { attemptTimeout } = call.manners
    const fetched = Cache.get(issues, wanted)
    return Duration.isFinite(attemptTimeout)
      ? Effect.timeoutOrElse(fetched, {
          duration: attemptTimeout,
          orElse: () => Effect.fail(`their source gave nothing within ${Duration.format(attemptTimeout)}`)
        })
      : fetched
  }
  const issueFor = (call: Call): Effect.Effect<Issue, string> =>
    Effect.suspend(() => (current?.number === wanted ? Effect.succeed(current) : fetchWanted(call)))

  const renew =
    (attempt: Attempt): Attempt =>
    (call) => {
      const send = ({ auth }: Issue) => attempt({ ...call, request: showing(auth)(call.request) })

      const again = Effect.fnUntraced(function* (shown: Issue, failure: AttemptFailure) {
        if (failure.error.status !== 401 || renewed.has(call)) return yield* Effect.fail(failure)
        renewed.add(call)
        if (shown.number === wanted) wanted += 1
        const fresh = yield* Effect.mapError(issueFor(call), (why) =>
          unauthorized(call, `${failure.error.message}; there are no fresh ones: ${why}`, failure)
        )
        return isSame(shown.auth, fresh.auth) ? yield* Effect.fail(failure) : yield* send(fresh)
      })

      return issueFor(call).pipe(
        Effect.mapError((why) => unauthorized(call, `there are no credentials to show: ${why}`)),
        Effect.flatMap((issue): Effect.Effect<Answer, AttemptFailure> =>
          Effect.catch(send(issue), (failure) => again(issue, failure))
        )
      )
    }

  return { authorize: identity, renew, scrub: scrubber(known) }
})
