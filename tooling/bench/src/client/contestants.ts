import type { Contestant } from "../measure/Contestant.ts"

const contestant = (name: string, module: string): Contestant => ({
  name,
  module: new URL(`contestants/${module}.ts`, import.meta.url)
})

/** Ways to read a pipe over HTTP. */
export const contestants: ReadonlyArray<Contestant> = [
  contestant("headgate on undici", "headgateUndici"),
  contestant("headgate on fetch", "headgateFetch"),
  contestant("openapi-fetch + zod 4", "openapiFetch"),
  contestant("fetch + JSON.parse", "fetch"),
  contestant("undici + JSON.parse", "undici")
]
