import { Unauthorized } from "@headgate/core"
import { Authenticator, ConsoleSession, ConsoleSignIn, decodeRequest } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type { Route } from "../http/Dispatcher.ts"
import { badRequest, type HttpProblem, portProblem, respondWith } from "../http/HttpProblem.ts"
import type { CurrentRequest } from "../http/RequestLog.ts"
import { envelope, noResult } from "../http/envelope.ts"
import { declaredBodyProblem, discardBody, jsonBody } from "../http/requestBody.ts"
import { nodeHeaders } from "../http/requestUrl.ts"
import { accessProblem, countFailure, problemOfSession } from "./Authorization.ts"
import { presentedCredentials } from "./Credentials.ts"
import { RequestLimits } from "./RequestLimits.ts"
import { requireOwnPage, ServerNames } from "./ownPage.ts"

/** The largest body of a sign-in, in bytes. A code has 44 characters. */
const maxSignInBytes = 1024

const decodeSignIn = decodeRequest(Schema.Struct({ code: Schema.String }))

const noSession = new Unauthorized({
  message: "the Authorization header must carry Bearer and the token of a session of the console"
})

type Answer = Effect.Effect<HttpServerResponse, HttpProblem>

/** A route that answers this server's own pages alone, in the shape of the management API and without a challenge for Basic. */
const ownPageRoute = (
  method: Route["method"],
  names: ServerNames,
  answer: (request: HttpServerRequest, current: CurrentRequest) => Answer
): Route => ({
  method,
  path: "/v1/consoleSessions",
  answer: (request, _params, current) => {
    const problem = requireOwnPage(request, names) ?? declaredBodyProblem(request, maxSignInBytes)
    return problem === undefined
      ? Effect.catch(answer(request, current), (problem) => respondWith(problemOfSession(problem)))
      : respondWith(problem)
  }
})

/**
 * How the page of the console signs in and out. `POST /v1/consoleSessions` takes no credentials: it exchanges a code for a session.
 * `DELETE` ends the session that it comes with. Both are this server's own: in no operation table and no OpenAPI document. Contract:
 * docs/wire-contract.md#requests-of-the-console.
 */
export const signInRoutes = Effect.gen(function* () {
  const authenticator = yield* Authenticator
  const signIn = yield* ConsoleSignIn
  const limits = yield* RequestLimits
  const names = yield* ServerNames
  const respond = envelope({ api: "management", success: ConsoleSession })

  const open = (request: HttpServerRequest, current: CurrentRequest): Answer =>
    jsonBody(request, maxSignInBytes).pipe(
      Effect.flatMap((body) => Effect.mapError(decodeSignIn(body), badRequest("body"))),
      Effect.flatMap(({ code }) =>
        signIn
          .exchange(Redacted.make(code, { label: "code" }), Option.getOrUndefined(request.remoteAddress))
          .pipe(countFailure(limits, request, ""), Effect.mapError(accessProblem))
      ),
      Effect.flatMap((session) => respond(session, current, request))
    )

  const close = (request: HttpServerRequest, current: CurrentRequest): Answer => {
    const credentials = presentedCredentials("management", nodeHeaders(request).authorization)
    if (credentials._tag !== "SessionCredentials") return Effect.fail(portProblem(noSession))
    // Authenticated first: a token that was made up costs no write.
    return authenticator.authenticate(credentials, Option.getOrUndefined(request.remoteAddress)).pipe(
      countFailure(limits, request, ""),
      Effect.mapError(accessProblem),
      Effect.tap(() => discardBody(request)),
      Effect.flatMap(() => signIn.signOut(credentials.token)),
      Effect.as(noResult(current))
    )
  }

  return [ownPageRoute("POST", names, open), ownPageRoute("DELETE", names, close)]
})
