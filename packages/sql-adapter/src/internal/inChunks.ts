import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"

/** How many ids one statement takes. */
export const chunk = 500

/** Reads the rows of any number of ids. */
export const inChunks = <Id, Row, E, R>(
  ids: ReadonlyArray<Id>,
  read: (ids: ReadonlyArray<Id>) => Effect.Effect<ReadonlyArray<Row>, E, R>
): Effect.Effect<ReadonlyArray<Row>, E, R> => Effect.map(Effect.forEach(Arr.chunksOf(ids, chunk), read), Arr.flatten)
