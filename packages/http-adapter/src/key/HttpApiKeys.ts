import { ApiKeys } from "@headgate/core/key"
import { keyGroup } from "@headgate/http-contract/key"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ManagementConnection } from "../Connection.ts"
import { operation } from "../Operation.ts"

const layer: Layer.Layer<ApiKeys, never, ManagementConnection> = Layer.effect(
  ApiKeys,
  Effect.gen(function* () {
    const create = operation(yield* ManagementConnection, keyGroup.endpoints.create)

    return ApiKeys.of({
      create: Effect.fn("HttpApiKeys.create")(function* (organizationId, payload) {
        const { result } = yield* create({ params: { organizationId }, payload })
        return result
      })
    })
  })
)

/** The `ApiKeys` port over the management API. */
export const HttpApiKeys = { layer }
