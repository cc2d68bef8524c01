import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { fieldIssues } from "../../src/error/FieldIssue.ts"
import { looseStruct } from "../../src/schema/LooseStruct.ts"
import { Timestamp } from "../../src/schema/Timestamp.ts"

const decode = Schema.decodeUnknownEffect(Timestamp)
const encode = Schema.encodeEffect(Timestamp)

// What a four-digit year can tell: from 0000-01-01T00:00:00.000Z to 9999-12-31T23:59:59.999Z.
const instants = Arbitrary.schema(
  Schema.Int.check(Schema.isBetween({ minimum: -62_167_219_200_000, maximum: 253_402_300_799_999 }))
)

describe("Timestamp", () => {
  it.effect.each([
    { text: "2026-01-31T12:00:00Z", millis: Date.UTC(2026, 0, 31, 12) },
    { text: "2026-01-31T12:00:00.5Z", millis: Date.UTC(2026, 0, 31, 12, 0, 0, 500) },
    { text: "2026-01-31T12:00:00.123Z", millis: Date.UTC(2026, 0, 31, 12, 0, 0, 123) },
    { text: "2026-01-31T12:00:00.123456Z", millis: Date.UTC(2026, 0, 31, 12, 0, 0, 123) },
    { text: "2026-01-31T12:00:00.123456789Z", millis: Date.UTC(2026, 0, 31, 12, 0, 0, 123) },
    { text: "2026-01-31T12:00:00+02:00", millis: Date.UTC(2026, 0, 31, 10) },
    { text: "2026-01-31T22:30:00.000-05:30", millis: Date.UTC(2026, 1, 1, 4) },
    { text: "2026-01-31T12:00:00+00:00", millis: Date.UTC(2026, 0, 31, 12) },
    { text: "2024-02-29T23:59:59z", millis: Date.UTC(2024, 1, 29, 23, 59, 59) },
    { text: "2024-02-29t23:59:59Z", millis: Date.UTC(2024, 1, 29, 23, 59, 59) },
    { text: "9999-12-31T23:59:59Z", millis: Date.UTC(9999, 11, 31, 23, 59, 59) }
  ])("$text is decoded to the millisecond and encoded to the same text", ({ millis, text }) =>
    Effect.gen(function* () {
      const instant = yield* decode(text)
      assert.strictEqual(DateTime.toEpochMillis(instant), millis)
      assert.strictEqual(yield* encode(instant), text)
    })
  )

  it.effect("keeps different texts of one instant", () =>
    Effect.gen(function* () {
      const texts = ["2026-01-31T12:00:00Z", "2026-01-31T12:00:00.000Z", "2026-01-31T13:00:00+01:00"]
      const instants = yield* Effect.forEach(texts, (text) => decode(text))
      assert.deepStrictEqual(yield* Effect.forEach(instants, (instant) => encode(instant)), texts)
    })
  )

  it.effect("writes a computed instant in UTC with milliseconds", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 0, 31, 12, 0, 0, 7))
      assert.strictEqual(yield* encode(yield* DateTime.now), "2026-01-31T12:00:00.007Z")
      const later = DateTime.add(yield* decode("2026-01-31T12:00:00+02:00"), { hours: 1 })
      assert.strictEqual(yield* encode(later), "2026-01-31T11:00:00.000Z")
    })
  )

  it.effect.prop("reads back every instant it writes", [instants], ([millis]) =>
    Effect.gen(function* () {
      const read = yield* decode(yield* encode(DateTime.makeUnsafe(millis)))
      assert.strictEqual(DateTime.toEpochMillis(read), millis)
    })
  )

  const refused: ReadonlyArray<unknown> = [
    "",
    "now",
    "2026",
    "2026-01-31",
    "1 May 2026",
    "2026-01-31 12:00:00Z",
    "2026-01-31T12:00Z",
    "2026-01-31T12:00:00",
    "2026-01-31T12:00:00.Z",
    "2026-01-31T12:00:00+0200",
    "2026-01-31T12:00:00+99:00",
    "2026-1-31T12:00:00Z",
    "2026-13-01T12:00:00Z",
    "2026-00-10T12:00:00Z",
    "2026-01-32T12:00:00Z",
    "2026-01-31T25:00:00Z",
    "2026-01-31T12:60:00Z",
    "+012026-01-31T12:00:00Z",
    " 2026-01-31T12:00:00Z",
    "2026-01-31T12:00:00Z\n",
    1_769_860_800,
    null,
    {}
  ]
  it.effect.each(refused.map((value) => ({ value })))("rejects $value", ({ value }) =>
    Effect.gen(function* () {
      const [issue, ...others] = fieldIssues(yield* Effect.flip(decode(value)))
      assert.isEmpty(others)
      if (typeof value === "string") {
        assert.strictEqual(issue?.message, "Expected an RFC 3339 timestamp such as 2026-01-31T12:00:00Z")
      }
    })
  )

  // RFC 3339, section 5.7: the day must exist in its month, the hour is 00 to 23.
  it.effect.each([
    { text: "2026-02-29T00:00:00Z" },
    { text: "2026-02-30T00:00:00Z" },
    { text: "2026-04-31T00:00:00Z" },
    { text: "2026-01-31T24:00:00Z" }
  ])("rejects $text, a time that does not exist", ({ text }) =>
    Effect.gen(function* () {
      assert.isTrue(Result.isFailure(yield* Effect.result(decode(text))))
    })
  )

  // A field of a struct has a decoder of its own: both ways must end at the same instants.
  describe.each([
    { name: "alone", decode, valueOf: (text: string): unknown => text },
    {
      name: "in a field",
      decode: (value: unknown) =>
        Effect.map(Schema.decodeUnknownEffect(looseStruct({ at: Timestamp }))(value), ({ at }) => at),
      valueOf: (at: string): unknown => ({ at })
    }
  ])("$name", ({ decode, valueOf }) => {
    it.effect.each([
      { text: "9999-12-31T23:59:59.999Z", millis: 253_402_300_799_999 },
      { text: "0000-01-01T00:00:00.000Z", millis: -62_167_219_200_000 }
    ])("reads $text, an instant at the end of the range", ({ millis, text }) =>
      Effect.gen(function* () {
        assert.strictEqual(DateTime.toEpochMillis(yield* decode(valueOf(text))), millis)
      })
    )

    it.effect.each([
      { text: "9999-12-31T23:59:59.999-00:01" },
      { text: "9999-12-31T12:00:00-12:00" },
      { text: "0000-01-01T00:00:00+00:01" }
    ])("rejects $text, whose year in UTC does not have four digits", ({ text }) =>
      Effect.gen(function* () {
        const [issue] = fieldIssues(yield* Effect.flip(decode(valueOf(text))))
        assert.strictEqual(issue?.message, "Expected a year from 0 to 9999")
      })
    )
  })

  it.effect.each([{ millis: 253_402_300_800_000 }, { millis: -62_167_219_200_001 }])(
    "does not write $millis, whose year does not have four digits",
    ({ millis }) =>
      Effect.gen(function* () {
        const [issue] = fieldIssues(yield* Effect.flip(encode(DateTime.makeUnsafe(millis))))
        assert.strictEqual(issue?.message, "Expected a year from 0 to 9999")
      })
  )
})
