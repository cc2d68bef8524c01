import {
  type CallError,
  fieldIssues,
  formatFieldIssues,
  invalidRequest,
  UnexpectedResponse
} from "@headgate/core/error"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as MutableRef from "effect/MutableRef"
import * as Schema from "effect/Schema"
import { type Answer, type Call, doubtAbout, reportOf } from "./Call.ts"
import { CallOptions, mannersWith, none } from "./CallOptions.ts"
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
const parseJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Unknown))

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

/**
 * An endpoint of the contract as a function over a connection. Its request is checked before it is sent: a bad field
 * is an `InvalidRequest` that names it, with 0 attempts. An answer that does not decode is an `UnexpectedResponse`
 * that names what is wrong and shows no value, since values may be secrets. It gives what is in the envelope.
 */
export const operation = <Endpoint extends HttpApiEndpoint.Top>(connection: Connection, endpoint: Endpoint) => {
  const [success = Schema.Unknown] = endpoint.success
  const envelope = envelopeOf(success)
  const [payload] = [...endpoint.payload.values()].flatMap(({ schemas }) => schemas)
  // At run time an endpoint's schemas are untyped: these are the types that the endpoint itself declares.
  const paramsSchema = endpoint.params as Schema.Codec<unknown, Readonly<Record<string, string>>> | undefined
  const payloadSchema = payload as Schema.Codec<unknown, unknown> | undefined

  const decodeEnvelope = Schema.decodeUnknownEffect(envelope.schema, everyIssue)
  const encodeParams = paramsSchema && Schema.encodeUnknownEffect(paramsSchema, everyIssue)
  const encodePayload = payloadSchema && Schema.encodeUnknownEffect(payloadSchema, everyIssue)

  const requestOf = Effect.fnUntraced(
    function* (params: unknown, payload: unknown) {
      const names = encodeParams === undefined ? {} : yield* encodeParams(params)
      const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(names[name] ?? ""))
      const request = HttpClientRequest.make(endpoint.method)(path, { acceptJson: true })
      if (encodePayload === undefined) return request
      return HttpClientRequest.setBody(request, HttpBody.jsonUnsafe(yield* encodePayload(payload)))
    },
    Effect.mapError((error) => invalidRequest(fieldIssues(error), { attempts: 0 }))
  )

  const callOf = Effect.fnUntraced(function* (request: HttpClientRequest.HttpClientRequest) {
    const options = yield* CallOptions
    const manners = options === none ? connection.manners : yield* mannersWith(connection.manners, options)
    const deadlineAt = Duration.isFinite(manners.deadline)
      ? (yield* elapsed) + Duration.toMillis(manners.deadline)
      : Number.POSITIVE_INFINITY
    const call: Call = {
      request,
      route: endpoint.path,
      path: connection.basePath + request.url,
      idempotent: idempotentMethods.has(endpoint.method),
      manners,
      deadlineAt,
      attempts: MutableRef.make(0)
    }
    return call
  })

  return Effect.fnUntraced(function* (
    input: OperationInput<Endpoint>
  ): Effect.fn.Return<Content<Endpoint["~Success"]["Type"]>, CallError> {
    const { params, payload }: { readonly params?: unknown; readonly payload?: unknown } = input
    const call = yield* callOf(yield* requestOf(params, payload))
    const answer = yield* connection.exchange(call)
    // In two steps: as one schema with the text, the envelope would be interpreted.
    const value = yield* Effect.flatMap(parseJson(answer.body), decodeEnvelope).pipe(
      Effect.mapError((error) => unexpected(connection, call, answer, whatIsWrong(error)))
    )
    return contradictsItself(value)
      ? yield* unexpected(connection, call, answer, "its own status says that it is no success")
      : // As the endpoint declares it.
        (envelope.contentOf(value) as Content<Endpoint["~Success"]["Type"]>)
  })
}
