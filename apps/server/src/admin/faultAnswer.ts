import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import {
  type ErrorCode,
  errorStatuses,
  type ManagementErrorBody,
  type ObservabilityErrorBody
} from "@headgate/http-contract"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { STATUS_CODES } from "node:http"
import { respondWith } from "../http/HttpProblem.ts"
import { CurrentExchange, type HttpEffect } from "../http/RequestLog.ts"
import { isObservability } from "../http/requestUrl.ts"
import { delayDuration } from "./FaultRule.ts"
import type { ChosenRule } from "./Faults.ts"

// Object.keys forgets which keys they are.
const knownCodes = Object.keys(errorStatuses) as ReadonlyArray<ErrorCode>

/** The code of a status that the server has no code for: 502 is BAD_GATEWAY. */
const foreignCode = (status: number): string =>
  (STATUS_CODES[status] ?? `HTTP ${status}`).toUpperCase().replaceAll(/[^A-Z0-9]+/gu, "_")

const errorAnswer = Effect.fnUntraced(function* (status: number, message: string) {
  const code = knownCodes.find((code) => errorStatuses[code] === status)
  if (code !== undefined) return yield* respondWith({ code, message })
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

/** Waits, and sees to it that the server's own patience with a silent connection does not end before. */
const held = Effect.fnUntraced(function* (delay: number | string | undefined) {
  const duration = delayDuration(delay)
  if (Duration.isZero(duration)) return
  const { socket } = NodeHttpServerRequest.toIncomingMessage(yield* HttpServerRequest)
  const patience = socket.timeout ?? 0
  yield* Effect.acquireUseRelease(
    Effect.sync(() => socket.setTimeout(0)),
    // A client that gives up ends it, though what stands around the routes is not interrupted otherwise.
    () => Effect.interruptible(Effect.sleep(duration)),
    () => Effect.sync(() => socket.setTimeout(patience))
  )
})

/** What is told of an answer that was never made: the number under which servers log a connection closed without one. */
const noAnswer = HttpServerResponse.empty({ status: 444 })

/**
 * Does what was asked for under a fault: holds it, answers something else, or loses it. What the fault does to the
 * answer on its way out, `sendBroken` does.
 */
export const underFault = (rule: ChosenRule, httpEffect: HttpEffect): HttpEffect =>
  Effect.gen(function* () {
    yield* held(rule.delay)
    if (rule.drop === "before") return noAnswer
    const skipped = rule.status !== undefined && rule.handled !== true
    const outcome = skipped ? Exit.succeed(noAnswer) : yield* Effect.exit(httpEffect)
    if (Exit.hasInterrupts(outcome)) return yield* outcome
    yield* held(rule.delayAnswer)
    return yield* rule.status === undefined ? outcome : faultAnswer(rule, rule.status)
  })
