import type { InvalidRequest } from "@headgate/core/error"
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Redacted from "effect/Redacted"
import { invalidOption } from "./invalidOption.ts"

/** What a caller shows with every request. */
export interface Auth {
  /** The value of the `Authorization` header. */
  readonly authorization: Redacted.Redacted
  /** Whatever of it must not be seen if a service or a runtime echoes it. */
  readonly secrets: ReadonlyArray<Redacted.Redacted>
}

/** The ID and the secret of an API key, for HTTP Basic. */
export interface KeyPair {
  readonly keyId: string
  readonly keySecret: Redacted.Redacted
}

/** HTTP Basic: the management API. Contract: section 5. */
export const basic = ({ keyId, keySecret }: KeyPair): Effect.Effect<Auth, InvalidRequest> => {
  // RFC 7617: the first colon ends the user name.
  if (keyId === "" || keyId.includes(":")) {
    return Effect.fail(invalidOption("keyId", "Expected the ID of an API key, without a colon"))
  }
  if (Redacted.value(keySecret) === "") {
    return Effect.fail(invalidOption("keySecret", "Expected the secret of an API key, got nothing"))
  }
  const encoded = Base64.encode(`${keyId}:${Redacted.value(keySecret)}`)
  return Effect.succeed({
    authorization: Redacted.make(`Basic ${encoded}`),
    secrets: [keySecret, Redacted.make(encoded)]
  })
}

// What may stand in a header, without spaces: anything else would be refused by the runtime, which then quotes it.
const visibleAscii = /^[\x21-\x7e]+$/

/** A bearer token: the observability API. Contract: section 5. */
export const bearer = (token: Redacted.Redacted): Effect.Effect<Auth, InvalidRequest> =>
  visibleAscii.test(Redacted.value(token))
    ? Effect.succeed({ authorization: Redacted.make(`Bearer ${Redacted.value(token)}`), secrets: [token] })
    : Effect.fail(invalidOption("token", "Expected a bearer token: visible ASCII characters without spaces"))

/** Shows credentials with a request. */
export const showing = ({ authorization }: Auth) =>
  HttpClientRequest.setHeader("authorization", Redacted.value(authorization))
