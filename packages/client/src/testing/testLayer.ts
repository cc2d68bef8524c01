import { Dashboards, type OrganizationId } from "@headgate/core"
import { OrganizationDashboards } from "@headgate/core/adapter"
import { MemoryApiKeys, MemoryDashboards, MemoryPipes, MemorySnapshots, MemoryStore } from "@headgate/memory-adapter"
import * as Layer from "effect/Layer"
import * as Digest from "effect/crypto/Digest"
import { layerRepeatable } from "./repeatableRandom.ts"

/** The ports in memory over one fresh store, with ids and credentials that are the same in every run. */
export const testLayer = (organizationId: OrganizationId) => {
  const dashboards = Layer.effect(
    Dashboards,
    OrganizationDashboards.useSync((dashboards) => dashboards.of(organizationId))
  ).pipe(Layer.provide(MemoryDashboards.layerByOrganizationNoDeps))
  return Layer.mergeAll(dashboards, MemoryApiKeys.layerNoDeps, MemoryPipes.layer, MemorySnapshots.layerNoDeps).pipe(
    Layer.provide([MemoryStore.layer, Digest.layerWebCrypto, layerRepeatable])
  )
}
