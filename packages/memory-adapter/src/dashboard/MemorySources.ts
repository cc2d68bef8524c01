import { DashboardSources, type OrganizationId, type SourceId } from "@headgate/core"
import { notFound, OrganizationSources, sourceRules } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import type { MemoryStore } from "../MemoryStore.ts"
import { memoryDocuments } from "./memoryDocuments.ts"

const layerByOrganization: Layer.Layer<OrganizationSources, never, MemoryStore | SecureRandom> = Layer.effect(
  OrganizationSources,
  Effect.map(
    memoryDocuments({
      counted: "sources",
      mapOf: ({ sources }) => sources,
      idOf: ({ source }) => source.id,
      documentOf: ({ source }) => source,
      idIn: ({ sourceId }: { readonly sourceId: SourceId }) => sourceId,
      notFound: (sourceId: SourceId) => notFound("SourceNotFound", { sourceId }),
      ...sourceRules
    }),
    (of) => ({ of })
  )
)

const layer = (organizationId: OrganizationId): Layer.Layer<DashboardSources, never, OrganizationSources> =>
  Layer.effect(
    DashboardSources,
    OrganizationSources.useSync((sources) => sources.of(organizationId))
  )

/** The ports to sources over a `MemoryStore`, as `MemoryDashboards` has those to dashboards. */
export const MemorySources = { layer, layerByOrganization }
