import { looseStruct, Uuid, withIdentifier } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { cursorPageFields, PageMeta } from "./Paging.ts"
import { type AnyOperation, isNoContent, type Operation } from "./Operation.ts"

const envelopeFields = {
  status: Schema.Int.annotate({ description: "The HTTP status." }),
  requestId: Uuid.annotate({ description: "The id of the request, a UUID. Also in the header `x-request-id`." })
}

/**
 * The body of every success of the management API: `{ status, requestId, result }`. Contract:
 * docs/wire-contract.md#envelopes.
 */
export const managementEnvelope = <S extends Schema.Top>(result: S) =>
  looseStruct({
    ...envelopeFields,
    result: result.annotateKey({ description: "The result of the operation." })
  }).annotate({ description: "The response to a successful request to the management API." })

/** The body of a success without a result, such as a delete. It is decided that it has no `result`. */
export const EmptyManagementEnvelope = looseStruct(envelopeFields).pipe(
  withIdentifier("EmptyManagementEnvelope", "The response to a successful request that has no result.")
)

/** The body of a success of the observability API without a result, such as a delete: `{}`. */
const EmptyObservabilityEnvelope = looseStruct({}).pipe(
  withIdentifier("EmptyObservabilityEnvelope", "The response to a successful request that has no result.")
)

/**
 * The body of every success of the observability API: `{ data }`. Contract: docs/wire-contract.md#create-a-dashboard
 * and docs/wire-contract.md#list-dashboards.
 */
export const observabilityEnvelope = <S extends Schema.Top>(data: S) =>
  looseStruct({ data: data.annotateKey({ description: "The result of the operation." }) }).annotate({
    description: "The response to a successful request to the observability API."
  })

/**
 * The schema of the body of an operation's successful responses, with its envelope.
 *
 * @example
 * ```ts
 * import { dashboardOperations, neutral, successBody } from "@headgate/http-contract"
 * import * as Schema from "effect/Schema"
 *
 * const { list } = dashboardOperations(neutral)
 * console.log(Schema.is(successBody(list))({ data: [] })) // true
 * ```
 */
export const successBody = ({ api, envelope, hasCursor, isPaged, success }: AnyOperation): Schema.Codec<unknown> => {
  if (envelope === "none") return success
  if (isPaged && api === "observability") {
    return looseStruct({
      ...observabilityEnvelope(success).schema.fields,
      meta: PageMeta.annotateKey({ description: "Which part of the list `data` is." })
    }).annotate({ description: "The response to a successful request for a page of a list." })
  }
  if (hasCursor) {
    return looseStruct({ ...managementEnvelope(success).schema.fields, ...cursorPageFields }).annotate({
      description: "The response to a successful request for a page of a list."
    })
  }
  if (api === "observability") return isNoContent(success) ? EmptyObservabilityEnvelope : observabilityEnvelope(success)
  return isNoContent(success) ? EmptyManagementEnvelope : managementEnvelope(success)
}

// Only the result is decoded: a response without status and request id is valid, so that the secret of a new key is not
// lost because of them.
const everyIssue = { errors: "all" } as const

const decodeObject = Schema.decodeUnknownEffect(looseStruct({}), everyIssue)

/**
 * Makes the decoder of an operation's successful responses: it returns the result without the envelope, or fails with every
 * issue.
 *
 * @example
 * ```ts
 * import { dashboardOperations, neutral, successDecoder } from "@headgate/http-contract"
 * import * as Effect from "effect/Effect"
 *
 * const decode = successDecoder(dashboardOperations(neutral).list)
 * const dashboards = await Effect.runPromise(decode({ data: [{ id: "d-1", name: "Errors" }] }))
 * console.log(dashboards.map(({ name }) => name)) // [ 'Errors' ]
 * ```
 */
export const successDecoder = <Success>({
  api,
  envelope,
  success
}: Pick<Operation<never, never, Success>, "api" | "envelope" | "success">): ((
  body: unknown
) => Effect.Effect<Success, Schema.SchemaError>) => {
  // The type is void here, which the compiler does not know.
  if (isNoContent(success)) return (body) => Effect.as(decodeObject(body), undefined as Success)
  if (envelope === "none") return Schema.decodeUnknownEffect(success, everyIssue)
  if (api === "management") {
    const decode = Schema.decodeUnknownEffect(looseStruct({ result: success }), everyIssue)
    return (body) => Effect.map(decode(body), ({ result }) => result)
  }
  const decode = Schema.decodeUnknownEffect(looseStruct({ data: success }), everyIssue)
  return (body) => Effect.map(decode(body), ({ data }) => data)
}
