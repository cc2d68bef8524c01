import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { expiry } from "../src/key/keyFlags.ts"

const now = Date.parse("2026-03-01T12:00:00Z")

const at = (text: string) => TestClock.setTime(now).pipe(Effect.andThen(expiry(text)), Effect.map(DateTime.formatIso))

describe("--expires", () => {
  it.effect.each<readonly [string, string]>([
    ["90m", "2026-03-01T13:30:00.000Z"],
    ["12h", "2026-03-02T00:00:00.000Z"],
    ["90d", "2026-05-30T12:00:00.000Z"],
    ["2w", "2026-03-15T12:00:00.000Z"],
    ["2026-03-02", "2026-03-02T00:00:00.000Z"],
    ["2028-02-29", "2028-02-29T00:00:00.000Z"],
    ["2026-03-01T14:00:00+01:30", "2026-03-01T12:30:00.000Z"],
    ["2026-03-01T12:00:00.001Z", "2026-03-01T12:00:00.001Z"]
  ])("%s", ([text, instant]) => Effect.map(at(text), (found) => assert.strictEqual(found, instant)))

  it.effect.each<readonly [string, string]>([
    ["2026-03-01", "Expected a time in the future"],
    ["2026-03-01T12:00:00Z", "Expected a time in the future"],
    ["0d", "Expected a duration"],
    ["-1d", "Expected a duration"],
    ["90", "Expected a duration"],
    ["90 days", "Expected a duration"],
    ["1.5d", "Expected a duration"],
    ["2027-02-30", "Expected a duration"],
    ["2027", "Expected a duration"],
    ["", "Expected a duration"],
    ["999999w", "Expected a duration"],
    ["999999999999999999d", "Expected a duration"]
  ])("rejects %s", ([text, words]) =>
    Effect.map(Effect.flip(at(text)), (error) => {
      assert.strictEqual(error.option, "expires")
      assert.include(error.message, words)
    })
  )
})
