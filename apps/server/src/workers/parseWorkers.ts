import { availableParallelism } from "node:os"

/** Reads how many processes serve: a number, or `auto` for one for each core; `undefined` when it is none. */
export const parseWorkers = (text: string): number | undefined => {
  if (text === "auto") return availableParallelism()
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0
  return count > 0 ? count : undefined
}
