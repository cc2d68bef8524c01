import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { errorStatuses, type ManagementErrorBody, type ObservabilityErrorBody } from "@headgate/http-contract"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import * as Struct from "effect/Struct"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Record from "effect/Record"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { STATUS_CODES } from "node:http"
import { respondWith } from "../http/HttpProblem.ts"
import { CurrentRequest, type HttpEffect } from "../http/RequestLog.ts"
import { isObservability } from "../http/requestUrl.ts"
import { delayDuration } from "./FaultRule.ts"
import type { ChosenRule } from "./Faults.ts"

/** An error code for a status that the contract has none for: 418 is `I_M_A_TEAPOT`. */
const codeOf = (status: number): string =>
  (STATUS_CODES[status] ?? `HTTP ${status}`).toUpperCase().replaceAll(/[^A-Z0-9]+/gu, "_")

const errorResponse = Effect.fnUntraced(function* (status: number, message: string) {
  const code = Struct.keys(errorStatuses).find((code) => errorStatuses[code] === status)
  if (code !== undefined) return yield* respondWith({ code, message })
  const request = yield* HttpServerRequest
  const { requestId } = yield* CurrentRequest
  const body: ManagementErrorBody | ObservabilityErrorBody = isObservability(request.url)
    ? { message }
    : { status, error: `${codeOf(status)}: ${message}`, requestId }
  return HttpServerResponse.jsonUnsafe(body, { status })
})

const responseWithoutHeaders = ({ body, id }: ChosenRule, status: number) => {
  if (Predicate.isString(body)) return Effect.succeed(HttpServerResponse.text(body, { status }))
  if (body !== undefined) return Effect.succeed(HttpServerResponse.jsonUnsafe(body, { status }))
  return status < 400
    ? Effect.succeed(HttpServerResponse.empty({ status }))
    : errorResponse(status, `fault ${id} of /_admin/faults`)
}

const isRequestId = (name: string): boolean => name.toLowerCase() === "x-request-id"

/**
 * The response of a rule with a status: its body, or an error in the shape of the API that was called. It has no request id, so that
 * the boundary completes it: it has the headers of every answer.
 */
const faultResponse = (rule: ChosenRule, status: number) => {
  const headers = Record.filter(rule.headers ?? {}, (_, name) => !isRequestId(name))
  return Effect.map(responseWithoutHeaders(rule, status), (answer) =>
    // In this order: to remove a header gives an answer the content type of its body again.
    HttpServerResponse.setHeaders(HttpServerResponse.removeHeader(answer, "x-request-id"), headers)
  )
}

/** Waits, with the timeout of the idle connection switched off. */
const wait = Effect.fnUntraced(function* (delay: number | string | undefined) {
  const duration = delayDuration(delay)
  if (Duration.isZero(duration)) return
  const { socket } = NodeHttpServerRequest.toIncomingMessage(yield* HttpServerRequest)
  const timeout = socket.timeout ?? 0
  yield* Effect.acquireUseRelease(
    Effect.sync(() => socket.setTimeout(0)),
    // Interrupted when the client closes the connection. Middleware is not interruptible by default.
    () => Effect.interruptible(Effect.sleep(duration)),
    () => Effect.sync(() => socket.setTimeout(timeout))
  )
})

/** Stands for a response that is never sent. 444 is nginx's status for a connection closed without a response. */
const noResponse = HttpServerResponse.empty({ status: 444 })

/**
 * Handles a request under a fault rule: delays it, replaces its response, or skips it. What the rule does to the response
 * while it is sent is in `sendWithFault`.
 */
export const applyFault = (rule: ChosenRule, httpEffect: HttpEffect): HttpEffect =>
  Effect.gen(function* () {
    yield* wait(rule.delay)
    if (rule.drop === "before") return noResponse
    const isSkipped = rule.status !== undefined && rule.handled !== true
    const exit = isSkipped ? Exit.succeed(noResponse) : yield* Effect.exit(httpEffect)
    if (Exit.hasInterrupts(exit)) return yield* exit
    yield* wait(rule.delayAnswer)
    return yield* rule.status === undefined ? exit : faultResponse(rule, rule.status)
  })
