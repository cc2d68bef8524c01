import * as Schema from "effect/Schema"

/**
 * What every error of a port carries. `message` says what happened and what to do. The others are there when the call
 * went over HTTP; none of them ever holds a credential.
 *
 * @example
 * ```ts
 * import { callFields } from "@headgate/core/error"
 * import * as Schema from "effect/Schema"
 *
 * // The error of a port of yours, which carries what the others carry.
 * export class QuotaExceeded extends Schema.TaggedError<QuotaExceeded>("acme/QuotaExceeded")("QuotaExceeded", {
 *   ...callFields,
 *   limit: Schema.Int
 * }) {}
 * ```
 */
export const callFields = {
  message: Schema.String,
  /** The HTTP status of the last answer. */
  status: Schema.optionalKey(Schema.Int),
  /** The request id of the last answer: quote it to whoever runs the service. */
  requestId: Schema.optionalKey(Schema.String),
  /** The HTTP method, in capitals. */
  method: Schema.optionalKey(Schema.String),
  /** The path of the request, without origin and query. */
  path: Schema.optionalKey(Schema.String),
  /** How often the request was sent. */
  attempts: Schema.optionalKey(Schema.Int)
}

/** The decoded form of {@link callFields}. */
export type CallFields = Schema.Struct.Type<typeof callFields>
