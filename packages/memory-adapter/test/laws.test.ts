import { adapterLaws, portLaws } from "@headgate/conformance"
import { Dashboards, type OrganizationId, type Snapshot } from "@headgate/core"
import { documentsBelowService } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryAdapter } from "../src/index.ts"

const layer = (snapshot: Snapshot, organizationId: OrganizationId) =>
  Layer.provideMerge(documentsBelowService, MemoryAdapter.layer({ snapshot, organizationId }))

adapterLaws({ name: "memory", layer, leftOut: {} })

// The order of dashboards is not promised: the real service sorts them by name, descending.
const SortedByName = Layer.effect(
  Dashboards,
  Dashboards.useSync((dashboards) => ({
    ...dashboards,
    list: () => Effect.map(dashboards.list(), (all) => all.toSorted((one, other) => other.name.localeCompare(one.name)))
  }))
)
portLaws([Dashboards], {
  name: "memory, sorted by name",
  layer: (snapshot, organizationId) => SortedByName.pipe(Layer.provide(layer(snapshot, organizationId)))
})
