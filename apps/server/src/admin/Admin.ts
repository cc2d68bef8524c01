import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Snapshots } from "@headgate/core"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as MutableRef from "effect/MutableRef"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import { RateWindows } from "../access/RequestLimits.ts"
import { errorBoundary } from "../http/ErrorBoundary.ts"
import { Interception } from "../http/Interception.ts"
import { CurrentExchange, type HttpEffect, UnderWay, Watchers } from "../http/RequestLog.ts"
import { bodyText, isTooDeep } from "../http/requestBody.ts"
import type { DocumentReader } from "../store/importDocument.ts"
import { isAdmin, makeAnswer } from "./AdminRoutes.ts"
import { type ChosenRule, type Faults, makeFaults } from "./Faults.ts"
import { type Journal, type JournalBody, type JournalEnd, type JournalPage, makeJournal } from "./Journal.ts"
import { underFault } from "./faultAnswer.ts"
import { makeRedactBody, redactHeaders, redactPath, redactQuery } from "./redaction.ts"
import { sendBroken } from "./sendBroken.ts"

/** What is written down of the exchange under way, and the fault that it got. */
export interface ObservedExchange {
  readonly page: JournalPage
  readonly fault: MutableRef.MutableRef<ChosenRule | undefined>
}

const unwritten: JournalPage = { known: () => {}, body: () => {}, fault: () => {}, end: () => {} }

/** Opened where a request arrives, filled where its operation is done. */
export const ObservedExchange = Context.Reference<ObservedExchange>("headgate-server/admin/ObservedExchange", {
  defaultValue: () => ({ page: unwritten, fault: MutableRef.make<ChosenRule | undefined>(undefined) })
})

/** The largest body that is shown, in characters. */
const maxShown = 16 * 1024

const parsed = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

const omitted = (bodySize: number, bodyOmitted: string): JournalBody => ({ bodySize, bodyOmitted })

const described = (text: string, redact: (body: unknown) => unknown): JournalBody => {
  const bodySize = Buffer.byteLength(text)
  if (text === "") return { bodySize }
  if (text.length > maxShown) return omitted(bodySize, `it is longer than ${maxShown} characters`)
  if (isTooDeep(text)) return omitted(bodySize, "it is nested too deeply")
  return Option.match(parsed(text), {
    onNone: () => omitted(bodySize, "it is not JSON"),
    onSome: (body) => ({ bodySize, body: redact(body) })
  })
}

/**
 * The body of a request as it may be shown, read to its end; none where it cannot be read. It is kept for whoever reads
 * it next.
 */
export const observedBody = (
  request: HttpServerRequest,
  redact: (body: unknown) => unknown
): Effect.Effect<Option.Option<JournalBody>> =>
  request.method === "GET" || request.method === "HEAD"
    ? Effect.succeedNone
    : Effect.option(Effect.map(bodyText(request), (text) => described(text, redact)))

/** Around the operations: writes down what is asked for, and lets it go wrong where a rule says so. */
const intercept =
  (faults: Faults, redact: (body: unknown) => unknown) =>
  (httpEffect: HttpEffect): HttpEffect =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest
      const { fault, page } = yield* ObservedExchange
      page.known(yield* CurrentExchange)
      Option.map(yield* Effect.interruptible(observedBody(request, redact)), page.body)
      const random = yield* Random.Random
      const rule = faults.choose(request, () => random.nextDoubleUnsafe())
      if (rule === undefined) return yield* httpEffect
      page.fault(rule.id)
      MutableRef.set(fault, rule)
      return yield* underFault(rule, httpEffect)
    })

const outcomeOf = (request: HttpServerRequest, rule: ChosenRule | undefined): JournalEnd["outcome"] => {
  if (NodeHttpServerRequest.toServerResponse(request).destroyed) return "client gone"
  if (rule?.drop !== undefined) return "dropped"
  return rule?.truncate === undefined ? "answered" : "cut short"
}

const endOf = (request: HttpServerRequest, answer: HttpServerResponse, rule: ChosenRule | undefined) => ({
  requestId: answer.headers["x-request-id"] ?? null,
  outcome: outcomeOf(request, rule),
  ...(rule?.drop === "before"
    ? { status: null, answerSize: null }
    : { status: answer.status, answerSize: answer.body._tag === "Empty" ? 0 : (answer.body.contentLength ?? null) })
})

/** Around everything: keeps the journal, and breaks answers on their way out. */
const observe =
  (journal: Journal) =>
  (httpEffect: HttpEffect): HttpEffect =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest
      const arrived = yield* Clock.monotonicTimeNanos
      const time = DateTime.formatIso(yield* DateTime.now)
      const { headers, method, url } = request
      const page = journal.open(
        { time, method, path: redactPath(url), query: redactQuery(url), headers: redactHeaders(headers) },
        url
      )
      const fault = MutableRef.make<ChosenRule | undefined>(undefined)
      const end = (known: Omit<JournalEnd, "milliseconds">) =>
        Effect.map(Clock.monotonicTimeNanos, (now) => page.end({ ...known, milliseconds: Number(now - arrived) / 1e6 }))
      const answer = yield* httpEffect.pipe(
        Effect.provideService(ObservedExchange, { page, fault }),
        Effect.onInterrupt(() => end({ requestId: null, outcome: "client gone", status: null, answerSize: null }))
      )
      const rule = fault.current
      yield* end(endOf(request, answer, rule))
      return yield* rule === undefined ? Effect.succeed(answer) : sendBroken(rule, answer)
    })

/**
 * What `--admin` adds: `/_admin`, the journal and the faults. What the store holds when it is built is what a reset
 * takes it back to. Not for servers that others can reach.
 */
export const layer = (reader: DocumentReader): Layer.Layer<never, never, Snapshots> =>
  Layer.effect(
    Interception,
    Effect.gen(function* () {
      const context = yield* Effect.context<Snapshots | SecureRandom.SecureRandom>()
      const beginning = yield* (yield* Snapshots).export
      const [faults, journal] = [makeFaults(), makeJournal()]
      const answer: HttpEffect = Effect.provideContext(makeAnswer({ beginning, reader, faults, journal }), context)
      const boundary = errorBoundary(yield* Watchers, yield* UnderWay)
      const observed = observe(journal)
      const admin = boundary(answer)
      return {
        operations: intercept(faults, makeRedactBody()),
        exchanges: (httpEffect: HttpEffect): HttpEffect => {
          const ordinary = observed(httpEffect)
          return Effect.flatMap(HttpServerRequest, ({ url }) => (isAdmin(url) ? admin : ordinary))
        }
      }
    })
  ).pipe(
    Layer.provide(SecureRandom.layerWebCrypto),
    Layer.provideMerge(Layer.sync(RateWindows, () => MutableRef.make("headgate:")))
  )
