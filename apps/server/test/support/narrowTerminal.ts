import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { operate, operateIn } from "./processes.ts"

/** The environment of a terminal of 60 columns. */
export const narrow = { COLUMNS: "60" }

/** The length of the longest line. */
export const widest = (text: string) => Math.max(...text.split("\n").map((line) => line.length))

const words = (text: string) =>
  text
    .split(/\s+/)
    .filter((word) => word !== "\\")
    .toSorted()

/** Holds that a command prints the same words in a narrow terminal, in lines that fit. */
export const assertFits = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
  const wide = yield* operate(...args)
  const { code, stderr, stdout } = yield* operateIn(narrow, ...args)
  assert.deepStrictEqual([code, stderr], [0, ""])
  assert.isAtMost(widest(stdout), 60)
  assert.deepStrictEqual(words(stdout), words(wide.stdout))
})
