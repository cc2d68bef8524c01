import { assert, describe, it } from "@effect/vitest"
import { fixtureCredentials, fixtureSnapshot } from "@headgate/conformance/fixtures"
import { MemoryAdapter } from "@headgate/memory-adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { request } from "node:http"
import { text } from "node:stream/consumers"
import { setTimeout } from "node:timers/promises"
import { bearer, liveServer, ServerUrl } from "./support/liveServer.ts"

const token = bearer(Redacted.value(fixtureCredentials.tokens.acme.token))
const name = "größer als ein Paket €"
const whole = Buffer.from(JSON.stringify({ name }))
// Between the two bytes of a letter.
const split = whole.indexOf("ö") + 1

interface Sent {
  readonly what: string
  readonly parts: ReadonlyArray<Buffer>
  readonly headers?: Readonly<Record<string, string | number>>
}

const told = { "content-length": whole.length }
const sent: ReadonlyArray<Sent> = [
  { what: "whole", parts: [whole], headers: told },
  { what: "in parts, a letter in two", parts: [whole.subarray(0, split), whole.subarray(split)], headers: told },
  { what: "byte by byte", parts: Array.from(whole, (byte) => Buffer.of(byte)), headers: told },
  { what: "without a length", parts: [whole.subarray(0, split), whole.subarray(split)] },
  { what: "once the server said to go on", parts: [whole], headers: { ...told, expect: "100-continue" } },
  {
    what: "after a byte order mark",
    parts: [Buffer.from("\uFEFF"), whole],
    headers: { "content-length": whole.length + 3 }
  }
]

const answerTo = (path: string, { headers = {}, parts }: Sent) =>
  Effect.flatMap(ServerUrl, (url) =>
    Effect.promise(async () => {
      const asked = request(url, {
        // As it is: a URL would drop a bare question mark, by which a request goes by the route.
        path,
        method: "POST",
        headers: { authorization: token, "content-type": "application/json", ...headers }
      })
      const answered = new Promise<{ readonly status: number | undefined; readonly text: string }>(
        (resolve, reject) => {
          asked.once("error", reject)
          asked.once("response", (response) => {
            text(response).then((body) => resolve({ status: response.statusCode, text: body }), reject)
          })
        }
      )
      if (headers["expect"] !== undefined) {
        asked.flushHeaders()
        await new Promise<void>((resolve) => asked.once("continue", resolve))
      }
      for (const part of parts) {
        asked.write(part)
        await setTimeout(1)
      }
      asked.end()
      return await answered
    })
  )

const server = Layer.unwrap(
  Effect.map(fixtureSnapshot, (snapshot) => liveServer(MemoryAdapter.layer({ snapshot }), { admin: true }))
)
const quiet = Layer.unwrap(Effect.map(fixtureSnapshot, (snapshot) => liveServer(MemoryAdapter.layer({ snapshot }))))

// With the journal, the body is read before the operation asks for it.
for (const [where, layer] of [
  ["a server", quiet],
  ["a server with a journal", server]
] as const) {
  describe(`a body that arrives at ${where}`, () => {
    for (const path of ["/api/v2/dashboards", "/api/v2/dashboards?"]) {
      for (const one of sent) {
        it.live(`${one.what} is read whole: ${path}`, () =>
          Effect.gen(function* () {
            const answer = yield* answerTo(path, one)
            assert.strictEqual(answer.status, 200, answer.text)
            assert.strictEqual(JSON.parse(answer.text).data.name, name)
          }).pipe(Effect.provide(Layer.fresh(layer)))
        )
      }

      it.live(`that is no UTF-8 is refused, and nothing of it is stored: ${path}`, () =>
        Effect.gen(function* () {
          const parts = [Buffer.from(`{"name":"`), Buffer.of(0xff, 0xc3), Buffer.from(`"}`)]
          const answer = yield* answerTo(path, { what: "", parts, headers: { "content-length": 13 } })
          assert.strictEqual(answer.status, 400)
          assert.include(answer.text, "body: Expected text in UTF-8")
        }).pipe(Effect.provide(Layer.fresh(layer)))
      )
    }
  })
}
