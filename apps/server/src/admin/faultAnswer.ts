import {
  type ErrorCode,
  errorStatuses,
  type ManagementErrorBody,
  type ObservabilityErrorBody
} from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Predicate from "effect/Predicate"
import { STATUS_CODES } from "node:http"
import { CurrentExchange } from "../http/CurrentExchange.ts"
import { refuse } from "../http/errorResponse.ts"
import { isObservability } from "../http/RoutedPath.ts"
import type { ChosenRule } from "./Faults.ts"

// Object.keys forgets which keys they are.
const knownCodes = Object.keys(errorStatuses) as ReadonlyArray<ErrorCode>

/** The code of a status that the server has no code for: 502 is BAD_GATEWAY. */
const foreignCode = (status: number): string =>
  (STATUS_CODES[status] ?? `HTTP ${status}`).toUpperCase().replaceAll(/[^A-Z0-9]+/gu, "_")

const errorAnswer = Effect.fnUntraced(function* (status: number, message: string) {
  const code = knownCodes.find((code) => errorStatuses[code] === status)
  if (code !== undefined) return yield* refuse({ code, message })
  const request = yield* HttpServerRequest
  const { requestId } = yield* CurrentExchange
  const body: ManagementErrorBody | ObservabilityErrorBody = isObservability(request.url)
    ? { message }
    : { status, error: `${foreignCode(status)}: ${message}`, requestId }
  return HttpServerResponse.jsonUnsafe(body, { status })
})

const plainAnswer = ({ body, id }: ChosenRule, status: number) => {
  if (Predicate.isString(body)) return Effect.succeed(HttpServerResponse.text(body, { status }))
  if (body !== undefined) return Effect.succeed(HttpServerResponse.jsonUnsafe(body, { status }))
  return status < 400
    ? Effect.succeed(HttpServerResponse.empty({ status }))
    : errorAnswer(status, `fault ${id} of /_admin/faults`)
}

/** The answer of a rule that has a status: its own body, or an error in the shape of the API that was called. */
export const faultAnswer = (rule: ChosenRule, status: number) =>
  Effect.map(plainAnswer(rule, status), HttpServerResponse.setHeaders(rule.headers ?? {}))
