import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { CallError, Forbidden, Unauthorized } from "../error/CallError.ts"
import { OrganizationId } from "../id/organization.ts"
import { looseStruct, withIdentifier } from "../schema/LooseStruct.ts"
import { knownString, secretText } from "../schema/fieldSchemas.ts"
import { Timestamp } from "../schema/Timestamp.ts"
import { Permission } from "./Principal.ts"

/**
 * A session of the console. A caller with its `token` is the API key that it was made for, until `expiresAt`. This server
 * decided it: the service has no such sessions. Contract: docs/wire-contract.md#the-console.
 */
export const ConsoleSession = looseStruct({
  organizationId: OrganizationId,
  token: secretText("token").pipe(
    Schema.annotateEncoded({ description: "The bearer token of both APIs: `hgs_` and 40 characters." })
  ),
  expiresAt: Timestamp.pipe(
    Schema.annotateEncoded({ description: "When the session ends: 8 hours after it was made." })
  ),
  permissions: Schema.Array(knownString(Permission.literals)).annotate({
    description: "What the session may do, by the roles of its key now."
  })
}).pipe(withIdentifier("ConsoleSession", "A session of the console."))
export type ConsoleSession = typeof ConsoleSession.Type

/** A code that opens one session of the console, once. */
export const ConsoleCode = looseStruct({
  code: secretText("code").pipe(Schema.annotateEncoded({ description: "The code: `hgc_` and 40 characters." })),
  expiresAt: Timestamp.pipe(
    Schema.annotateEncoded({ description: "Until when it may be used: 5 minutes after it was made." })
  )
}).pipe(withIdentifier("ConsoleCode", "A code that opens one session of the console, once."))
export type ConsoleCode = typeof ConsoleCode.Type

/**
 * The port to the console's sessions and codes, for the key that makes the call. A key has at most 20 sessions and 5 codes: one more
 * ends the oldest. They end for good when the key is disabled, expires or is deleted. Both methods fail with `Unauthorized` if the call is
 * made with no key, or with one that is not the organization's or has ended. Contract: docs/wire-contract.md#the-console.
 */
export class ConsoleSessions extends Context.Service<
  ConsoleSessions,
  {
    /** Makes a session of the calling key. Only this result holds its token. */
    readonly createSession: (address: {
      readonly organizationId: OrganizationId
    }) => Effect.Effect<ConsoleSession, CallError>
    /** Makes a code of the calling key. Only this result holds it. */
    readonly createCode: (address: { readonly organizationId: OrganizationId }) => Effect.Effect<ConsoleCode, CallError>
  }
>()("@headgate/core/access/ConsoleSessions") {}

/**
 * The port with which the page of the console signs in and out. Only adapters that store sessions have it.
 *
 * @example
 * ```ts
 * import { ConsoleSignIn } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 * import * as Redacted from "effect/Redacted"
 *
 * export const tokenOf = Effect.fn("tokenOf")(function* (code: Redacted.Redacted, remoteAddress?: string) {
 *   const { token } = yield* ConsoleSignIn.use((signIn) => signIn.exchange(code, remoteAddress))
 *   return Redacted.value(token)
 * })
 * ```
 */
export class ConsoleSignIn extends Context.Service<
  ConsoleSignIn,
  {
    /**
     * Makes a session of the key that the code was made for, and uses the code up, also when two ask at once: one of them gets a
     * session. Fails with the same `Unauthorized` for a code that is unknown, used or expired, and with `Forbidden` if the key's access
     * list does not contain the address, which uses nothing up.
     */
    readonly exchange: (
      code: Redacted.Redacted,
      remoteAddress: string | undefined
    ) => Effect.Effect<ConsoleSession, Unauthorized | Forbidden>
    /** Ends the session with this token. Does nothing if there is none. */
    readonly signOut: (token: Redacted.Redacted) => Effect.Effect<void>
  }
>()("@headgate/core/access/ConsoleSignIn") {}
