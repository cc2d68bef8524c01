import { assert, describe, it } from "@effect/vitest"
import { formulaIssue } from "../../../src/dashboard/config/formula.ts"

const unexpected = (what: string) => `Unexpected ${what}`

const cases: ReadonlyArray<readonly [string, string | undefined]> = [
  ["A", undefined],
  ["A / (A + B) * 100", undefined],
  [" -A - -B ", undefined],
  ["((A))", undefined],
  ["A*.5 + 1.", undefined],
  ["A-B", undefined],
  ["", "Expression is empty"],
  ["  ", "Expression is empty"],
  ["C", 'Unknown series "C" — this chart only has series A through B'],
  [
    "C + D + C",
    'Unknown series "C" — this chart only has series A through B; Unknown series "D" — this chart only has series A through B'
  ],
  ["1 + 2", "Expression must reference at least one series (A, B, C, ...)"],
  ["a + A", unexpected('"a" — series references are uppercase letters (A, B, C, ...)')],
  ["sum", unexpected('"sum" — series references are uppercase letters (A, B, C, ...)')],
  ["ABS(A)", unexpected('"ABS" — series references are single letters (A, B, C, ...) and functions are not supported')],
  ["A +", "Unexpected end of expression"],
  ["(", "Unexpected end of expression"],
  ["A @ B", unexpected('character "@"')],
  ["A ^ 2", unexpected('character "^"')],
  ["A . B", unexpected('character "."')],
  ["A B", unexpected('series reference "B"')],
  ["A 2", unexpected('number "2"')],
  ["A (B)", unexpected("opening parenthesis")],
  ["* A", unexpected('operator "*"')],
  ["A + / B", unexpected('operator "/"')],
  ["()", unexpected("closing parenthesis")],
  ["A)", "Unmatched closing parenthesis"],
  ["(A", "Missing closing parenthesis"],
  ["(A B)", "Missing closing parenthesis"],
  [`A + ${"9".repeat(400)}`, `Invalid number "${"9".repeat(400)}"`],
  [`${"(".repeat(200)}A${")".repeat(200)}`, "Expression is nested too deeply (max 50 levels)"],
  [`${"-".repeat(200)}A`, "Expression is nested too deeply (max 50 levels)"]
]

describe("formulaIssue", () => {
  it.each(cases)("%s", (expression, issue) => {
    assert.strictEqual(formulaIssue(expression, 2), issue)
  })
})
