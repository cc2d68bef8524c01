import type { PortError } from "@headgate/core"
import { decodeRequest, documentKinds, type Principal } from "@headgate/core/adapter"
import { type AnyOperation, hasQuery, noPayload, type Operation } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type { Route } from "./Dispatcher.ts"
import { badRequest, type HttpProblem, respondWith } from "./HttpProblem.ts"
import type { CurrentRequest } from "./RequestLog.ts"
import { addHeaders, type HeaderFields } from "./answerHeaders.ts"
import { envelope, type JsonList, type JsonText } from "./envelope.ts"
import { idempotencyOf } from "./idempotency.ts"
import { ifMatchOf } from "./ifMatch.ts"
import { pageOf, queryOf } from "./paging.ts"
import { discardBody, jsonBody } from "./requestBody.ts"
import { validateOnlyOf } from "./validateOnly.ts"

/** What an operation is called with, once its caller is authorized and all of it is decoded. */
export interface OperationRequest<Params, Payload> {
  readonly params: Params
  readonly payload: Payload
  readonly principal: Principal
}

/** What answers an operation: a port's method. */
type Handler<O> =
  O extends Operation<infer Params, infer Payload, infer Success, any>
    ? (
        request: OperationRequest<Params, Payload>
      ) => Effect.Effect<Success | JsonText | (Success extends ReadonlyArray<unknown> ? JsonList : never), PortError>
    : never

/** A handler for every row of a noun's table: a new row does not compile until it has one. */
export type Handlers<Table> = { readonly [Name in keyof Table]: Handler<Table[Name]> }

/** A caller who may do what they ask for. */
export interface Authorized {
  readonly principal: Principal
  /** The headers of the caller's rate limit, if there is one. */
  readonly headers?: HeaderFields | undefined
}

/** Authenticates the caller of an operation and checks that they may call it. */
export type Authorize = (
  request: HttpServerRequest,
  operation: AnyOperation,
  organizationId: string | undefined
) => Effect.Effect<Authorized, HttpProblem>

const decodeParams = (params: AnyOperation["params"]) => {
  const decode = decodeRequest(params)
  return (input: unknown) => Effect.mapErrorEager(decode(input), badRequest("params"))
}

const decodePayload = (payload: AnyOperation["payload"]) => {
  const decode = decodeRequest(payload)
  return (request: HttpServerRequest) =>
    Effect.flatMapEager(jsonBody(request), (json) => Effect.mapErrorEager(decode(json), badRequest("body")))
}

const decodeQuery = (payload: AnyOperation["payload"]) => {
  const decode = decodeRequest(payload)
  return (request: HttpServerRequest) =>
    Effect.andThen(discardBody(request), Effect.mapError(decode(queryOf(request.url)), badRequest("params")))
}

/** Reads the payload of an operation. `body` decodes its body in place of its schema. */
const payloadReader = (operation: AnyOperation, body: AnyOperation["payload"]) => {
  if (operation.payload === noPayload) return discardBody
  return hasQuery(operation) ? decodeQuery(operation.payload) : decodePayload(body)
}

// The path parameters whose value may be any text: what was imported has any id.
const anyText: ReadonlySet<string> = new Set([
  "dashboardId",
  "connectionId",
  "sourceId",
  ...Object.values(documentKinds).map(({ noun }) => `${noun}Id`)
])

/** The route of an operation: authorize, decode the parameters and the body, call the handler, write the envelope. */
const operationRoute = (
  operation: AnyOperation,
  handler: (request: OperationRequest<any, any>) => Effect.Effect<unknown, PortError>,
  authorize: Authorize,
  body: AnyOperation["payload"] = operation.payload
): Route => {
  const paramsOf = decodeParams(operation.params)
  const payloadOf = payloadReader(operation, body)
  const runChangeOf = ifMatchOf(operation)
  const runHandler = validateOnlyOf(operation, idempotencyOf(operation))
  const cutOf = pageOf(operation)
  const respond = envelope(operation)
  const { errorField, notFoundMessage } = operation
  const asAnswered = (problem: HttpProblem): HttpProblem => {
    const answered = errorField === undefined ? problem : { ...problem, field: errorField }
    return problem.code === "NOT_FOUND" && notFoundMessage !== undefined
      ? { ...answered, plainTextMessage: notFoundMessage }
      : answered
  }

  const answer = (
    request: HttpServerRequest,
    rawParams: unknown,
    principal: Principal,
    current: CurrentRequest
  ): Effect.Effect<HttpServerResponse, HttpProblem> =>
    Effect.flatMapEager(paramsOf(rawParams), (params) =>
      Effect.flatMapEager(runChangeOf(request), (runChange) =>
        Effect.flatMapEager(payloadOf(request), (payload) => {
          const handled = runChange(handler({ params, payload, principal }))
          return Effect.flatMapEager(cutOf(request), (cut) =>
            Effect.flatMapEager(
              Effect.mapErrorEager(runHandler(request, { principal, params }, handled), asAnswered),
              (value) => respond(cut(value), current, request)
            )
          )
        })
      )
    )

  return {
    method: operation.method,
    path: operation.path,
    answer: (request, spelled, current) => {
      // A UUID may be written in capitals (RFC 9562). Other ids are any text.
      const params: Record<string, string | undefined> = {}
      for (const name in spelled) params[name] = anyText.has(name) ? spelled[name] : spelled[name]?.toLowerCase()
      const authorized = authorize(request, operation, params["organizationId"])
      return Effect.matchEffect(authorized, {
        onFailure: respondWith,
        onSuccess: ({ headers, principal }) => {
          const outcome = Effect.catchEager(answer(request, params, principal, current), respondWith)
          return headers === undefined ? outcome : Effect.map(outcome, (made) => addHeaders(made, headers))
        }
      })
    }
  }
}

/** The routes of a noun's table. `body` decodes the bodies in place of the schemas of the rows. */
export const operationRoutes = <Table extends { readonly [name: string]: AnyOperation }>(
  table: Table,
  handlers: Handlers<Table>,
  authorize: Authorize,
  body?: AnyOperation["payload"]
): ReadonlyArray<Route> =>
  Object.entries(table).map(([name, operation]) =>
    // Keyed by the same names: `Handlers` is a mapped type over the table.
    operationRoute(
      operation,
      handlers[name] as (request: OperationRequest<any, any>) => Effect.Effect<unknown, PortError>,
      authorize,
      body
    )
  )
