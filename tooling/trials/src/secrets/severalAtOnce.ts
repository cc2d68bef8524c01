import type { Stage } from "./Stage.ts"

/** Does one thing after the other, a few at a time: programs that only start and fail wait for one another's start. */
export const severalAtOnce = async (
  { programs }: Stage,
  tasks: ReadonlyArray<() => Promise<unknown>>
): Promise<void> => {
  const rest = tasks.values()
  const work = async () => {
    for (const task of rest) await task()
  }
  await Promise.all(Array.from({ length: programs }, work))
}
