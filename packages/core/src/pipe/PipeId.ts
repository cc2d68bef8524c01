import * as Schema from "effect/Schema"
import { Uuid } from "../schema/Uuid.ts"

/** The id of a pipe, a UUID. Contract: section 2.2, `id`. */
export const PipeId = Uuid.pipe(Schema.brand("PipeId"))
/** What {@link PipeId} decodes to. */
export type PipeId = typeof PipeId.Type
