import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import type { Step } from "./support/ScriptedClient.ts"
import { get, ok, run } from "./support/timeline.ts"

describe("the service's own wish", () => {
  const headers: ReadonlyArray<readonly [string, Record<string, string>, number]> = [
    ["Retry-After in seconds", { "retry-after": "7" }, 7000],
    ["Retry-After of an hour, capped", { "retry-after": "3600" }, 60_000],
    ["Retry-After shorter than the backoff", { "retry-after": "0" }, 500],
    ["Retry-After that cannot be read", { "retry-after": "-1" }, 500],
    ["X-RateLimit-Reset as seconds from now", { "x-ratelimit-reset": "9" }, 9000],
    ["X-RateLimit-Reset of an hour, capped", { "x-ratelimit-reset": "3600" }, 60_000],
    ["X-RateLimit-Reset that cannot be read", { "x-ratelimit-reset": "later" }, 500],
    ["an empty X-RateLimit-Reset", { "x-ratelimit-reset": " " }, 500],
    ["Retry-After before X-RateLimit-Reset", { "retry-after": "7", "x-ratelimit-reset": "9" }, 7000]
  ]
  for (const [title, header, pause] of headers) {
    it.effect(`${title}: ${pause} ms`, () =>
      Effect.gen(function* () {
        const steps: ReadonlyArray<Step> = [{ status: 429, headers: header }, ok(get)]
        const { sentAt } = yield* run(get, { steps, draw: 1 })
        assert.deepStrictEqual(sentAt, [0, pause])
      })
    )
  }

  it.effect("reads dates and epochs against the clock", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 0, 31, 12, 0, 0))
      const cases: ReadonlyArray<readonly [Record<string, string>, number]> = [
        [{ "retry-after": "Sat, 31 Jan 2026 12:00:20 GMT" }, 20_000],
        [{ "retry-after": "Sat, 31 Jan 2026 13:00:00 GMT" }, 60_000],
        [{ "retry-after": "Sat, 31 Jan 2026 11:00:00 GMT" }, 500],
        [{ "x-ratelimit-reset": String(Date.UTC(2026, 0, 31, 12, 0, 30) / 1000) }, 30_000],
        [{ "x-ratelimit-reset": String(Date.UTC(2026, 0, 31, 12, 0, 30)) }, 30_000],
        [{ "x-ratelimit-reset": String(Date.UTC(2025, 0, 31) / 1000) }, 500]
      ]
      for (const [headers, pause] of cases) {
        yield* TestClock.setTime(Date.UTC(2026, 0, 31, 12, 0, 0))
        const { sentAt } = yield* run(get, { steps: [{ status: 429, headers }, ok(get)], draw: 1 })
        assert.deepStrictEqual(sentAt, [0, pause], JSON.stringify(headers))
      }
    })
  )

  it.effect("heeds X-RateLimit-Reset on a 429 only: other answers carry it too", () =>
    Effect.gen(function* () {
      const steps: ReadonlyArray<Step> = [{ status: 500, headers: { "x-ratelimit-reset": "9" } }, ok(get)]
      const { sentAt } = yield* run(get, { steps, draw: 1 })
      assert.deepStrictEqual(sentAt, [0, 500])
    })
  )
})
