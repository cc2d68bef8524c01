import * as Schema from "effect/Schema"
import { Uuid } from "../schema/Uuid.ts"

/**
 * The id of an organization, a UUID: it owns services, API keys and dashboards. Contract: sections 4.1 and 4.2.
 *
 * @example
 * ```ts
 * import { OrganizationId } from "@headgate/core/access"
 *
 * // `make` throws on what is no UUID: for values of your own. What comes from outside is decoded.
 * export const acme = OrganizationId.make("1c9f6a0e-3b7d-4f2a-8e5c-7d4b6a9f0e21")
 * ```
 */
export const OrganizationId = Uuid.pipe(Schema.brand("OrganizationId"))
/** What {@link OrganizationId} decodes to. */
export type OrganizationId = typeof OrganizationId.Type
