import * as Schema from "effect/Schema"
import { Uuid } from "../schema/Uuid.ts"

/** The id of a pipe. Contract: section 2.2. */
export const PipeId = Uuid.pipe(Schema.brand("PipeId"))
export type PipeId = typeof PipeId.Type
