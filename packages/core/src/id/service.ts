import * as Schema from "effect/Schema"
import { Uuid } from "../schema/fieldSchemas.ts"
import { OrganizationId } from "./organization.ts"

/**
 * The id of the database service that owns a pipe, a UUID. Contract: docs/wire-contract.md#fields-of-a-pipe,
 * `serviceId`, and docs/wire-contract.md#read-a-pipe.
 */
export const ServiceId = Uuid.pipe(Schema.brand("ServiceId")).annotate({
  description: "The id of the database service, a UUID."
})
export type ServiceId = typeof ServiceId.Type

/**
 * The address of a service: the path parameters of the list of its pipes. Contract: docs/wire-contract.md#read-a-pipe.
 */
export const ServiceAddress = Schema.Struct({ organizationId: OrganizationId, serviceId: ServiceId })
export type ServiceAddress = typeof ServiceAddress.Type
