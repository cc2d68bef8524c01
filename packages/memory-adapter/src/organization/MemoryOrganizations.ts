import { Organizations } from "@headgate/core"
import { notFound } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryStore } from "../MemoryStore.ts"

const layer: Layer.Layer<Organizations, never, MemoryStore> = Layer.effect(
  Organizations,
  Effect.gen(function* () {
    const { organizations } = yield* MemoryStore
    return Organizations.of({
      list: () => Effect.sync(() => Array.from(organizations.values())),
      get: Effect.fnUntraced(function* ({ organizationId }) {
        return organizations.get(organizationId) ?? (yield* notFound("OrganizationNotFound", { organizationId }))
      }),
      whoami: () => Effect.succeed({})
    })
  })
)

/** The `Organizations` port over a {@link MemoryStore}. */
export const MemoryOrganizations = { layer }
