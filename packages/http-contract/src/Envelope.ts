import { looseStruct, Uuid, withIdentifier } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { isNoContent, type Operation } from "./Operation.ts"

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
 * import { Pipe } from "@headgate/core"
 * import { managementEnvelope } from "@headgate/http-contract"
 * import * as Schema from "effect/Schema"
 *
 * // What a recorded answer holds, without a client.
 * export const pipeOf = (answer: unknown): Pipe => Schema.decodeUnknownSync(managementEnvelope(Pipe))(answer).result
 * ```
 */
export const managementEnvelope = <S extends Schema.Constraint>(result: S) => looseStruct({ ...envelopeFields, result })

/** The envelope of an operation that has nothing to give back: a delete. By decision, it has no `result`. */
export const EmptyManagementEnvelope = looseStruct(envelopeFields).pipe(withIdentifier("EmptyManagementEnvelope"))

/**
 * What the observability API wraps every success in: `{ data }`. Contract: sections 4.3 and 4.4.
 *
 * @example
 * ```ts
 * import { Dashboard } from "@headgate/core"
 * import { observabilityEnvelope } from "@headgate/http-contract"
 * import * as Schema from "effect/Schema"
 *
 * const decode = Schema.decodeUnknownSync(observabilityEnvelope(Schema.Array(Dashboard)))
 * export const dashboardsOf = (answer: unknown): ReadonlyArray<Dashboard> => decode(answer).data
 * ```
 */
export const observabilityEnvelope = <S extends Schema.Constraint>(data: S) => looseStruct({ data })

// A reader needs what the envelope holds. An answer without the repeated status and request id is as good: the secret of a
// new key must not be lost over them.
const everyIssue = { errors: "all" } as const

const decodeObject = Schema.decodeUnknownEffect(looseStruct({}), everyIssue)

/** Decodes what the envelope of a success holds, and reports every issue. */
export const successDecoder = <Success>({
  api,
  success
}: Pick<Operation<never, never, Success>, "api" | "success">): ((
  body: unknown
) => Effect.Effect<Success, Schema.SchemaError>) => {
  // What a success without content decodes to is undefined: Void.
  if (isNoContent(success)) return (body) => Effect.as(decodeObject(body), undefined as Success)
  if (api === "management") {
    const decode = Schema.decodeUnknownEffect(looseStruct({ result: success }), everyIssue)
    return (body) => Effect.map(decode(body), ({ result }) => result)
  }
  const decode = Schema.decodeUnknownEffect(looseStruct({ data: success }), everyIssue)
  return (body) => Effect.map(decode(body), ({ data }) => data)
}
