import { IfMatch } from "@headgate/core"
import { isChange, isCreation, isOfVersioned, type Operation, successDecoder } from "@headgate/http-contract"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as MutableRef from "effect/MutableRef"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type { Call } from "./Attempt.ts"
import { CallOptions, noCallOptions, overridePolicy, type RequestPolicy, validateCallOptions } from "./CallOptions.ts"
import type { Connection } from "./Connection.ts"
import { type ContentDecoder, decodeAnswer, listDecoder, type ListOperation } from "./decodeAnswer.ts"
import { encodeRequest, type RequestSettings } from "./encodeRequest.ts"
import { withIfMatch, withVersionIn } from "./ifMatch.ts"
import { type Missable, orNotFound, type ParamsFor, type NotFoundParams } from "./notFound.ts"
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

/** The payload, where the operation has one. */
type PayloadArgument<Payload> = [Payload] extends [undefined] ? [payload?: undefined] : [payload: Payload]

const method = <Params extends ParamsFor<Missing>, Payload, Content, Missing extends Missable>(
  connection: Connection,
  operation: Operation<Params, Payload, unknown, Missing>,
  name: string,
  decodeContent: ContentDecoder<Content>,
  settings: RequestSettings = {}
) => {
  const encode = encodeRequest(operation, settings)
  const isCreated = isCreation(operation)
  const isConditional = isChange(operation) && isOfVersioned(operation)
  const conditional = withIfMatch(connection, operation.path)
  const policy = policyOf(connection)
  const decode = decodeAnswer(connection, decodeContent)

  return Effect.fn(name)(function* (params: Params, ...[payload]: PayloadArgument<Payload>) {
    const page = yield* NextPage
    const first = yield* encode(params, payload)
    const encoded = page === undefined ? first : HttpClientRequest.setUrlParam(first, ...page.parameter)
    const request = isCreated
      ? HttpClientRequest.setHeader(
          encoded,
          "idempotency-key",
          (yield* IdempotencyKey) ?? (yield* connection.makeIdempotencyKey)
        )
      : encoded
    const requestPolicy = yield* policy
    const call: Call = {
      request,
      api: operation.api,
      route: operation.path,
      path: connection.basePath + request.url,
      isRepeatable: operation.isRepeatable,
      hasIdempotencyKey: isCreated,
      requestPolicy,
      deadlineAt: page?.deadlineAt ?? (yield* deadlineOf(requestPolicy)),
      attempts: MutableRef.make(0)
    }
    // The compiler does not see that `ParamsFor` holds where `notFound` is defined.
    const toNotFound = orNotFound(operation.notFound, params as NotFoundParams[Missing])
    const version = isConditional ? yield* IfMatch : undefined
    const sent = version === undefined ? call : yield* Effect.mapError(conditional(call, version), toNotFound)
    const answer = yield* Effect.mapError(connection.send(sent), toNotFound)
    const received = yield* ReceivedResponse
    if (received !== undefined) MutableRef.set(received, { status: answer.status, headers: answer.headers })
    return withVersionIn(connection, answer, yield* decode(sent, answer))
  })
}

/**
 * The port method of an operation over a connection; `name` names its span. A request that does not encode is not sent:
 * it fails with an `InvalidRequest` that names each bad field. An answer that does not decode is an `UnexpectedResponse`.
 * A 404 is the `notFound` error of the operation. The result is the content of the envelope, with the version that the `ETag`
 * tells. A change sends `IfMatch`; it fails with `InvalidRequest` before it is sent if the service tells no versions.
 */
export const call = <Params extends ParamsFor<Missing>, Payload, Content, Missing extends Missable = never>(
  connection: Connection,
  operation: Operation<Params, Payload, Content, Missing>,
  name: string,
  settings?: RequestSettings
) => method(connection, operation, name, successDecoder(operation), settings)

const pagedList = <Params extends ParamsFor<Missing>, Payload, Item, Missing extends Missable>(
  connection: Connection,
  operation: ListOperation<Params, Payload, Item, Missing>,
  name: string
) => {
  const decode = listDecoder(connection, operation)
  const readPage = method(connection, operation, name, (body, call) =>
    Effect.map(decode(body, call), (items): Page<Item> => ({ items, call, body }))
  )
  return readPages(readPage, operation.hasCursor ? nextCursor : nextOffset)
}

/**
 * {@link call} for an operation that returns a list: what an element that does not decode does, `onUnreadable` says. A list that
 * comes in pages is read to its end.
 */
export const callList = <Params extends ParamsFor<Missing>, Payload, Item, Missing extends Missable = never>(
  connection: Connection,
  operation: ListOperation<Params, Payload, Item, Missing>,
  name: string
) =>
  operation.isPaged || operation.hasCursor
    ? pagedList(connection, operation, name)
    : method(connection, operation, name, listDecoder(connection, operation))
