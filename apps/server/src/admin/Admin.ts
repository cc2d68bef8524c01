import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Snapshots } from "@headgate/core/snapshot"
import * as Clock from "effect/Clock"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as MutableRef from "effect/MutableRef"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import { RateWindows } from "../access/RateWindows.ts"
import { CurrentExchange } from "../http/CurrentExchange.ts"
import { withEdge } from "../http/Edge.ts"
import { UnderWay, Watchers } from "../http/Exchange.ts"
import type { Handled } from "../http/Handled.ts"
import { Interception } from "../http/Interception.ts"
import type { DocumentReader } from "../snapshot/importDocument.ts"
import { maxAdminBodyBytes } from "./AdminRequest.ts"
import { isAdmin, makeAnswer } from "./AdminRoutes.ts"
import { type ChosenRule, type Faults, makeFaults } from "./Faults.ts"
import { type Journal, type JournalEnd, makeJournal } from "./Journal.ts"
import { observedBody } from "./observedBody.ts"
import { ObservedExchange } from "./ObservedExchange.ts"
import { makeRedactBody, redactHeaders, redactPath, redactQuery } from "./redaction.ts"
import { sendBroken } from "./sendBroken.ts"
import { underFault } from "./underFault.ts"

/** Around the operations: writes down what is asked for, and lets it go wrong where a rule says so. */
const intercept =
  (faults: Faults, redact: (body: unknown) => unknown) =>
  (httpEffect: Handled): Handled =>
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
  (httpEffect: Handled): Handled =>
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
      const answer: Handled = Effect.provideContext(makeAnswer({ beginning, reader, faults, journal }), context)
      const edge = withEdge({
        watchers: yield* Watchers,
        underWay: yield* UnderWay,
        maxBytes: maxAdminBodyBytes
      })
      const observed = observe(journal)
      const admin = edge(answer)
      return {
        operations: intercept(faults, makeRedactBody()),
        exchanges: (httpEffect: Handled): Handled => {
          const ordinary = observed(httpEffect)
          return Effect.flatMap(HttpServerRequest, ({ url }) => (isAdmin(url) ? admin : ordinary))
        }
      }
    })
  ).pipe(
    Layer.provide(SecureRandom.layerWebCrypto),
    Layer.provideMerge(Layer.sync(RateWindows, () => MutableRef.make("headgate:")))
  )
