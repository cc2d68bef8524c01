import type * as Core from "@headgate/core"
import type { Defaults } from "./Defaults.ts"
import type { Input } from "./Input.ts"

/** A request whose organization and service may be those of the client. */
export type Addressed<A> = Omit<Input<A>, keyof Defaults> & {
  readonly [Name in keyof Input<A> & keyof Defaults]?: string | undefined
}

/** The organization of a request that names nothing else. */
export type OrganizationAddress = Addressed<{ readonly organizationId: Core.OrganizationId }>

/** The address of a service: two UUIDs. */
export type ServiceAddress = Addressed<Core.ServiceAddress>
