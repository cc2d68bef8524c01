import * as Schema from "effect/Schema"
import { Uuid } from "../schema/fieldSchemas.ts"

/**
 * The id of an organization, a UUID. An organization owns services, API keys and dashboards. Contract:
 * docs/wire-contract.md#read-a-pipe and docs/wire-contract.md#create-an-api-key.
 *
 * @example
 * ```ts
 * import { OrganizationId } from "@headgate/core"
 *
 * // `make` throws if the value is not a UUID. Decode values that come from outside.
 * export const acme = OrganizationId.make("1c9f6a0e-3b7d-4f2a-8e5c-7d4b6a9f0e21")
 * ```
 */
export const OrganizationId = Uuid.pipe(Schema.brand("OrganizationId")).annotate({
  description: "The id of the organization, a UUID."
})
export type OrganizationId = typeof OrganizationId.Type
