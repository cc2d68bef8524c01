import { fieldIssues, formatFieldIssues, InvalidRequest, type Snapshot, Snapshots } from "@headgate/core"
import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import * as MutableRef from "effect/MutableRef"
import * as Schema from "effect/Schema"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { MaxBodySize } from "effect/http/HttpIncomingMessage"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { RateWindows } from "../access/RequestLimits.ts"
import { foreignCaller } from "../access/localOnly.ts"
import { type HttpProblem, respondWith, respondWithPortError } from "../http/HttpProblem.ts"
import { isTooDeep } from "../http/requestBody.ts"
import { routedPath } from "../http/requestUrl.ts"
import { type DocumentReader, importDocument } from "../store/importDocument.ts"
import { FaultRules, PathPattern } from "./FaultRule.ts"
import type { Faults } from "./Faults.ts"
import { type Journal, journalCapacity } from "./Journal.ts"

/** The largest body that `/_admin` takes, in bytes: a seed is as large as the state it brings. */
export const maxAdminBodyBytes = 64 * 1024 * 1024

const strictly = { errors: "all", onExcessProperty: "error" } as const

const decoded = <A>(schema: Schema.Codec<A, unknown>, input: unknown): Effect.Effect<A, InvalidRequest> =>
  Schema.decodeUnknownEffect(
    schema,
    strictly
  )(input).pipe(
    Effect.mapError((error) => {
      const issues = fieldIssues(error)
      return new InvalidRequest({ message: formatFieldIssues(issues), issues })
    })
  )

const parsed = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Unknown))

const badBody = (message: string) => new InvalidRequest({ message: `body: ${message}`, issues: [] })

/** The body of a request as JSON. Fails with `InvalidRequest`; a body that is too large is a defect, as everywhere. */
export const jsonBody = (request: HttpServerRequest): Effect.Effect<unknown, InvalidRequest> =>
  Effect.gen(function* () {
    const text = yield* Effect.orDie(request.text)
    if (isTooDeep(text)) return yield* badBody("Expected JSON that is nested less deeply")
    return yield* parsed(text).pipe(Effect.mapError(() => badBody("Expected valid JSON")))
  }).pipe(Effect.provideService(MaxBodySize, ByteSize.fromInputUnsafe(maxAdminBodyBytes)))

/** The body of a request, checked. Fails with `InvalidRequest`, which names every field that is wrong. */
export const checkedBody = <A>(request: HttpServerRequest, schema: Schema.Codec<A, unknown>) =>
  Effect.flatMap(jsonBody(request), (body) => decoded(schema, body))

/** The query of a request, checked. Of a parameter that stands twice, the last counts. */
export const checkedQuery = <A>({ url }: HttpServerRequest, schema: Schema.Codec<A, unknown>) =>
  decoded(schema, Object.fromEntries(new URLSearchParams(url.split(/\?(.*)/su, 2)[1] ?? "")))

const isJson = (contentType: string | undefined): boolean => /^application\/json\s*(?:;|$)/iu.test(contentType ?? "")

const hasBody = ({ headers }: HttpServerRequest): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0

/** A body of another type is refused: without asking first, a page in a browser can send no JSON. */
export const unsupportedBody = (request: HttpServerRequest): HttpProblem | undefined =>
  hasBody(request) && !isJson(request.headers["content-type"])
    ? { code: "UNSUPPORTED_MEDIA_TYPE", message: "content-type: Expected application/json" }
    : undefined

const limitIssue = `Expected a whole number from 1 to ${journalCapacity}`

/** The query of `GET /_admin/requests`. */
const JournalQuery = Schema.Struct({
  method: Schema.optionalKey(Schema.String),
  path: Schema.optionalKey(PathPattern),
  status: Schema.optionalKey(
    Schema.NumberFromString.check(Schema.isInt({ message: "Expected an HTTP status, such as 503" }))
  ),
  limit: Schema.optionalKey(
    Schema.NumberFromString.check(
      Schema.isInt({ message: limitIssue }),
      Schema.isBetween({ minimum: 1, maximum: journalCapacity }, { message: limitIssue })
    )
  )
})

/** What an answer says of what was done. */
type Outcome<R = never> = Effect.Effect<object, InvalidRequest, R>
type Handler<R> = (request: HttpServerRequest) => Outcome<R>
type Methods<R> = Readonly<Partial<Record<string, Handler<R>>>>

/** What the routes work on. */
export interface AdminState {
  /** What the store held when the server began. */
  readonly beginning: Snapshot
  readonly faults: Faults
  readonly journal: Journal
  readonly reader: DocumentReader
}

const makeRoutes = ({ beginning, faults, journal, reader }: AdminState) => {
  const listFaults = () => ({ rules: faults.list() })

  const reset = Effect.gen(function* () {
    const snapshots = yield* Snapshots
    const random = yield* SecureRandom
    const windows = yield* RateWindows
    // First what may fail: all else is forgotten only when the store is as it was.
    const { added, removed } = yield* snapshots.replace(beginning)
    faults.replace([])
    journal.clear()
    MutableRef.set(windows, `headgate:${yield* random.uuidV4()}:`)
    return { removed, restored: added }
  })

  const routes: Readonly<Record<string, Methods<Snapshots | SecureRandom>>> = {
    "/_admin/reset": { POST: () => reset },
    "/_admin/seed": {
      POST: (request) => Effect.flatMap(jsonBody(request), (document) => importDocument(document, reader))
    },
    "/_admin/requests": {
      GET: (request) => Effect.map(checkedQuery(request, JournalQuery), journal.list),
      DELETE: () => Effect.sync(() => ({ removed: journal.clear() }))
    },
    "/_admin/faults": {
      GET: () => Effect.sync(listFaults),
      PUT: (request) =>
        Effect.map(checkedBody(request, FaultRules), ({ rules }) => {
          faults.replace(rules)
          return listFaults()
        }),
      DELETE: () =>
        Effect.sync(() => {
          const removed = faults.list().length
          faults.replace([])
          return { removed }
        })
    }
  }
  return routes
}

const pathOf = (url: string): string => routedPath(url).replace(/\/$/u, "")

/** Whether a URL belongs to `/_admin`. */
export const isAdmin = (url: string): boolean => `${pathOf(url)}/`.startsWith("/_admin/")

/** Answers a request to `/_admin`. */
export const makeAnswer = (state: AdminState) => {
  const routes = makeRoutes(state)
  const paths = Object.keys(routes).join(", ")

  return Effect.gen(function* () {
    const request = yield* HttpServerRequest
    const refusal = foreignCaller("/_admin", request) ?? unsupportedBody(request)
    if (refusal !== undefined) return yield* respondWith(refusal)
    const methods = routes[pathOf(request.url)]
    if (methods === undefined) return yield* respondWith({ code: "NOT_FOUND", message: `there are ${paths}` })
    const handler = methods[request.method]
    if (handler === undefined) {
      const allow = Object.keys(methods).join(", ")
      return yield* respondWith({ code: "METHOD_NOT_ALLOWED", message: `this path takes ${allow}`, headers: { allow } })
    }
    return yield* handler(request).pipe(
      Effect.map((answer) => HttpServerResponse.jsonUnsafe(answer)),
      Effect.catch(respondWithPortError)
    )
  })
}
