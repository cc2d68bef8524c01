import {
  type CallError,
  fieldIssues,
  formatFieldIssues,
  invalidRequest,
  UnexpectedResponse
} from "@headgate/core/error"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as MutableRef from "effect/MutableRef"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type Answer, type Call, doubtAbout, reportOf } from "./Call.ts"
import { type CallManners, CallOptions, mannersWith, none } from "./CallOptions.ts"
import type { Connection } from "./Connection.ts"
import { elapsed } from "./Elapsed.ts"
import { type Content, contradictsItself, envelopeOf } from "./Envelope.ts"
import { readErrorAnswer } from "./ErrorAnswer.ts"

type Part<Name extends string, S extends Schema.Top> = [S] extends [never] ? {} : { readonly [_ in Name]: S["Type"] }

/** What an operation needs: the path parameters and the payload of its endpoint, whichever it has. */
export type OperationInput<Endpoint extends HttpApiEndpoint.Top> = Part<"params", Endpoint["~Params"]> &
  Part<"payload", Endpoint["~Payload"]>

const idempotentMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "PUT", "DELETE"])

const everyIssue = { errors: "all" } as const
const parseJson: (text: string) => Option.Option<unknown> = Option.liftThrowable(JSON.parse)

const unexpected = (connection: Connection, call: Call, answer: Answer, what: string): UnexpectedResponse => {
  const { requestId } = readErrorAnswer(answer, connection.scrub)
  return new UnexpectedResponse({
    message: `the service answers with something else than the contract describes: ${what}${doubtAbout(call)}`,
    status: answer.status,
    ...(requestId === undefined ? {} : { requestId }),
    ...reportOf(call)
  })
}

const maxIssuesShown = 10

// An answer may be wrong in a thousand places: the first few are enough to see why.
const whatIsWrong = (error: Schema.SchemaError): string => {
  const issues = fieldIssues(error)
  const shown = formatFieldIssues(issues.slice(0, maxIssuesShown))
  return issues.length > maxIssuesShown ? `${shown}; and ${issues.length - maxIssuesShown} more` : shown
}

const encoder = <Encoded>(schema: Schema.Top) =>
  // At run time an endpoint's schemas are untyped: this is what those of the contract are.
  Schema.encodeUnknownEffect(schema as Schema.Codec<unknown, Encoded>, everyIssue)

/** A path of the contract, to be filled with parameters: `/v1/organizations/:organizationId/keys`. */
const pathWith = (path: string) => {
  const [start = "", ...parts] = path.split(/:(\w+)/)
  return (params: Readonly<Record<string, string>>): string => {
    let filled = start
    for (let i = 0; i < parts.length; i += 2) {
      filled += encodeURIComponent(params[parts[i] ?? ""] ?? "") + (parts[i + 1] ?? "")
    }
    return filled
  }
}

/** The request of an endpoint, with what never changes made once. */
const requestOf = (endpoint: HttpApiEndpoint.Top) => {
  const [payloadSchema] = [...endpoint.payload.values()].flatMap(({ schemas }) => schemas)
  const encodeParams = endpoint.params && encoder<Readonly<Record<string, string>>>(endpoint.params)
  const encodePayload = payloadSchema && encoder(payloadSchema)
  const blank = HttpClientRequest.make(endpoint.method)("", { acceptJson: true })
  const fill = pathWith(endpoint.path)
  return Effect.fnUntraced(
    function* (params: unknown, payload: unknown) {
      const path = fill(encodeParams === undefined ? {} : yield* encodeParams(params))
      const request = HttpClientRequest.setUrl(blank, path)
      if (encodePayload === undefined) return request
      return HttpClientRequest.setBody(request, HttpBody.jsonUnsafe(yield* encodePayload(payload)))
    },
    Effect.mapError((error) => invalidRequest(fieldIssues(error), { attempts: 0 }))
  )
}

const mannersOf = (connection: Connection) =>
  Effect.contextWith((context: Context.Context<never>) => {
    const options = Context.get(context, CallOptions)
    return options === none ? Effect.succeed(connection.manners) : mannersWith(connection.manners, options)
  })

const deadlineOf = ({ deadline }: CallManners): Effect.Effect<number> =>
  Duration.isFinite(deadline)
    ? Effect.map(elapsed, (now) => now + Duration.toMillis(deadline))
    : Effect.succeed(Number.POSITIVE_INFINITY)

/**
 * An endpoint of the contract as a function over a connection. Its request is checked before it is sent: a bad field
 * is an `InvalidRequest` that names it, with 0 attempts. An answer that does not decode is an `UnexpectedResponse`
 * that names what is wrong and shows no value, since values may be secrets. It gives what is in the envelope.
 */
export const operation = <Endpoint extends HttpApiEndpoint.Top>(connection: Connection, endpoint: Endpoint) => {
  const [success = Schema.Unknown] = endpoint.success
  const envelope = envelopeOf(success)
  const decodeEnvelope = Schema.decodeUnknownEffect(envelope.schema, everyIssue)
  const request = requestOf(endpoint)
  const manners = mannersOf(connection)
  const isIdempotent = idempotentMethods.has(endpoint.method)

  const contentOf = Effect.fnUntraced(function* (call: Call, answer: Answer) {
    const json = parseJson(answer.body)
    if (Option.isNone(json)) return yield* unexpected(connection, call, answer, "Expected a valid JSON string")
    const value = yield* Effect.mapError(decodeEnvelope(json.value), (error) =>
      unexpected(connection, call, answer, whatIsWrong(error))
    )
    return contradictsItself(value)
      ? yield* unexpected(connection, call, answer, "its own status says that it is no success")
      : // As the endpoint declares it.
        (envelope.contentOf(value) as Content<Endpoint["~Success"]["Type"]>)
  })

  return Effect.fnUntraced(function* (
    input: OperationInput<Endpoint>
  ): Effect.fn.Return<Content<Endpoint["~Success"]["Type"]>, CallError> {
    const { params, payload }: { readonly params?: unknown; readonly payload?: unknown } = input
    const sent = yield* request(params, payload)
    const inForce = yield* manners
    const call: Call = {
      request: sent,
      route: endpoint.path,
      path: connection.basePath + sent.url,
      idempotent: isIdempotent,
      manners: inForce,
      deadlineAt: yield* deadlineOf(inForce),
      attempts: MutableRef.make(0)
    }
    return yield* contentOf(call, yield* connection.exchange(call))
  })
}
