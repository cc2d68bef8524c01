import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Tracer from "effect/Tracer"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { Agent, ProxyAgent } from "undici"
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib"
import { UndiciHttpClient } from "../src/undici/index.ts"
import { serve } from "./support/FaultServer.ts"
import { faults } from "./support/badAnswers.ts"
import { layerPorts } from "./support/ports.ts"
import { get } from "./support/timeline.ts"

/** A server that gives back what it was sent. */
const mirror = serve((request, response) => {
  response.writeHead(Number(request.headers["x-status"] ?? 200), {
    "content-type": request.headers["content-type"] ?? "text/plain",
    "set-cookie": ["a=1", "b=2"],
    "x-sent": JSON.stringify([
      request.method,
      request.url,
      request.headers["x-mark"],
      request.headers["content-length"]
    ])
  })
  response.end(request.method === "GET" ? "täxt" : request.headers["x-echo"])
})

const send = (request: HttpClientRequest.HttpClientRequest) =>
  HttpClient.HttpClient.use((client) => client.execute(request)).pipe(Effect.provide(UndiciHttpClient.layer))

describe("UndiciHttpClient", () => {
  it.live("is an HttpClient like any other: each way to read a body", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* mirror
      const request = HttpClientRequest.get(`${baseUrl}/a?b=c`, { headers: { "x-mark": "here" } })
      const response = yield* send(request)
      assert.strictEqual(response.status, 200)
      assert.strictEqual(response.url, `${baseUrl}/a?b=c`)
      assert.deepStrictEqual(JSON.parse(response.headers["x-sent"] ?? ""), ["GET", "/a?b=c", "here", null])
      assert.strictEqual(response.headers["set-cookie"], "a=1, b=2")
      assert.strictEqual(response.headers["content-length"], "5")
      assert.strictEqual(yield* response.text, "täxt")
      assert.strictEqual(new TextDecoder().decode(yield* response.arrayBuffer), "täxt")
      assert.strictEqual(yield* Stream.mkString(Stream.decodeText(response.stream)), "täxt")
      assert.deepStrictEqual(Object.keys(response.cookies.cookies), ["a", "b"])
    })
  )

  for (const [encoding, compress] of [
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync]
  ] as const) {
    it.live(`undoes ${encoding} that it did not ask for`, () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* serve((_, response) => {
          response.writeHead(400, { "content-encoding": encoding }).end(compress("{}"))
        })
        const response = yield* send(HttpClientRequest.get(baseUrl))
        assert.deepStrictEqual(
          [yield* response.text, response.headers["content-encoding"], response.headers["content-length"]],
          ["{}", undefined, "2"]
        )
      })
    )
  }

  it.live("takes an empty body for empty, whatever its encoding", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* serve(
        (_, response) => void response.writeHead(204, { "content-encoding": "gzip" }).end()
      )
      assert.strictEqual(yield* Effect.flatMap(send(HttpClientRequest.get(baseUrl)), ({ text }) => text), "")
    })
  )

  it.live("takes a byte order mark for no part of the text, as fetch does", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* serve((_, response) => void response.end("\uFEFF{}"))
      assert.strictEqual(yield* Effect.flatMap(send(HttpClientRequest.get(baseUrl)), ({ text }) => text), "{}")
    })
  )

  it.live("sends traceparent within a trace, and nowhere else", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* serve((request, response) => void response.end(request.headers["traceparent"] ?? ""))
      const sent = Effect.flatMap(send(HttpClientRequest.get(baseUrl)), ({ text }) => text)
      assert.strictEqual(yield* sent, "")
      const outer = Tracer.externalSpan({ traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" })
      const parent = yield* Effect.provideService(sent, Tracer.ParentSpan, outer)
      assert.match(parent, /^00-0af7651916cd43dd8448eb211c80319c-/)
    })
  )

  it.live("reads JSON, forms and nothing", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* mirror
      const post = (echo: string, type: string) =>
        send(HttpClientRequest.post(baseUrl, { headers: { "x-echo": echo, "content-type": type } }))
      assert.deepStrictEqual(yield* Effect.flatMap(post(`{"a":1}`, "application/json"), ({ json }) => json), { a: 1 })
      const form = yield* Effect.flatMap(
        post("a=1&b=2", "application/x-www-form-urlencoded"),
        ({ urlParamsBody }) => urlParamsBody
      )
      assert.deepStrictEqual(
        [...form],
        [
          ["a", "1"],
          ["b", "2"]
        ]
      )
      const nothing = yield* send(HttpClientRequest.get(baseUrl, { headers: { "x-status": "204" } }))
      assert.deepStrictEqual([nothing.status, yield* nothing.text, yield* nothing.json], [204, "", null])
    })
  )

  it.live("sends bytes, and says so where it is given a stream", () =>
    Effect.gen(function* () {
      const { baseUrl, requests } = yield* mirror
      const bytes = HttpClientRequest.post(baseUrl, { body: HttpBody.jsonUnsafe({ a: 1 }) })
      assert.include((yield* send(bytes)).headers["x-sent"], `"7"`)
      const stream = HttpClientRequest.post(baseUrl, { body: HttpBody.stream(Stream.make(new Uint8Array(1))) })
      const error = yield* Effect.flip(send(stream))
      assert.strictEqual(error.reason._tag, "EncodeError")
      assert.include(error.message, "no body of the kind Stream")
      assert.strictEqual(requests(), 1)
    })
  )

  it.live("refuses a URL that is none", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(send(HttpClientRequest.get("/no/origin")))
      assert.strictEqual(error.reason._tag, "InvalidUrlError")
    })
  )

  it.live("follows no redirect", () =>
    Effect.gen(function* () {
      const { baseUrl, requests } = yield* serve((_, response, nth) =>
        faults["a redirect"](response, { good: null, nth })
      )
      assert.strictEqual((yield* send(HttpClientRequest.get(baseUrl))).status, 302)
      assert.strictEqual(requests(), 1)
    })
  )

  it.live("makes a client span where somebody traces, and tells the service of it", () =>
    Effect.gen(function* () {
      const spans: Array<Tracer.Span> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        }
      })
      const traces: Array<unknown> = []
      const { baseUrl } = yield* serve((request, response) => {
        traces.push(request.headers["traceparent"])
        faults["a good answer"](response, { good: get.responseBody, nth: 1 })
      })
      const call = get.call.pipe(Effect.provide(layerPorts({ baseUrl })), Effect.provide(UndiciHttpClient.layer))
      yield* call
      yield* call.pipe(Effect.withTracer(tracer))
      assert.deepStrictEqual(
        spans.map(({ kind, name }) => [name, kind]),
        [
          ["HttpPipes.get", "internal"],
          ["GET", "client"]
        ]
      )
      assert.isUndefined(traces[0])
      assert.include(String(traces[1]), spans[1]?.spanId ?? "no span")
    })
  )

  it.live("takes a dispatcher, which stays its owner's", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* serve((_, response) =>
        faults["a good answer"](response, { good: get.responseBody, nth: 1 })
      )
      const agent = new Agent({ connections: 1 })
      for (let i = 0; i < 2; i++) {
        yield* get.call.pipe(
          Effect.provide(layerPorts({ baseUrl })),
          Effect.provide(UndiciHttpClient.layerDispatcher(agent))
        )
      }
      assert.isFalse(agent.destroyed)
      yield* Effect.promise(() => agent.destroy())
      const error = yield* get.call.pipe(
        Effect.provide(layerPorts({ baseUrl, maxRetries: 0 })),
        Effect.provide(UndiciHttpClient.layerDispatcher(agent)),
        Effect.flip
      )
      assert.strictEqual(error._tag, "ConnectionError")
    })
  )

  it.live("goes through a proxy that it is given", () =>
    Effect.gen(function* () {
      const proxy = yield* serve((_, response) => faults["a good answer"](response, { good: get.responseBody, nth: 1 }))
      const dispatcher = new ProxyAgent({ uri: proxy.baseUrl, proxyTunnel: false })
      yield* get.call.pipe(
        Effect.provide(layerPorts({ baseUrl: "http://localhost:1" })),
        Effect.provide(UndiciHttpClient.layerDispatcher(dispatcher)),
        Effect.ensuring(Effect.promise(() => dispatcher.destroy()))
      )
      assert.deepStrictEqual(proxy.paths, [`http://localhost:1${get.path}`])
    })
  )
})
