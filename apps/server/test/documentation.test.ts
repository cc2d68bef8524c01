import { assert, describe, it, layer } from "@effect/vitest"
import { dialects, neutral, openApi } from "@headgate/http-contract"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { documentationRoutes, sharedDocument } from "../src/http/Documentation.ts"
import { CurrentRequest } from "../src/http/RequestLog.ts"
import { listening } from "./support/listening.ts"
import { call, memoryServer } from "./support/liveServer.ts"
import { environment } from "./support/environment.ts"

describe("what the server says of itself", () => {
  for (const dialect of Object.values(dialects)) {
    layer(memoryServer(environment, { dialect }), { excludeTestServices: true })(dialect.name, (it) => {
      it.effect("serves the contract's OpenAPI document to anyone", () =>
        Effect.gen(function* () {
          const { json, status } = yield* call("/openapi.json")
          assert.strictEqual(status, 200)
          assert.deepStrictEqual(json, JSON.parse(JSON.stringify(openApi(dialect))))
          assert.match(json.openapi, /^3\.1\./)
        })
      )

      it.effect("serves a documentation page that loads nothing from elsewhere", () =>
        Effect.gen(function* () {
          const { headers, status, text } = yield* call("/docs")
          assert.strictEqual(status, 200)
          assert.match(headers.get("content-type") ?? "", /^text\/html/)
          const page = text.replaceAll(/<script[\s\S]*?<\/script>|<style[\s\S]*?<\/style>/g, "")
          assert.notMatch(page, /(?:src|href)\s*=/)
          assert.include(text, dialect.pipesSegment)
        })
      )

      for (const path of ["/docs", "/openapi.json"]) {
        it.effect(`${path} is sent compressed to who accepts it, and only again when it has changed`, () =>
          Effect.gen(function* () {
            const compressed = yield* call(path, { headers: { "accept-encoding": "br, gzip;q=0.5" } })
            const plain = yield* call(path, { headers: { "accept-encoding": "gzip;q=0" } })
            assert.strictEqual(compressed.headers.get("content-encoding"), "gzip")
            assert.strictEqual(plain.headers.get("content-encoding"), null)
            assert.strictEqual(compressed.text, plain.text)
            assert.isBelow(Number(compressed.headers.get("content-length")), plain.text.length / 2)
            for (const { headers } of [compressed, plain]) {
              assert.strictEqual(headers.get("cache-control"), "no-cache")
              assert.strictEqual(headers.get("vary"), "accept-encoding")
              const etag = headers.get("etag") ?? ""
              const again = yield* call(path, { headers: { "if-none-match": `"other", ${etag}` } })
              assert.deepStrictEqual([again.status, again.text, again.headers.get("etag")], [304, "", etag])
              assert.strictEqual((yield* call(path, { headers: { "if-none-match": '"other"' } })).status, 200)
            }
          })
        )
      }
    })
  }
})

it.effect("neither document is made before the first request: what each start costs has no part in it", () =>
  Effect.gen(function* () {
    const read: Array<PropertyKey> = []
    const dialect = new Proxy(neutral, {
      get: (target, name) => {
        read.push(name)
        return Reflect.get(target, name)
      }
    })
    yield* documentationRoutes(dialect)
    assert.deepStrictEqual(read, [])
  })
)

describe("a document whose first caller hangs up", () => {
  it.live("is made once, and the next caller gets it", () =>
    Effect.gen(function* () {
      const [begun, goOn] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      let made = 0
      const text = Effect.gen(function* () {
        made++
        yield* Deferred.succeed(begun, undefined)
        yield* Deferred.await(goOn)
        return "document"
      })
      const { answer } = yield* sharedDocument("/docs", "text/plain", text)
      const request = HttpServerRequest.fromWeb(new Request("http://localhost/docs"))
      const current = CurrentRequest.defaultValue()
      const first = yield* Effect.forkChild(
        Effect.provideService(answer(request, {}, current), HttpServerRequest.HttpServerRequest, request)
      )
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(first)
      yield* Deferred.succeed(goOn, undefined)
      const served = listening(Effect.flatMap(HttpServerRequest.HttpServerRequest, (next) => answer(next, {}, current)))
      const { text: received } = yield* Effect.provide(call("/docs"), served)
      assert.deepStrictEqual([received, made], ["document", 1])
    })
  )
})
