import * as Schema from "effect/Schema"
import { absentOrNull, identified, openStruct } from "../schema/OpenStruct.ts"

/**
 * The size of a pipe: how many replicas, and how much each of them has. Contract: section 2.2.2.
 *
 * @example
 * ```ts
 * import type { Scaling } from "@headgate/core/pipe"
 *
 * // In gigabytes, of all replicas.
 * export const memoryOf = ({ replicaMemoryGb, replicas }: Scaling): number => (replicas ?? 1) * (replicaMemoryGb ?? 0)
 * ```
 */
export const Scaling = openStruct({
  concurrency: absentOrNull(Schema.Int),
  replicas: absentOrNull(Schema.Int),
  /** CPU of each replica, in millicores. */
  replicaCpuMillicores: absentOrNull(Schema.Int),
  /** Memory of each replica, in gigabytes; may be fractional. */
  replicaMemoryGb: absentOrNull(Schema.Finite)
}).pipe(identified("Scaling"))
/** What {@link Scaling} decodes to. */
export type Scaling = typeof Scaling.Type
