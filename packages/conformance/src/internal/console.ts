import { it } from "@effect/vitest"
import type { ApiKeyId, OrganizationId } from "@headgate/core"
import { Authenticator, CallingKey, ConsoleSessions, ConsoleSignIn } from "@headgate/core/adapter"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { failsWith } from "./failsWith.ts"

const { keys, organizations } = fixtureIds

type Owner = keyof typeof keys

const organizationOf = (who: Owner): OrganizationId => (who === "globex" ? organizations.globex : organizations.acme)

/** Runs a call as one that a key of the fixture makes. */
const calledBy = (keyId: ApiKeyId) => Effect.provideService(CallingKey, keyId)

/** A new session of a key of the fixture. */
export const createSession = (who: Owner, organizationId = organizationOf(who)) =>
  ConsoleSessions.use((sessions) => sessions.createSession({ organizationId })).pipe(calledBy(keys[who]))

/** A new code of a key of the fixture. */
export const createCode = (who: Owner, organizationId = organizationOf(who)) =>
  ConsoleSessions.use((sessions) => sessions.createCode({ organizationId })).pipe(calledBy(keys[who]))

/** An address that the key `listed` may be used from. */
export const office = "192.0.2.7"

/** An address that it may not be used from. */
export const elsewhere = "192.0.3.0"

export const exchangeFrom = (remoteAddress: string | undefined, code: Redacted.Redacted) =>
  ConsoleSignIn.use((signIn) => signIn.exchange(code, remoteAddress))

export const exchange = (code: Redacted.Redacted) => exchangeFrom(office, code)

export const signOut = (token: Redacted.Redacted) => ConsoleSignIn.use((signIn) => signIn.signOut(token))

export const authenticateFrom = (remoteAddress: string | undefined, token: Redacted.Redacted) =>
  Authenticator.use((authenticator) => authenticator.authenticate({ _tag: "SessionCredentials", token }, remoteAddress))

export const authenticate = (token: Redacted.Redacted) => authenticateFrom(office, token)

/** Asserts that there is no session with this token. */
export const hasEnded = (token: Redacted.Redacted) => failsWith(authenticate(token), "Unauthorized")

/** Asserts that the code opens nothing. */
export const opensNothing = (code: Redacted.Redacted) => failsWith(exchange(code), "Unauthorized")

/** When a law begins. */
export const start = DateTime.makeUnsafe("2026-06-01T12:34:56.789Z").epochMilliseconds

/** A law over the fixture, which begins at {@link start} by the `TestClock`. */
export const lawOf =
  <Ports>(layer: LawsOptions<Ports>["layer"]) =>
  (title: string, body: Effect.Effect<void, unknown, Ports>) =>
    it.effect(title, () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        yield* Effect.provide(body, layer(yield* fixtureSnapshot, organizations.acme))
      })
    )
