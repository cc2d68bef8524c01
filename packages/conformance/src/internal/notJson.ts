/** What a field that no contract names may hold in a program, and no document can. */
export const notJson: ReadonlyArray<readonly [string, unknown]> = [
  ["a bigint", 1n],
  ["NaN", Number.NaN],
  ["a Map", new Map([["a", 1]])],
  ["a function", () => 1],
  ["undefined", undefined]
]
