import { Whoami } from "@headgate/core"
import { Uuid } from "@headgate/core/adapter"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as MutableRef from "effect/MutableRef"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type { HttpClientError } from "effect/http/HttpClientError"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"
import { DryRun, dryRun, isHeldBack } from "./dryRun.ts"
import { ForbiddenRoles } from "./ForbiddenRoles.ts"
import { isRead } from "./isRead.ts"
import { type ChangeRequest, UnansweredChange } from "./UnansweredChange.ts"

// Both APIs have UUIDs. Any other text may be what the request held: a service that is broken may send it back.
const isRequestId = Schema.is(Uuid)

// Method and URL, but no headers or bodies: those hold secrets.
const line = (
  { method, url }: HttpClientRequest.HttpClientRequest,
  response: HttpClientResponse | undefined,
  took: Duration.Duration
): string => {
  const requestId = response?.headers["x-request-id"]
  const outcome = `${response?.status ?? "no response"} ${Math.round(Duration.toMillis(took))}ms`
  return `${method} ${url} ${outcome}${isRequestId(requestId) ? ` request id ${requestId}` : ""}`
}

const decodeWhoami = Schema.decodeUnknownOption(Schema.Struct({ result: Whoami }))

// A service that does not know `whoami` tells no roles.
const readRoles = Effect.fnUntraced(
  function* (client: HttpClient.HttpClient, { headers, url }: HttpClientRequest.HttpClientRequest) {
    const roles = yield* ForbiddenRoles
    const [base] = url.split("/v1/")
    if (roles === undefined || !url.includes("/v1/organizations/")) return
    const request = HttpClientRequest.get(`${base}/v1/whoami`, {
      headers: { authorization: headers["authorization"] ?? "" }
    })
    const response = yield* Effect.flatMap(client.execute(request), ({ json }) => json)
    const whoami = Option.getOrUndefined(decodeWhoami(response))
    MutableRef.set(roles, whoami?.result.roles ?? undefined)
  },
  (reading) => Effect.ignore(Effect.timeout(reading, "3 seconds"))
)

// A command that only reads loads no operations.
const isChange = Effect.fnUntraced(function* ({ method, path }: ChangeRequest) {
  if (isRead(method)) return false
  if (method !== "POST") return true
  // A POST of the contract that may be repeated only checks or looks something up.
  const { operationOf } = yield* Effect.promise(() => import("./knownOperations.ts"))
  return operationOf(method, path)?.isRepeatable !== true
})

const printInstead = Effect.fnUntraced(function* (request: HttpClientRequest.HttpClientRequest) {
  const { toCurl } = yield* Effect.promise(() => import("./knownOperations.ts"))
  return yield* Effect.die(new DryRun(toCurl(request)))
})

/**
 * What every request passes: `--verbose` logs it with its status and request id, `--dry-run` prints it instead if it would
 * change something, and after a 403 the roles of the key are read. A change is noted until it is answered.
 */
export const layer = Layer.effect(
  HttpClient.HttpClient,
  Effect.gen(function* () {
    const client = yield* HttpClient.HttpClient
    const isDryRun = yield* dryRun
    return HttpClient.transform(client, (send: Effect.Effect<HttpClientResponse, HttpClientError>, request) => {
      if (isDryRun && isHeldBack(request)) return printInstead(request)
      return Effect.gen(function* () {
        const change = { method: request.method, path: new URL(request.url).pathname }
        const unanswered = (yield* isChange(change)) ? yield* UnansweredChange : undefined
        if (unanswered !== undefined) MutableRef.set(unanswered, change)
        const [took, exit] = yield* Effect.timed(Effect.exit(send))
        const response = exit._tag === "Success" ? exit.value : undefined
        if (response !== undefined && unanswered !== undefined) MutableRef.set(unanswered, undefined)
        yield* Effect.logDebug(line(request, response, took))
        if (response?.status === 403) yield* readRoles(client, request)
        return yield* exit
      })
    })
  })
)
