import { ApiKeys } from "@headgate/core"
import { keyOperations } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ManagementConnection } from "../Connection.ts"
import type { ManagementApi } from "../connect.ts"
import { portOf } from "../portOf.ts"

/** The port `ApiKeys` over a connection, without a layer. */
export const makeHttpApiKeys = (connection: ManagementApi): ApiKeys["Service"] =>
  portOf<ApiKeys["Service"]>()(keyOperations(connection.dialect), connection, "HttpApiKeys")

const layer: Layer.Layer<ApiKeys, never, ManagementConnection> = Layer.effect(
  ApiKeys,
  Effect.map(ManagementConnection, makeHttpApiKeys)
)

/**
 * The `ApiKeys` port over the management API. Contract: docs/wire-contract.md#create-an-api-key. A create is retried
 * only if the service says that it did nothing: a retry could create a second key.
 *
 * @example
 * ```ts
 * import { ApiKeys, type OrganizationId } from "@headgate/core"
 * import { CallOptions, HttpApiKeys } from "@headgate/http-adapter"
 * import * as DateTime from "effect/DateTime"
 * import * as Effect from "effect/Effect"
 *
 * // For a nightly job: a key that expires after an hour, or an error within ten seconds.
 * export const mint = Effect.fn("mint")(
 *   function* (organizationId: OrganizationId) {
 *     const keys = yield* ApiKeys
 *     const expireAt = DateTime.add(yield* DateTime.now, { hours: 1 })
 *     const created = yield* keys.create({ organizationId }, { name: "nightly", roles: ["developer"], expireAt })
 *     return { keyId: created.keyId, keySecret: created.keySecret }
 *   },
 *   Effect.provideService(CallOptions, { deadline: "10 seconds" }),
 *   Effect.provide(HttpApiKeys.layer) // which leaves a `ManagementConnection` to provide
 * )
 * ```
 */
export const HttpApiKeys = { layer }
