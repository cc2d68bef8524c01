import * as Effect from "effect/Effect"
import type { Source } from "../port/Source.ts"
import type { SourceError } from "../range/MoveError.ts"
import type { Position } from "../range/Range.ts"

/** Where the partitions that a source has now begin. A new generation records it: what is not in it was added later. */
export const startsOf = ({
  partitions
}: Source["Service"]): Effect.Effect<ReadonlyMap<string, Position>, SourceError> =>
  Effect.map(partitions, (all) => new Map(all.map(({ partition, start }) => [partition, start] as const)))
