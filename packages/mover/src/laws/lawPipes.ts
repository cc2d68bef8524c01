import { PipeId } from "@headgate/core"
import * as Schema from "effect/Schema"
import type { Range } from "../range/Range.ts"

/**
 * The pipe of the laws. A ledger that needs to know its pipes knows this one and {@link otherPipeId}.
 *
 * @example
 * ```ts
 * import { lawPipeId, otherPipeId } from "@headgate/mover/laws"
 *
 * export const known = [lawPipeId, otherPipeId]
 * ```
 */
export const lawPipeId = Schema.decodeSync(PipeId)("b1be0000-0000-4000-8000-0000000000a1")
/**
 * Another pipe of the laws.
 *
 * @example
 * ```ts
 * import { otherPipeId } from "@headgate/mover/laws"
 *
 * export const isOther = (pipeId: string) => pipeId === otherPipeId
 * ```
 */
export const otherPipeId = Schema.decodeSync(PipeId)("b1be0000-0000-4000-8000-0000000000a2")

/** A range of the first generation of the laws' pipe, changed in some fields. */
export const rangeOf = (from: number, to: number, change: Partial<Range> = {}): Range => ({
  pipeId: lawPipeId,
  generation: 1,
  source: "topic",
  partition: "0",
  from: String(from),
  to: String(to),
  ...change
})
