import * as Schema from "effect/Schema"
import { Uuid } from "../schema/Uuid.ts"

/** The id of an organization: it owns services, API keys and dashboards. Contract: sections 4.1 and 4.2. */
export const OrganizationId = Uuid.pipe(Schema.brand("OrganizationId"))
export type OrganizationId = typeof OrganizationId.Type
