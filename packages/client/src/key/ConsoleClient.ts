import type * as Core from "@headgate/core/adapter"
import type { OrganizationAddress } from "../addresses.ts"
import type { CallOptions } from "../CallOptions.ts"
import type { CallPromise } from "../CallPromise.ts"
import type { Plain } from "../Plain.ts"

/** A session of the console. `token`, a `Secret`, is the bearer token of both APIs until `expiresAt`. */
export type ConsoleSession = Plain<Core.ConsoleSession>

/** A code that opens one session of the console, once. `code` is a `Secret`. */
export type ConsoleCode = Plain<Core.ConsoleCode>

/** The sessions of the console of the management API, for the API key of the client. Only `headgate-server` has them. */
export interface ConsoleClient {
  /** Makes a session of the client's key. Its response is the only one with the token. */
  readonly createSession: (request?: OrganizationAddress, options?: CallOptions) => CallPromise<ConsoleSession>
  /** Makes a code of the client's key. Its response is the only one with it. */
  readonly createCode: (request?: OrganizationAddress, options?: CallOptions) => CallPromise<ConsoleCode>
}
