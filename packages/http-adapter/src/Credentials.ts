import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import type { HttpClientRequest } from "effect/http/HttpClientRequest"
import { type Auth, showing } from "./Auth.ts"
import type { Attempt } from "./Call.ts"
import { type Scrub, scrubber } from "./Scrub.ts"

/** How a connection proves who calls: with each request in the same way, or attempt by attempt. */
export interface Credentials {
  /** Shows with a request what never changes. */
  readonly authorize: (request: HttpClientRequest) => HttpClientRequest
  /** Shows what may change, and fetches it anew when the service refuses it. */
  readonly renew: (attempt: Attempt) => Attempt
  /** Takes them, also those of before, out of a text. */
  readonly scrub: Scrub
}

/** The same credentials for as long as the layer lives. */
const fixed = (auth: Auth): Credentials => ({
  authorize: showing(auth),
  renew: identity,
  scrub: scrubber([auth])
})

/** {@link fixed}, once they are known to be of use. */
export const fixedOf = <E>(auth: Effect.Effect<Auth, E>): Effect.Effect<Credentials, E> => Effect.map(auth, fixed)
