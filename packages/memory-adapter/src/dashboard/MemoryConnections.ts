import { type ConnectionId, Connections, type OrganizationId } from "@headgate/core"
import { connectionRules, notFound, OrganizationConnections } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import type { MemoryStore } from "../MemoryStore.ts"
import { memoryDocuments } from "./memoryDocuments.ts"

const layerByOrganization: Layer.Layer<OrganizationConnections, never, MemoryStore | SecureRandom> = Layer.effect(
  OrganizationConnections,
  Effect.map(
    memoryDocuments({
      counted: "connections",
      mapOf: ({ connections }) => connections,
      idOf: ({ connection }) => connection.id,
      documentOf: ({ connection }) => connection,
      idIn: ({ connectionId }: { readonly connectionId: ConnectionId }) => connectionId,
      notFound: (connectionId: ConnectionId) => notFound("ConnectionNotFound", { connectionId }),
      ...connectionRules
    }),
    (of) => ({ of })
  )
)

const layer = (organizationId: OrganizationId): Layer.Layer<Connections, never, OrganizationConnections> =>
  Layer.effect(
    Connections,
    OrganizationConnections.useSync((connections) => connections.of(organizationId))
  )

/** The ports to connections over a `MemoryStore`, as `MemoryDashboards` has those to dashboards. */
export const MemoryConnections = { layer, layerByOrganization }
