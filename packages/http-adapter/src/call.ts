import { IfMatch, type InvalidRequest, type PortError, type UnexpectedResponse } from "@headgate/core"
import type { NotFound, NotFoundParams } from "@headgate/core/adapter"
import { isChange, isCreation, isOfVersioned, type Operation, successDecoder } from "@headgate/http-contract"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as MutableRef from "effect/MutableRef"
import type { Answer, Call } from "./Attempt.ts"
import { CallOptions, noCallOptions, overridePolicy, type RequestPolicy, validateCallOptions } from "./CallOptions.ts"
import type { Connection } from "./connect.ts"
import { type HttpRequest, withHeader, withoutQuery, withQuery } from "./HttpRequest.ts"
import type { Method } from "./Observer.ts"
import { type ContentDecoder, decodeAnswer, elementOf, listDecoder } from "./decodeAnswer.ts"
import { encodeRequest, type RequestSettings } from "./encodeRequest.ts"
import { withIfMatch, withVersionIn } from "./ifMatch.ts"
import { orNotFound } from "./notFound.ts"
import { nextCursor, nextOffset, NextPage, type Page, readPages } from "./pages.ts"
import { ReceivedResponse } from "./ReceivedResponse.ts"
import { IdempotencyKey } from "./layers/IdempotencyKey.ts"
import { elapsed } from "./layers/Timeouts.ts"

const policyOf = ({ requestPolicy }: Connection) =>
  Effect.contextWith((context: Context.Context<never>) => {
    const options = Context.get(context, CallOptions)
    return options === noCallOptions
      ? Effect.succeed(requestPolicy)
      : Effect.map(validateCallOptions(options), (options) => overridePolicy(requestPolicy, options))
  })

const deadlineOf = ({ deadline }: RequestPolicy): Effect.Effect<number> =>
  Duration.isFinite(deadline)
    ? Effect.map(elapsed, (now) => now + Duration.toMillis(deadline))
    : Effect.succeed(Number.POSITIVE_INFINITY)

/** An operation whose 404 is an error of its own, if it names a resource. */
export type Row = Operation<any, any, any, NotFound["_tag"]>

/** What a call needs to know of its operation. `isConditional`: whether a version that the caller names is sent. */
interface Facts extends Pick<Row, "api" | "isRepeatable" | "method" | "notFound"> {
  readonly path: string
  readonly isConditional: boolean
}

/** Makes the requests of an operation, and reads their answers. */
interface Codec<Content> {
  readonly encode: (params: unknown, payload: unknown) => Effect.Effect<HttpRequest, InvalidRequest>
  readonly decode: (call: Call, answer: Answer) => Effect.Effect<Content, UnexpectedResponse>
}

/** A method that sends the requests of an operation through a connection. */
export const method = <Content>(
  connection: Connection,
  operation: Facts,
  name: string,
  { decode, encode }: Codec<Content>
) => {
  const isCreated = isCreation(operation)
  const conditional = withIfMatch(connection, operation.path)
  const policy = policyOf(connection)

  return connection.observer.method(name, function* (params, payload): Effect.fn.Return<Content, PortError> {
    const page = yield* NextPage
    const first = yield* encode(params, payload)
    const encoded = page === undefined ? first : withQuery(first, Object.fromEntries([page.parameter]))
    const request = isCreated
      ? withHeader(encoded, "idempotency-key", (yield* IdempotencyKey) ?? (yield* connection.makeUuid))
      : encoded
    const requestPolicy = yield* policy
    const call: Call = {
      request,
      api: operation.api,
      baseUrl: connection.baseUrl,
      route: operation.path,
      // Errors show no query.
      path: connection.basePath + withoutQuery(request.url),
      isRepeatable: operation.isRepeatable,
      hasIdempotencyKey: isCreated,
      requestPolicy,
      deadlineAt: page?.deadlineAt ?? (yield* deadlineOf(requestPolicy)),
      attempts: MutableRef.make(0)
    }
    // A row whose 404 is an error has the params that the error is made from.
    const toNotFound = orNotFound(operation.notFound, params as NotFoundParams[NotFound["_tag"]])
    const version = operation.isConditional ? yield* IfMatch : undefined
    const sent = version === undefined ? call : yield* Effect.mapError(conditional(call, version), toNotFound)
    const answer = yield* Effect.mapError(connection.send(sent), toNotFound)
    const received = yield* ReceivedResponse
    if (received !== undefined) MutableRef.set(received, { status: answer.status, headers: answer.headers })
    return withVersionIn(connection, answer, yield* decode(sent, answer))
  })
}

/** {@link call}, with its encoders and decoders. */
const makeCall = (connection: Connection, operation: Row, name: string, settings: RequestSettings): Method => {
  const facts = { ...operation, isConditional: isChange(operation) && isOfVersioned(operation) }
  const encode = encodeRequest(operation, settings)
  const reading = <Content>(decode: ContentDecoder<Content>) =>
    method(connection, facts, name, { encode, decode: decodeAnswer(connection, decode) })
  const element = elementOf(operation.success)
  if (element === undefined) return reading(successDecoder(operation))
  const decode = listDecoder(connection, operation, element)
  if (!operation.isPaged && !operation.hasCursor) return reading(decode)
  const decodePage: ContentDecoder<Page<unknown>> = (body, call) =>
    Effect.map(decode(body, call), (items) => ({ items, call, body }))
  return readPages(reading(decodePage), operation.hasCursor ? nextCursor : nextOffset)
}

/**
 * Calls an operation over a connection; `name` names the span. A request that does not encode is not sent: it fails with an
 * `InvalidRequest` that names each bad field. An answer that does not decode is an `UnexpectedResponse`. A 404 is the `notFound`
 * error of the operation. The result is the content of the envelope, with the version that the `ETag` tells. What an element of a
 * list that does not decode does, `onUnreadable` says; a list that comes in pages is read to its end. A change sends `IfMatch`; it
 * fails with `InvalidRequest` before it is sent if the service tells no versions.
 */
export const call = (connection: Connection, operation: Row, name: string, settings: RequestSettings = {}): Method => {
  // Made for the first call: a port has many operations, and a command calls one or two.
  let made: Method | undefined
  return (params, payload) => (made ??= makeCall(connection, operation, name, settings))(params, payload)
}
