import { isTooDeep } from "@headgate/core/adapter"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as MutableRef from "effect/MutableRef"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { maxBodyDepth } from "../http/Limits.ts"
import { CurrentRequest, type HttpEffect } from "../http/RequestLog.ts"
import { bodyText } from "../http/requestBody.ts"
import type { ChosenRule, Faults } from "./Faults.ts"
import type { Journal, JournalBody, JournalEnd, JournalEntryWriter } from "./Journal.ts"
import { applyFault } from "./applyFault.ts"
import { redactHeaders, redactPath, redactQuery } from "./redaction.ts"
import { sendWithFault } from "./sendWithFault.ts"

/** The journal entry of the current request, and the fault rule that was applied to it. */
interface RecordedRequest {
  readonly entry: JournalEntryWriter
  readonly fault: MutableRef.MutableRef<ChosenRule | undefined>
}

const noEntry: JournalEntryWriter = { setCurrent: () => {}, setBody: () => {}, setFault: () => {}, end: () => {} }

const RecordedRequest = Context.Reference<RecordedRequest>("headgate-server/admin/RecordedRequest", {
  defaultValue: () => ({ entry: noEntry, fault: MutableRef.make<ChosenRule | undefined>(undefined) })
})

/** The largest body in the journal, in characters. */
const maxBodyLength = 16 * 1024

const parseJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

const omitted = (bodySize: number, bodyOmitted: string): JournalBody => ({ bodySize, bodyOmitted })

const redactedBody = (text: string, redact: (body: unknown) => unknown): JournalBody => {
  const bodySize = Buffer.byteLength(text)
  if (text === "") return { bodySize }
  if (text.length > maxBodyLength) return omitted(bodySize, `it is longer than ${maxBodyLength} characters`)
  if (isTooDeep(text, maxBodyDepth)) return omitted(bodySize, "it is nested too deeply")
  return Option.match(parseJson(text), {
    onNone: () => omitted(bodySize, "it is not JSON"),
    onSome: (body) => ({ bodySize, body: redact(body) })
  })
}

/** Reads the body of a request for the journal; none if it cannot be read. The handler can read it again. */
const journalBody = (
  request: HttpServerRequest,
  redact: (body: unknown) => unknown
): Effect.Effect<Option.Option<JournalBody>> =>
  request.method === "GET" || request.method === "HEAD"
    ? Effect.succeedNone
    : Effect.option(Effect.map(bodyText(request), (text) => redactedBody(text, redact)))

/** Middleware around each operation: records the body of the request and applies a fault rule. */
export const applyFaults =
  (faults: Faults, redact: (body: unknown) => unknown) =>
  (httpEffect: HttpEffect): HttpEffect =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest
      const { entry, fault } = yield* RecordedRequest
      entry.setCurrent(yield* CurrentRequest)
      Option.map(yield* Effect.interruptible(journalBody(request, redact)), entry.setBody)
      const random = yield* Random.Random
      const rule = faults.choose(request, () => random.nextDoubleUnsafe())
      if (rule === undefined) return yield* httpEffect
      entry.setFault(rule.id)
      MutableRef.set(fault, rule)
      return yield* applyFault(rule, httpEffect)
    })

const outcomeOf = (request: HttpServerRequest, rule: ChosenRule | undefined): JournalEnd["outcome"] => {
  if (NodeHttpServerRequest.toServerResponse(request).destroyed) return "client gone"
  if (rule?.drop !== undefined) return "dropped"
  return rule?.truncate === undefined ? "answered" : "cut short"
}

const endOf = (request: HttpServerRequest, response: HttpServerResponse, rule: ChosenRule | undefined) => ({
  requestId: response.headers["x-request-id"] ?? null,
  outcome: outcomeOf(request, rule),
  ...(rule?.drop === "before"
    ? { status: null, answerSize: null }
    : {
        status: response.status,
        answerSize: response.body._tag === "Empty" ? 0 : (response.body.contentLength ?? null)
      })
})

/** Middleware around the whole server: records each request in the journal, and sends its response with its fault. */
export const recordRequests =
  (journal: Journal) =>
  (httpEffect: HttpEffect): HttpEffect =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest
      const arrival = yield* Clock.monotonicTimeNanos
      const time = DateTime.formatIso(yield* DateTime.now)
      const { headers, method, url } = request
      const entry = journal.add(
        { time, method, path: redactPath(url), query: redactQuery(url), headers: redactHeaders(headers) },
        url
      )
      const fault = MutableRef.make<ChosenRule | undefined>(undefined)
      const end = (fields: Omit<JournalEnd, "milliseconds">) =>
        Effect.map(Clock.monotonicTimeNanos, (now) =>
          entry.end({ ...fields, milliseconds: Number(now - arrival) / 1e6 })
        )
      const response = yield* httpEffect.pipe(
        Effect.provideService(RecordedRequest, { entry, fault }),
        Effect.onInterrupt(() => end({ requestId: null, outcome: "client gone", status: null, answerSize: null }))
      )
      const rule = fault.current
      yield* end(endOf(request, response, rule))
      return yield* rule === undefined ? Effect.succeed(response) : sendWithFault(rule, response)
    })
