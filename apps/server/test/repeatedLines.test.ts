import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { onceAMinute } from "../src/observability/repeatedLines.ts"

it.effect(
  "a line of requests is logged once a minute, with its count; what has a cause or no request, each time",
  () => {
    const logged: Array<unknown> = []
    let now = 0
    const logger = onceAMinute(
      Logger.make(({ message }) => void logged.push(...[message].flat())),
      () => now
    )
    const failed = Effect.annotateLogs(Effect.logError("the database does not answer: gone"), { requestId: "1" })
    return Effect.gen(function* () {
      yield* failed
      yield* failed
      yield* failed
      now = 59_999
      yield* failed
      yield* Effect.annotateLogs(Effect.logError("another reason"), { requestId: "2" })
      now = 60_000
      yield* failed
      now = 120_000
      yield* failed
      for (let count = 0; count < 2; count++) {
        yield* Effect.annotateLogs(Effect.logError("a request failed", new Error("a bug")), { requestId: "3" })
        yield* Effect.logError("the certificate could not be read")
      }
      assert.deepStrictEqual(
        logged.filter((line) => typeof line === "string"),
        [
          "the database does not answer: gone",
          "another reason",
          "the database does not answer: gone (and 3 times since the last such line)",
          "the database does not answer: gone",
          "a request failed",
          "the certificate could not be read",
          "a request failed",
          "the certificate could not be read"
        ]
      )
    }).pipe(Effect.provide(Logger.layer([logger])))
  }
)
