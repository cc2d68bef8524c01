import { ConnectionCredentials } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryStore } from "../MemoryStore.ts"

const layer: Layer.Layer<ConnectionCredentials, never, MemoryStore> = Layer.effect(
  ConnectionCredentials,
  Effect.map(MemoryStore, ({ connections }) => ({
    of: (organizationId, connectionId) =>
      Effect.sync(() => {
        const stored = connections.get(connectionId)
        if (stored?.organizationId !== organizationId) return undefined
        const { host, username } = stored.connection
        return { host: host ?? undefined, username: username ?? undefined, password: stored.password }
      })
  }))
)

/** The `ConnectionCredentials` port over a {@link MemoryStore}. */
export const MemoryConnectionCredentials = { layer }
