import type { InvalidRequest } from "@headgate/core/error"
import type { Snapshot } from "@headgate/core/snapshot"
import { Snapshots } from "@headgate/core/snapshot"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as MutableRef from "effect/MutableRef"
import * as Schema from "effect/Schema"
import { foreignCaller } from "../access/foreignCaller.ts"
import { RateWindows } from "../access/RateWindows.ts"
import { errorResponse, refuse } from "../http/errorResponse.ts"
import { routedPath } from "../http/RoutedPath.ts"
import { type DocumentReader, importDocument } from "../snapshot/importDocument.ts"
import { checkedBody, checkedQuery, jsonBody, unsupportedBody } from "./AdminRequest.ts"
import { FaultRules, PathPattern } from "./FaultRule.ts"
import type { Faults } from "./Faults.ts"
import { type Journal, journalCapacity } from "./Journal.ts"

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
    if (refusal !== undefined) return yield* refuse(refusal)
    const methods = routes[pathOf(request.url)]
    if (methods === undefined) return yield* refuse({ code: "NOT_FOUND", message: `there are ${paths}` })
    const handler = methods[request.method]
    if (handler === undefined) {
      const allow = Object.keys(methods).join(", ")
      return yield* refuse({ code: "METHOD_NOT_ALLOWED", message: `this path takes ${allow}`, headers: { allow } })
    }
    return yield* handler(request).pipe(
      Effect.map((answer) => HttpServerResponse.jsonUnsafe(answer)),
      Effect.catch(errorResponse)
    )
  })
}
