import type { OrganizationId, TokenRecord } from "@headgate/core/access"
import type { Dashboard, DashboardId } from "@headgate/core/dashboard"
import type { Pipe, PipeId, ServiceId } from "@headgate/core/pipe"
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { KeyMap } from "./key/KeyMap.ts"

/** An organization, as stored. */
export interface StoredOrganization {
  readonly id: OrganizationId
  readonly name: string
}

/** A service and the organization that owns it. */
export interface StoredService {
  readonly id: ServiceId
  readonly organizationId: OrganizationId
  readonly name: string
}

/** A pipe and the organization that owns its service. */
export interface StoredPipe {
  readonly organizationId: OrganizationId
  readonly pipe: Pipe
}

/** A dashboard and the organization that owns it. */
export interface StoredDashboard {
  readonly organizationId: OrganizationId
  readonly dashboard: Dashboard
}

/**
 * What the memory adapter holds: maps that remember the order of insertion. A change is made in one synchronous step,
 * which no other fiber can come between, so that nothing here needs a lock.
 */
export class MemoryStore extends Context.Service<
  MemoryStore,
  {
    readonly organizations: Map<OrganizationId, StoredOrganization>
    readonly services: Map<ServiceId, StoredService>
    readonly pipes: Map<PipeId, StoredPipe>
    /** By `keyIdHash`, the way a caller's key is looked up. */
    readonly keys: KeyMap
    /** By `tokenHash`. */
    readonly tokens: Map<string, TokenRecord>
    readonly dashboards: Map<DashboardId, StoredDashboard>
  }
>()("@headgate/memory-adapter/MemoryStore") {
  /** An empty store: all that is built over one build of this layer shares it. */
  static readonly layer: Layer.Layer<MemoryStore> = Layer.sync(MemoryStore, () => ({
    organizations: new Map(),
    services: new Map(),
    pipes: new Map(),
    keys: new KeyMap(),
    tokens: new Map(),
    dashboards: new Map()
  }))
}
