import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Digest } from "effect/crypto/Digest"
import type { PortError } from "../error/NotFound.ts"
import { hashCredential } from "./CredentialHash.ts"
import type { OrganizationId } from "../id/organization.ts"

/** A creation that its caller may repeat: the same creation is one with the same scope, key and body. */
export interface IdempotentRequest {
  readonly organizationId: OrganizationId
  /** The credentials, the method and the path: a key means something within them only. */
  readonly scope: string
  /** 1 to 255 visible characters that the caller chose. */
  readonly key: string
  /** The body as it was sent. */
  readonly body: string
}

/** The answer of a creation: its result as JSON, and the version of what was created. */
export const CreationAnswer = Schema.Struct({ text: Schema.String, version: Schema.optionalKey(Schema.Int) })
export type CreationAnswer = typeof CreationAnswer.Type

/** A creation with this key is running (HTTP 409). */
export class KeyInFlight extends Schema.TaggedError<KeyInFlight>("@headgate/core/access/KeyInFlight")(
  "KeyInFlight",
  {}
) {
  override readonly message = "a request with this Idempotency-Key is being answered: repeat it in a second"
}

/** The key was used with another body (HTTP 422). */
export class KeyReused extends Schema.TaggedError<KeyReused>("@headgate/core/access/KeyReused")("KeyReused", {}) {
  override readonly message = "this Idempotency-Key was used with another body: make a key for each creation"
}

/**
 * Runs creations once, or without their write. The answers of creations are kept so that one whose answer was lost may be repeated: the
 * repeat is answered as the first was, and creates nothing. Only successes are kept, for `retention` seconds, and of each organization
 * the last 10,000 or 32 MiB of them. Snapshots do not hold them.
 *
 * @example
 * ```ts
 * import { IdempotentCreations, type IdempotentRequest } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * export const createOnce = (request: IdempotentRequest) =>
 *   IdempotentCreations.use((creations) => creations.once(request, Effect.succeed({ text: '{"result":{}}' })))
 * ```
 */
export class IdempotentCreations extends Context.Service<
  IdempotentCreations,
  {
    /**
     * Runs a creation, and keeps its answer in the transaction of the creation: both are stored, or none. Of the same
     * creation, a later call returns the kept answer.
     */
    readonly once: (
      request: IdempotentRequest,
      create: Effect.Effect<CreationAnswer, PortError>
    ) => Effect.Effect<CreationAnswer, PortError | KeyInFlight | KeyReused>
    /**
     * Runs a creation without its write: it fails as the creation would, and stores nothing, not even an answer. What is checked
     * in the transaction of the creation is checked in one that is rolled back.
     */
    readonly validateOnly: (create: Effect.Effect<unknown, PortError>) => Effect.Effect<void, PortError>
  }
>()("@headgate/core/access/IdempotentCreations") {
  /** How long an answer is kept, in seconds. */
  static readonly retention = 86_400
  /** How many answers of an organization are kept. */
  static readonly maxAnswers = 10_000
  /** How many bytes of answers of an organization are kept. */
  static readonly maxBytes = 32 * 1024 * 1024
}

/**
 * What a store finds a kept answer by, and compares its body with: digests, so that neither key nor body is stored.
 *
 * @example
 * ```ts
 * import { idempotencyHashes } from "@headgate/core/adapter"
 *
 * export const idOf = (request: Parameters<typeof idempotencyHashes>[0]) => idempotencyHashes(request)
 * ```
 */
export const idempotencyHashes = Effect.fnUntraced(function* ({
  body,
  key,
  scope
}: IdempotentRequest): Effect.fn.Return<{ readonly id: string; readonly bodyHash: string }, never, Digest> {
  return { id: yield* hashCredential(`${scope}\n${key}`), bodyHash: yield* hashCredential(body) }
})
