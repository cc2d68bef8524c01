import type * as Core from "@headgate/core"
import type { Input } from "./Input.ts"

/** The organization of a request that names nothing else. */
export type OrganizationAddress = Input<{ readonly organizationId: Core.OrganizationId }>

/** The address of a service: two UUIDs. */
export type ServiceAddress = Input<Core.ServiceAddress>
