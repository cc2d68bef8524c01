import type { Destination } from "../port/Warehouse.ts"
import type { UnknownFields } from "../range/unknownFields.ts"

/** How a mover is doing. The counts are this mover's own, from its start. */
export interface MoverStatus {
  readonly state: "Setup" | "Running" | "Degraded" | "Failed" | "Completed"
  /** Why the pipe is Degraded or Failed, and what to do. */
  readonly message?: string
  /** What the destination promises; absent until it is open. */
  readonly guarantee?: Destination["guarantee"]
  readonly ranges: number
  readonly rows: number
  readonly bytes: number
  readonly badRows: number
  readonly unknownFields: UnknownFields
  /** What needs attention while the pipe moves. */
  readonly warnings: ReadonlyArray<string>
  /** Objects that were found and are not read: they sort below the position, or have changed since they were read. */
  readonly skipped: number
  /** The time that the inserts of all ranges took together. */
  readonly insertSeconds: number
}

/**
 * The status of a mover that has not moved anything.
 *
 * @example
 * ```ts
 * import { initialStatus } from "@headgate/mover"
 *
 * console.log(initialStatus.state, initialStatus.rows) // Setup 0
 * ```
 */
export const initialStatus: MoverStatus = {
  state: "Setup",
  ranges: 0,
  rows: 0,
  bytes: 0,
  badRows: 0,
  unknownFields: new Map(),
  warnings: [],
  skipped: 0,
  insertSeconds: 0
}
