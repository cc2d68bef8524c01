import * as Effect from "effect/Effect"

const isSameRow = <Row extends Readonly<Record<string, unknown>>>(a: Row, b: Row): boolean =>
  Object.keys(a).every((column) => a[column] === b[column])

/**
 * Decodes rows, and keeps the last `capacity` of them with their result, by `key`: a row whose columns are unchanged is
 * not decoded again. The row itself is selected each time, so that writes of other processes count at once.
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
      // A changed row replaces its own entry, and no other.
      known.delete(key)
      // A map keeps the order of insertion: the first entry is the oldest.
      for (const oldest of known.keys()) {
        if (known.size < capacity) break
        known.delete(oldest)
      }
      known.set(key, { row, value })
      return value
    })
  }
}
