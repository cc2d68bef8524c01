import type { InvalidRequest } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Base64 from "effect/encoding/Base64"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { refused, secretOption } from "./validateOption.ts"

/** What a caller shows with every request. */
export interface Auth {
  /** The value of the `Authorization` header. */
  readonly authorization: Redacted.Redacted
  /** Whatever of it must not be seen if a service or a runtime echoes it: copies, for a caller may wipe its own. */
  readonly secrets: ReadonlyArray<Redacted.Redacted>
}

/** The ID and the secret of an API key, for HTTP Basic. */
export interface ApiKeyCredentials {
  readonly keyId: string
  readonly keySecret: Redacted.Redacted
}

/** A bearer token. It also says whose dashboards are meant. */
export interface BearerToken {
  readonly token: Redacted.Redacted
}

/** HTTP Basic: the management API. Contract: section 5. */
export const basic = Effect.fnUntraced(function* ({
  keyId,
  keySecret
}: ApiKeyCredentials): Effect.fn.Return<Auth, InvalidRequest> {
  // RFC 7617: the first colon ends the user name.
  if (!Predicate.isString(keyId) || keyId === "" || keyId.includes(":")) {
    return yield* refused("keyId", "the ID of an API key, without a colon")
  }
  const secret = yield* secretOption("keySecret", keySecret, "the secret of an API key")
  if (secret === "") return yield* refused("keySecret", "the secret of an API key, got nothing")
  const encoded = Base64.encode(`${keyId}:${secret}`)
  return {
    authorization: Redacted.make(`Basic ${encoded}`),
    secrets: [secret, encoded].map((text) => Redacted.make(text))
  }
})

// What may stand in a header, without spaces: anything else would be refused by the runtime, which then quotes it.
const visibleAscii = /^[\x21-\x7e]+$/

/** A bearer token: the observability API. Contract: section 5. */
export const bearer = Effect.fnUntraced(function* ({ token }: BearerToken): Effect.fn.Return<Auth, InvalidRequest> {
  const value = yield* secretOption("token", token, "a bearer token")
  if (!visibleAscii.test(value)) {
    return yield* refused("token", "a bearer token: visible ASCII characters without spaces")
  }
  return { authorization: Redacted.make(`Bearer ${value}`), secrets: [Redacted.make(value)] }
})

/** Shows credentials with a request. */
export const showing = ({ authorization }: Auth) =>
  HttpClientRequest.setHeader("authorization", Redacted.value(authorization))
