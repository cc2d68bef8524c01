import {
  fieldIssues,
  PipeAddress,
  PipeState,
  type PortError,
  ServiceAddress,
  type Snapshot,
  Snapshots
} from "@headgate/core"
import { invalidRequest, PipeSimulation, ServiceState, StoredServices } from "@headgate/core/adapter"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as MutableRef from "effect/MutableRef"
import * as Schema from "effect/Schema"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { RateLimitKeyPrefix } from "../access/RequestLimits.ts"
import { presentedCredentials } from "../access/Credentials.ts"
import { badRequest, type HttpProblem, portProblem, respondWith } from "../http/HttpProblem.ts"
import { declaredBodyProblem, jsonBody } from "../http/requestBody.ts"
import { headerProblem } from "../http/requestHeaders.ts"
import { nodeHeaders, routedPath } from "../http/requestUrl.ts"
import { type DocumentReader, importDocument } from "../store/importDocument.ts"
import { FaultRules, PathPattern } from "./FaultRule.ts"
import type { AdminAccess } from "./AdminAccess.ts"
import type { Faults } from "./Faults.ts"
import { type Journal, journalCapacity } from "./Journal.ts"
import { runHeader, runId } from "./runId.ts"

/** The largest body that `/_admin` accepts, in bytes. A seed may hold a whole store, so its values are not counted. */
const maxBodyBytes = 64 * 1024 * 1024

const bodyOf = (request: HttpServerRequest) =>
  jsonBody(request, maxBodyBytes, { maxValues: Infinity, maxFields: Infinity })

const decode = <A>(schema: Schema.Codec<A, unknown>, input: unknown, part: "params" | "body") =>
  Effect.mapError(Schema.decodeUnknownEffect(schema, { errors: "all", onExcessProperty: "error" })(input), (error) =>
    badRequest(part)(invalidRequest(fieldIssues(error)))
  )

const decodeBody = <A>(schema: Schema.Codec<A, unknown>, request: HttpServerRequest) =>
  Effect.flatMap(bodyOf(request), (body) => decode(schema, body, "body"))

/** The query of a request. The last of equal parameters counts. */
const queryOf = ({ url }: HttpServerRequest) =>
  Object.fromEntries(new URLSearchParams(url.split(/\?(.*)/su, 2)[1] ?? ""))

const isJson = (contentType: string | undefined): boolean => /^application\/json\s*(?:;|$)/iu.test(contentType ?? "")

const hasBody = ({ headers }: HttpServerRequest): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0

/** Rejects bodies of other types, also where the body is not read: a page in a browser may send those without asking. */
const unsupportedBody = (request: HttpServerRequest): HttpProblem | undefined =>
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

/** The body of `PUT /_admin/pipe-state`: the pipe stays in this state until the next command. */
const PipeHold = Schema.Struct({
  ...PipeAddress.fields,
  state: PipeState,
  message: Schema.optionalKey(
    Schema.String.check(Schema.isMaxLength(4096, { message: "Expected at most 4096 characters" }))
  )
})

/** The body of `POST /_admin/clock`: how much earlier steps come that are under way. */
const ClockChange = Schema.Struct({
  forwardMs: Schema.Finite.check(
    Schema.isBetween({ minimum: 0, maximum: 86_400_000 }, { message: "Expected milliseconds from 0 to 86400000" })
  )
})

/** The body of `PUT /_admin/service-state`. */
const ServiceHold = Schema.Struct({ ...ServiceAddress.fields, state: ServiceState })

/** What the handlers need of the store. */
type StorePorts = PipeSimulation | Snapshots | StoredServices

/** Returns the body of the response. */
type Handler = (request: HttpServerRequest) => Effect.Effect<object, HttpProblem, StorePorts | SecureRandom>
type Methods = Readonly<Partial<Record<string, Handler>>>

/** What the routes read and change, beside the store. */
export interface AdminState {
  /** The content of the store at the start of the server: a reset restores it. */
  readonly initial: Snapshot
  readonly faults: Faults
  readonly journal: Journal
  readonly reader: DocumentReader
  readonly access: (typeof AdminAccess)["Service"]
}

const portErrorsAsProblems = <A, R>(effect: Effect.Effect<A, PortError, R>) => Effect.mapError(effect, portProblem)

/** The answer of a gateway, whose pipes are those of its upstream. */
const noSimulation: HttpProblem = {
  code: "CONFLICT",
  message: "a gateway simulates nothing: services and pipes are those of its upstream"
}

const holdPipe = (
  simulation: PipeSimulation["Service"],
  { message, state, ...address }: typeof PipeHold.Type
): Effect.Effect<object, PortError> => Effect.as(simulation.hold(address, state, message), { state })

const forwardClock = (
  simulation: PipeSimulation["Service"],
  { forwardMs }: typeof ClockChange.Type
): Effect.Effect<object, PortError> => Effect.as(simulation.forward(Duration.millis(forwardMs)), { forwardMs })

const setServiceState = (body: Effect.Effect<typeof ServiceHold.Type, HttpProblem>) =>
  Effect.gen(function* () {
    const { state, ...address } = yield* body
    const stored = yield* StoredServices
    return yield* portErrorsAsProblems(Effect.as(stored.forceState(address, state), { state }))
  })

const makeRoutes = ({ faults, initial, journal, reader }: AdminState) => {
  const listFaults = () => ({ rules: faults.list() })

  const reset = Effect.gen(function* () {
    const snapshots = yield* Snapshots
    const random = yield* SecureRandom
    const windows = yield* RateLimitKeyPrefix
    // The store first, because it may fail: the rest is reset only if the store was.
    const { added, removed } = yield* snapshots.replace(initial)
    faults.replace([])
    journal.clear()
    MutableRef.set(windows, `headgate:${yield* random.uuidV4()}:`)
    return { removed, restored: added }
  })

  /** Calls the simulation of the store, which a gateway does not serve. */
  const simulate = <A>(
    body: Effect.Effect<A, HttpProblem>,
    use: (simulation: PipeSimulation["Service"], body: A) => Effect.Effect<object, PortError>
  ) =>
    Effect.gen(function* () {
      if (reader.isGateway) return yield* Effect.fail(noSimulation)
      const simulation = yield* PipeSimulation
      return yield* portErrorsAsProblems(use(simulation, yield* body))
    })

  const routes: Readonly<Record<string, Methods>> = {
    "/_admin/reset": { POST: () => portErrorsAsProblems(reset) },
    "/_admin/seed": {
      POST: (request) =>
        Effect.flatMap(bodyOf(request), (document) => portErrorsAsProblems(importDocument(document, reader)))
    },
    "/_admin/pipe-state": { PUT: (request) => simulate(decodeBody(PipeHold, request), holdPipe) },
    "/_admin/service-state": {
      PUT: (request) =>
        reader.isGateway ? Effect.fail(noSimulation) : setServiceState(decodeBody(ServiceHold, request))
    },
    "/_admin/clock": { POST: (request) => simulate(decodeBody(ClockChange, request), forwardClock) },
    "/_admin/requests": {
      GET: (request) => Effect.map(decode(JournalQuery, queryOf(request), "params"), journal.list),
      DELETE: () => Effect.sync(() => ({ removed: journal.clear() }))
    },
    "/_admin/faults": {
      GET: () => Effect.sync(listFaults),
      PUT: (request) =>
        bodyOf(request).pipe(
          Effect.flatMap((body) => decode(FaultRules, body, "body")),
          Effect.map(({ rules }) => {
            faults.replace(rules)
            return listFaults()
          })
        ),
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

/** Rejects a request that was meant for another run, whose port this server has now. */
const otherRun = ({ headers }: HttpServerRequest): HttpProblem | undefined => {
  const meant = headers[runHeader]
  return meant === undefined || meant === runId
    ? undefined
    : {
        code: "CONFLICT",
        message: `${runHeader}: another run of headgate-server listens here, ${runId}: start yours on another port`
      }
}

/** The page of the console is of the origin of `/_admin`, and who uses it is no test. */
const ofSession = (request: HttpServerRequest): HttpProblem | undefined =>
  presentedCredentials("management", nodeHeaders(request).authorization)._tag === "SessionCredentials"
    ? { code: "FORBIDDEN", message: "/_admin takes no session of the console" }
    : undefined

const pathOf = (url: string): string => routedPath(url).replace(/\/$/u, "")

/** Whether a URL belongs to `/_admin`. */
export const isAdmin = (url: string): boolean => `${pathOf(url)}/`.startsWith("/_admin/")

/** The effect that answers a request to `/_admin`. */
export const adminRoutes = (state: AdminState) => {
  const routes = makeRoutes(state)
  const paths = Object.keys(routes).join(", ")

  return Effect.gen(function* () {
    const request = yield* HttpServerRequest
    const problem =
      headerProblem(request) ??
      (yield* state.access(request)) ??
      ofSession(request) ??
      otherRun(request) ??
      declaredBodyProblem(request, maxBodyBytes) ??
      unsupportedBody(request)
    if (problem !== undefined) return yield* respondWith(problem)
    const methods = routes[pathOf(request.url)]
    if (methods === undefined) return yield* respondWith({ code: "NOT_FOUND", message: `there are ${paths}` })
    const handler = methods[request.method]
    if (handler === undefined) {
      const allow = Object.keys(methods).join(", ")
      return yield* respondWith({ code: "METHOD_NOT_ALLOWED", message: `this path takes ${allow}`, headers: { allow } })
    }
    return yield* Effect.matchEffect(handler(request), {
      onFailure: respondWith,
      onSuccess: (body) => Effect.succeed(HttpServerResponse.jsonUnsafe(body))
    })
  }).pipe(Effect.map(HttpServerResponse.setHeader(runHeader, runId)))
}
