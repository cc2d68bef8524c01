/** Something of a list that begins with the newest. */
interface Positioned {
  readonly position: string
}

/** A list that was read before, after its newest page was read again: what is new comes first, and what left that page stays. */
export const joinNewest = <A extends Positioned>(
  known: ReadonlyArray<A>,
  newest: ReadonlyArray<A>
): ReadonlyArray<A> => {
  const again = new Set(newest.map(({ position }) => position))
  return [...newest, ...known.filter(({ position }) => !again.has(position))]
}
