import type { PortError } from "@headgate/core"
import type { ApiName, Operation } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import type { Answer, Call } from "./Attempt.ts"
import { method as methodOf } from "./call.ts"
import type { Connection } from "./connect.ts"
import { decodeAnswer } from "./decodeAnswer.ts"
import { makeRequest, withBody, withoutQuery } from "./HttpRequest.ts"

/** A request for an operation that no table has. */
export interface UnknownRequest {
  readonly method: Operation<never, never, never>["method"]
  /** With the beginning of the contract's paths, `/v1` or `/api/v2`, and with the query. */
  readonly path: string
  /** JSON. Absent: no body. */
  readonly body?: unknown
}

const once: ReadonlySet<UnknownRequest["method"]> = new Set(["POST", "PATCH"])

/**
 * Calls an operation that no table has, through every layer of the connection: with its retries, credentials and limits. A POST is a
 * creation with an `Idempotency-Key`; a POST and a PATCH are not repeated after a lost answer. Answers the JSON of the whole body,
 * `undefined` if there is none.
 *
 * @example
 * ```ts
 * import { callUnknown, type Connection } from "@headgate/http-adapter/ports"
 *
 * export const backups = (connection: Connection, organizationId: string) =>
 *   callUnknown(connection, "management")({ method: "GET", path: `/v1/organizations/${organizationId}/backups` })
 * ```
 */
export const callUnknown =
  (connection: Connection, api: ApiName) =>
  ({ body, method, path }: UnknownRequest): Effect.Effect<unknown, PortError> => {
    const blank = makeRequest(method, path)
    const request = body === undefined ? blank : withBody(blank, JSON.stringify(body), "application/json")
    const read = decodeAnswer(connection, Effect.succeed)
    const operation = {
      api,
      method,
      path: withoutQuery(path),
      isRepeatable: !once.has(method),
      isConditional: method !== "GET"
    }
    return methodOf<unknown>(connection, operation, "request", {
      encode: () => Effect.succeed(request),
      decode: (call: Call, answer: Answer) => (answer.body === "" ? Effect.undefined : read(call, answer))
    })(undefined, undefined)
  }
