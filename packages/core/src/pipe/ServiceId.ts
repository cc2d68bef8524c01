import * as Schema from "effect/Schema"
import { Uuid } from "../schema/Uuid.ts"

/** The id of the database service that owns a pipe, a UUID. Contract: section 2.2, `serviceId`, and section 4.1. */
export const ServiceId = Uuid.pipe(Schema.brand("ServiceId"))
/** What {@link ServiceId} decodes to. */
export type ServiceId = typeof ServiceId.Type
