import * as Schema from "effect/Schema"
import { Uuid } from "../schema/Uuid.ts"

/** The id of the database service that owns a pipe. Contract: sections 2.2 and 4.1. */
export const ServiceId = Uuid.pipe(Schema.brand("ServiceId"))
export type ServiceId = typeof ServiceId.Type
