import { type CallError, fieldIssues, formatFieldIssues, UnexpectedResponse } from "@headgate/core"
import { invalidRequest, jsonIssues } from "@headgate/core/adapter"
import { type Operation, successDecoder } from "@headgate/http-contract"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as MutableRef from "effect/MutableRef"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { type Answer, type Call, doubtAbout, reportOf } from "./Call.ts"
import { CallOptions, mannersWith, none, type RequestPolicy } from "./CallOptions.ts"
import type { Connection } from "./Connection.ts"
import { elapsed } from "./Elapsed.ts"
import { contradictsItself } from "./Envelope.ts"
import { readErrorAnswer } from "./ErrorAnswer.ts"

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

/** The request of an operation, with what never changes made once. */
const requestOf = <Params, Payload>({
  method,
  params,
  path,
  payload
}: Pick<Operation<Params, Payload, unknown>, "method" | "params" | "path" | "payload">) => {
  const encodeParams = Schema.encodeUnknownEffect(params, everyIssue)
  const encodePayload = Schema.encodeUnknownEffect(payload, everyIssue)
  const blank = HttpClientRequest.make(method)("", { acceptJson: true })
  const fill = pathWith(path)
  return Effect.fnUntraced(
    function* (params: Params, payload: Payload) {
      const request = HttpClientRequest.setUrl(blank, fill(yield* encodeParams(params)))
      const body = yield* encodePayload(payload)
      if (body === undefined) return request
      const issues = jsonIssues(body)
      return issues.length === 0
        ? HttpClientRequest.setBody(request, HttpBody.jsonUnsafe(body))
        : yield* invalidRequest(issues, { attempts: 0 })
    },
    Effect.catchTag("SchemaError", (error) => invalidRequest(fieldIssues(error), { attempts: 0 }))
  )
}

const mannersOf = (connection: Connection) =>
  Effect.contextWith((context: Context.Context<never>) => {
    const options = Context.get(context, CallOptions)
    return options === none ? Effect.succeed(connection.manners) : mannersWith(connection.manners, options)
  })

const deadlineOf = ({ deadline }: RequestPolicy): Effect.Effect<number> =>
  Duration.isFinite(deadline)
    ? Effect.map(elapsed, (now) => now + Duration.toMillis(deadline))
    : Effect.succeed(Number.POSITIVE_INFINITY)

/**
 * An operation of the contract as a function over a connection. Its request is checked before it is sent: a bad field
 * is an `InvalidRequest` that names it, with 0 attempts. An answer that does not decode is an `UnexpectedResponse`
 * that names what is wrong and shows no value, since values may be secrets. It gives what is in the envelope.
 */
export const operation = <Params, Payload, Content>(
  connection: Connection,
  of: Omit<Operation<Params, Payload, Content>, "notFound">
) => {
  const request = requestOf(of)
  const manners = mannersOf(connection)
  const isIdempotent = of.isRepeatable
  const decode = successDecoder(of)

  const contentOf = Effect.fnUntraced(function* (call: Call, answer: Answer) {
    const json = parseJson(answer.body)
    if (Option.isNone(json)) return yield* unexpected(connection, call, answer, "Expected a valid JSON string")
    const content = yield* Effect.mapError(decode(json.value), (error) =>
      unexpected(connection, call, answer, whatIsWrong(error))
    )
    return contradictsItself(json.value)
      ? yield* unexpected(connection, call, answer, "its own status says that it is no success")
      : content
  })

  return Effect.fnUntraced(function* (params: Params, payload: Payload): Effect.fn.Return<Content, CallError> {
    const sent = yield* request(params, payload)
    const inForce = yield* manners
    const call: Call = {
      request: sent,
      route: of.path,
      path: connection.basePath + sent.url,
      idempotent: isIdempotent,
      manners: inForce,
      deadlineAt: yield* deadlineOf(inForce),
      attempts: MutableRef.make(0)
    }
    return yield* contentOf(call, yield* connection.exchange(call))
  })
}
