import * as Effect from "effect/Effect"
import { IssueCollector } from "../error/FieldIssue.ts"
import { validate } from "../error/validate.ts"
import type { ServiceAddress } from "../id/service.ts"
import { PipeMover } from "./PipeMover.ts"
import { checkStreamingSource } from "./pipeRules.ts"
import { PipeSourceCreate } from "./PipeSource.ts"
import { type DiscoveredSchema, SchemaDiscovery } from "./SchemaDiscovery.ts"
import { knownFieldsOf, refusal, refuseUnknown, UnknownFields } from "./unknownFields.ts"

const validateRequest = validate(SchemaDiscovery)

const simulated: DiscoveredSchema = {
  fields: [
    { name: "id", type: "String" },
    { name: "timestamp", type: "DateTime64(3)" },
    { name: "data", type: "String" }
  ]
}

/**
 * The answer of an adapter that stores pipes: it checks the source by the rules of a new pipe, also its unknown fields, and asks
 * `PipeMover` for its fields. Where nothing moves rows, nothing is read: the answer has the same simulated fields for every source.
 *
 * @example
 * ```ts
 * import type { ServiceAddress } from "@headgate/core"
 * import { discoverSchema } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * declare const address: ServiceAddress
 * export const found = discoverSchema(address, { source: { postgres: {} } }).pipe(
 *   // source: Expected exactly one of kafka, kinesis, objectStorage, pubsub
 *   Effect.catchTag("InvalidRequest", ({ message }) => Effect.succeed(message))
 * )
 * ```
 */
export const discoverSchema = Effect.fnUntraced(function* (address: ServiceAddress, request: SchemaDiscovery) {
  const valid = yield* validateRequest(request)
  const found = new IssueCollector()
  const isRefusing = (yield* UnknownFields) === "refuse"
  const refused = isRefusing ? refuseUnknown(found, knownFieldsOf(PipeSourceCreate), valid.source) : []
  checkStreamingSource(found, valid.source)
  if (found.count > 0) return yield* refusal(found, refused)
  const { discover } = yield* PipeMover
  return (yield* discover(address, valid)) ?? simulated
})
