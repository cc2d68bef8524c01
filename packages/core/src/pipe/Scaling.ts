import * as Schema from "effect/Schema"
import { absentOrNull, identified, openStruct } from "../schema/OpenStruct.ts"

/** The size of a pipe. Contract: section 2.2.2. */
export const Scaling = openStruct({
  concurrency: absentOrNull(Schema.Int),
  replicas: absentOrNull(Schema.Int),
  /** CPU of each replica, in millicores. */
  replicaCpuMillicores: absentOrNull(Schema.Int),
  /** Memory of each replica, in gigabytes; may be fractional. */
  replicaMemoryGb: absentOrNull(Schema.Finite)
}).pipe(identified("Scaling"))
export type Scaling = typeof Scaling.Type
