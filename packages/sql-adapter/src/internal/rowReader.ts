import * as Effect from "effect/Effect"

const isSameRow = <Row extends Readonly<Record<string, unknown>>>(a: Row, b: Row): boolean =>
  Object.keys(a).every((column) => a[column] === b[column])

/**
 * Reads rows that come again and again: a row whose columns are all what they were the last time is what it was read as
 * then. The database is asked each time, so that what another process writes counts at once; only the reading of a
 * document that has not changed is spared. `capacity` rows are remembered, by `key`.
 */
export const makeRowReader = <Row extends Readonly<Record<string, unknown>>, A, E>(
  capacity: number,
  read: (row: Row) => Effect.Effect<A, E>
) => {
  const known = new Map<string, { readonly row: Row; readonly value: A }>()
  return (key: string, row: Row): Effect.Effect<A, E> => {
    const held = known.get(key)
    if (held !== undefined && isSameRow(held.row, row)) return Effect.succeed(held.value)
    return Effect.map(read(row), (value) => {
      // What it was before gives its place up, and nobody else.
      known.delete(key)
      // A map remembers the order of insertion: the first has been there the longest.
      for (const oldest of known.keys()) {
        if (known.size < capacity) break
        known.delete(oldest)
      }
      known.set(key, { row, value })
      return value
    })
  }
}
