import type { Contestant } from "../measure/Contestant.ts"

const contestant = (name: string, module: string): Contestant => ({
  name,
  module: new URL(`contestants/${module}.ts`, import.meta.url)
})

/** Ways to read a parsed pipe. */
export const contestants: ReadonlyArray<Contestant> = [
  contestant("headgate", "headgate"),
  contestant("headgate, compiled", "headgateCompiled"),
  contestant("  Effect's interpreter alone", "interpreted"),
  contestant("  Effect's JIT alone", "interpretedJit"),
  contestant("zod 4, decoded", "zodDecoded"),
  contestant("zod 4, checked", "zod"),
  contestant("arktype, checked", "arktype"),
  contestant("typebox, checked", "typebox"),
  contestant("typebox + ajv, checked", "ajv"),
  contestant("JSON.parse alone", "jsonParse")
]
