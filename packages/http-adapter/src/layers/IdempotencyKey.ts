import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as MutableRef from "effect/MutableRef"
import type { Attempt, Call } from "../Attempt.ts"
import { makeRequest } from "../HttpRequest.ts"

/**
 * The `Idempotency-Key` of a creation; `undefined` for a new UUID for each call. A gateway sets the key of its caller.
 *
 * @example
 * ```ts
 * import { type ApiKeyCreate, ApiKeys, type OrganizationId } from "@headgate/core"
 * import { IdempotencyKey } from "@headgate/http-adapter"
 * import * as Effect from "effect/Effect"
 *
 * // A job that may run twice creates one key: the service remembers the id of the job for a day.
 * export const createOnce = (jobId: string, organizationId: OrganizationId, request: ApiKeyCreate) =>
 *   ApiKeys.use((keys) => keys.create({ organizationId }, request)).pipe(Effect.provideService(IdempotencyKey, jobId))
 * ```
 */
export const IdempotencyKey = Context.Reference<string | undefined>("@headgate/http-adapter/IdempotencyKey", {
  defaultValue: () => undefined
})

/** Whether a service keeps the answers of creations by their keys: an answer of it said so. */
export type KeepsKeys = MutableRef.MutableRef<boolean>

/** Notices that a service keeps the answers of creations: a header of all of its answers says for how long. */
export const noticeKeyRetention =
  (keepsKeys: KeepsKeys) =>
  (attempt: Attempt): Attempt =>
  (call) =>
    Effect.tap(attempt(call), ({ headers }) =>
      Effect.sync(() => {
        if (Number(headers["idempotency-key-retention"]) > 0) MutableRef.set(keepsKeys, true)
      })
    )

/** Whether the service honours the key of a creation. If no answer has said so, a HEAD of the base URL asks. */
export const honoursKey = (attempt: Attempt, keepsKeys: KeepsKeys, call: Call): Effect.Effect<boolean> =>
  Effect.suspend(() => {
    if (!call.hasIdempotencyKey || keepsKeys.current) return Effect.succeed(call.hasIdempotencyKey)
    const head: Call = {
      ...call,
      request: makeRequest("HEAD", "/"),
      isRepeatable: true,
      hasIdempotencyKey: false,
      attempts: MutableRef.make(0)
    }
    // Any answer tells it, an error too.
    return Effect.map(Effect.exit(attempt(head)), () => keepsKeys.current)
  })
