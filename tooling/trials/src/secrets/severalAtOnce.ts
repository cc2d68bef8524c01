const atOnce = 4

/** Does one thing after the other, a few at a time: programs that only start and fail wait for one another's start. */
export const severalAtOnce = async (tasks: ReadonlyArray<() => Promise<unknown>>): Promise<void> => {
  const rest = tasks.values()
  const work = async () => {
    for (const task of rest) await task()
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}
