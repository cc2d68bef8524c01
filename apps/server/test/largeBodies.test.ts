import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { setTimeout } from "node:timers/promises"
import { respondWith } from "../src/http/HttpProblem.ts"
import { maxBodyBytes, maxLargeBodyBytes } from "../src/http/Limits.ts"
import { jsonBody } from "../src/http/requestBody.ts"
import { listening } from "./support/listening.ts"
import { ServerUrl } from "./support/liveServer.ts"
import { openConnection } from "./support/rawConnection.ts"

const json = { "content-type": "application/json" }
const head = (length: number) =>
  `POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`

describe("large bodies", () => {
  it.live("are parsed with turns of the event loop between them", () => {
    const turns: Array<number> = []
    let turn = 0
    const answer = Effect.flatMap(HttpServerRequest, jsonBody).pipe(
      Effect.map(() => {
        turns.push(turn)
        return HttpServerResponse.empty()
      }),
      Effect.catch(respondWith)
    )
    return Effect.gen(function* () {
      const url = yield* ServerUrl
      const count = () => {
        turn++
        if (turns.length < 10) setImmediate(count)
      }
      count()
      const body = JSON.stringify("x".repeat(100_000))
      yield* Effect.promise(() =>
        Promise.all(Array.from({ length: 10 }, () => fetch(url, { method: "POST", headers: json, body })))
      )
      for (const [index, at] of turns.entries()) if (index > 0) assert.isAtLeast(at - (turns[index - 1] ?? 0), 8)
    }).pipe(Effect.provide(listening(answer)))
  })

  it.live("wait, unread, while as many bytes as may be in memory are awaited", () => {
    const answer = Effect.flatMap(HttpServerRequest, jsonBody).pipe(
      Effect.as(HttpServerResponse.empty()),
      Effect.catch(respondWith)
    )
    return Effect.gen(function* () {
      const url = yield* ServerUrl
      yield* Effect.promise(async () => {
        const incomplete = await Promise.all(
          Array.from({ length: maxLargeBodyBytes / maxBodyBytes }, () => openConnection(url))
        )
        for (const { send } of incomplete) send(head(maxBodyBytes))
        await setTimeout(100)
        let isAnswered = false
        const body = JSON.stringify("x".repeat(200_000))
        const large = fetch(url, { method: "POST", headers: json, body }).then(({ status }) => {
          isAnswered = true
          return status
        })
        const small = await fetch(url, { method: "POST", headers: json, body: "1" })
        assert.strictEqual(small.status, 204)
        await setTimeout(100)
        assert.isFalse(isAnswered)
        incomplete[0]?.destroy()
        assert.strictEqual(await large, 204)
        for (const { destroy } of incomplete) destroy()
      })
    }).pipe(Effect.provide(listening(answer)))
  })
})
