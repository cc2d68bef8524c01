import * as Effect from "effect/Effect"
import { invalidRequest } from "../error/CallError.ts"
import { IssueCollector } from "../error/FieldIssue.ts"
import { validate } from "../error/validate.ts"
import type { ServiceAddress } from "../id/service.ts"
import { PipeMover } from "./PipeMover.ts"
import { checkStreamingSource } from "./pipeRules.ts"
import { type DiscoveredSchema, SchemaDiscovery } from "./SchemaDiscovery.ts"

const validateRequest = validate(SchemaDiscovery)

const simulated: DiscoveredSchema = {
  fields: [
    { name: "id", type: "String" },
    { name: "timestamp", type: "DateTime64(3)" },
    { name: "data", type: "String" }
  ]
}

/**
 * The answer of an adapter that stores pipes: it checks the source by the rules of a new pipe and asks `PipeMover` for its
 * fields. Where nothing moves rows, nothing is read: the answer has the same simulated fields for every source.
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
  checkStreamingSource(found, valid.source)
  if (found.count > 0) return yield* invalidRequest(found.issues)
  const { discover } = yield* PipeMover
  return (yield* discover(address, valid)) ?? simulated
})
