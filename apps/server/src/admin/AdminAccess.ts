import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { hash, timingSafeEqual } from "node:crypto"
import { RequestLimits } from "../access/RequestLimits.ts"
import { requireLocalCaller } from "../access/localOnly.ts"
import type { HttpProblem } from "../http/HttpProblem.ts"

/** The header of `/_admin` that carries the admin token. */
export const tokenHeader = "headgate-admin-token"

const unauthorized = (message: string): HttpProblem => ({
  code: "UNAUTHORIZED",
  message: `${tokenHeader}: ${message}`,
  // Not Basic: a browser would ask for a user name.
  headers: { "www-authenticate": "Headgate-Admin-Token" }
})

const digest = (text: string): Buffer => hash("sha256", text, "buffer")

/** Why a request may not use `/_admin`; `undefined` if it may. Without an admin token, programs on this machine may. */
export const AdminAccess = Context.Reference<(request: HttpServerRequest) => Effect.Effect<HttpProblem | undefined>>(
  "headgate-server/admin/AdminAccess",
  {
    defaultValue: () => (request) => Effect.succeed(requireLocalCaller("/_admin", request))
  }
)

/**
 * Lets in who sends the admin token, from any address. No page in a browser can: the header needs a preflight request, which is never
 * answered. Wrong tokens count as failed logins of the address of the connection.
 */
export const tokenAccess = (token: Redacted.Redacted): Layer.Layer<never, never, RequestLimits> =>
  Layer.effect(
    AdminAccess,
    Effect.map(RequestLimits, ({ afterFailedLogin }) => {
      const expected = digest(Redacted.value(token))
      return (request: HttpServerRequest): Effect.Effect<HttpProblem | undefined> => {
        const sent = request.headers[tokenHeader]
        if (sent === undefined) return Effect.succeed(unauthorized("Missing: this server has an admin token"))
        if (timingSafeEqual(digest(sent), expected)) return Effect.succeed(undefined)
        const address = Option.getOrElse(request.peerAddress, () => "")
        return Effect.match(afterFailedLogin(address, tokenHeader), {
          onFailure: ({ headers, message }): HttpProblem => ({ code: "TOO_MANY_REQUESTS", message, headers }),
          onSuccess: () => unauthorized("Expected the admin token of this server")
        })
      }
    })
  )
