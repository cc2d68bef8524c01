import * as Core from "@headgate/core"
import * as Schema from "effect/Schema"
import type { Input } from "./Input.ts"

/** The schema of {@link OrganizationAddress}. */
export const OrganizationAddress = Schema.Struct({ organizationId: Core.OrganizationId })

/** The organization of a request that names nothing else. */
export type OrganizationAddress = Input<typeof OrganizationAddress.Type>

/** The address of a service: two UUIDs. */
export type ServiceAddress = Input<Core.ServiceAddress>
