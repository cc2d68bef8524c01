import { identified, openStruct, Uuid } from "@headgate/core/schema"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const envelopeFields = {
  /** The HTTP status, once more. */
  status: Schema.Int,
  /** Fresh for every request; also in the `x-request-id` header. */
  requestId: Uuid
}

/**
 * What the management API wraps every success in: `{ status, requestId, result }`. Contract: section 2.1.
 *
 * @example
 * ```ts
 * import { Pipe } from "@headgate/core/pipe"
 * import { managementEnvelope } from "@headgate/http-contract"
 * import * as Schema from "effect/Schema"
 *
 * // What a recorded answer holds, without a client.
 * export const pipeOf = (answer: unknown): Pipe => Schema.decodeUnknownSync(managementEnvelope(Pipe))(answer).result
 * ```
 */
export const managementEnvelope = <S extends Schema.Constraint>(result: S) => openStruct({ ...envelopeFields, result })

/** The envelope of an operation that has nothing to give back: a delete. By decision, it has no `result`. */
export const EmptyManagementEnvelope = openStruct(envelopeFields).pipe(identified("EmptyManagementEnvelope"))

/**
 * What the observability API wraps every success in: `{ data }`. Contract: sections 4.3 and 4.4.
 *
 * @example
 * ```ts
 * import { Dashboard } from "@headgate/core/dashboard"
 * import { observabilityEnvelope } from "@headgate/http-contract"
 * import * as Schema from "effect/Schema"
 *
 * const decode = Schema.decodeUnknownSync(observabilityEnvelope(Schema.Array(Dashboard)))
 * export const dashboardsOf = (answer: unknown): ReadonlyArray<Dashboard> => decode(answer).data
 * ```
 */
export const observabilityEnvelope = <S extends Schema.Constraint>(data: S) => openStruct({ data })

// A reader needs what is in the envelope. That the envelope repeats the status and the request id is for people: an answer
// without them is as good, and the secret of a new key must not be lost over them.
const everyIssue = { errors: "all" } as const

/** Reads the `result` of a success of the management API. */
export const readResult = <A>(result: Schema.Codec<A, unknown>) => {
  const decode = Schema.decodeUnknownEffect(openStruct({ result }), everyIssue)
  return (body: unknown): Effect.Effect<A, Schema.SchemaError> => Effect.map(decode(body), (answer) => answer.result)
}

/** Reads the `data` of a success of the observability API. */
export const readData = <A>(data: Schema.Codec<A, unknown>) => {
  const decode = Schema.decodeUnknownEffect(openStruct({ data }), everyIssue)
  return (body: unknown): Effect.Effect<A, Schema.SchemaError> => Effect.map(decode(body), (answer) => answer.data)
}

const decodeObject = Schema.decodeUnknownEffect(openStruct({}), everyIssue)

/** Reads a success that has nothing to give. */
export const readNothing = (body: unknown): Effect.Effect<void, Schema.SchemaError> => Effect.asVoid(decodeObject(body))
