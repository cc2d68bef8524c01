import { ApiKeys, OrganizationId } from "@headgate/core"
import { CallingKey, ConsoleSessions } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { organizationId as sample } from "./fullSnapshot.ts"
import { bearer, call } from "./liveServer.ts"

const organizationId = OrganizationId.make(sample)

/** Where the page of the console signs in and out. */
export const signInPath = "/v1/consoleSessions"

/** Calls the store as a key of the environment, by its name. */
const asKey = Effect.fnUntraced(function* <A, E>(
  name: string,
  make: (sessions: ConsoleSessions["Service"]) => Effect.Effect<A, E>
) {
  const keys = yield* ApiKeys
  const key = (yield* keys.list({ organizationId })).find((one) => one.name === name)
  return yield* Effect.provideService(make(yield* ConsoleSessions), CallingKey, key?.id)
})

/** A new session of a key of the environment. */
export const tokenOf = (name: string) =>
  Effect.map(
    asKey(name, (sessions) => sessions.createSession({ organizationId })),
    ({ token }) => Redacted.value(token)
  )

/** The Authorization header of a new session of a key of the environment. */
export const withSessionOf = (name: string) => Effect.map(tokenOf(name), bearer)

/** A new code of a key of the environment. */
export const codeOf = (name: string) =>
  Effect.map(
    asKey(name, (sessions) => sessions.createCode({ organizationId })),
    ({ code }) => Redacted.value(code)
  )

/** Signs in with a code, as the page of the console does. */
export const exchange = (code: unknown, headers: Record<string, string> = {}) =>
  call(signInPath, { body: { code }, headers })
